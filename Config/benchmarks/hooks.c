// The two ends of a webhook, quick enough not to be what is measured.
//
//   hooks receive                     answers what comes to its first port at once, and never what comes to its second
//   hooks load HOST PORT COUNT FILE MILLISECONDS
//                                     COUNT connections that send the request in FILE, each again once it is answered;
//                                     they begin one after the other, so many milliseconds apart
//
// The receiver prints its ports. Each body with a member "sent" is answered 204, and how old that moment is, in
// nanoseconds, is a line on standard output; the other bodies are answered {"value":true}. A line on standard input
// asks how many requests the second port has got and how many connections it has open. Times are CLOCK_MONOTONIC, which
// every process on the machine shares.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { buffer_size = 1 << 16 };

struct end {
    enum { commands, quick_listener, hanging_listener, quick, hanging, asking } kind;
    int descriptor;
    size_t used;
    char buffer[buffer_size + 1];
};

static int loop;
static long hung, hanging_open;

static _Noreturn void stop(const char *what) {
    fprintf(stderr, "hooks: %s: %s\n", what, strerror(errno));
    exit(1);
}

static _Noreturn void refuse(const char *what, const char *message) {
    fprintf(stderr, "hooks: %s: %.*s\n", what, (int)strcspn(message, "\r\n"), message);
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static struct end *watch(int kind, int descriptor) {
    struct end *made = malloc(sizeof *made);
    if (!made) stop("malloc");
    made->kind = kind;
    made->descriptor = descriptor;
    made->used = 0;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = made};
    if (epoll_ctl(loop, EPOLL_CTL_ADD, descriptor, &event)) stop("epoll_ctl");
    return made;
}

static void forget(struct end *each) {
    if (each->kind == hanging) hanging_open--;
    close(each->descriptor);
    free(each);
}

static void put(int descriptor, const char *bytes, size_t count) {
    if (send(descriptor, bytes, count, MSG_NOSIGNAL) != (ssize_t)count && errno != EPIPE && errno != ECONNRESET) {
        stop("send");
    }
}

// How long the message at the start of `buffer` is, or 0 where it is not whole yet.
static size_t whole(char *buffer, size_t used) {
    buffer[used] = 0;
    char *end = strstr(buffer, "\r\n\r\n");
    if (!end) return 0;
    end[2] = 0;
    char *field = strcasestr(buffer, "\r\ncontent-length:");
    size_t length = end + 4 - buffer + (field ? strtoul(field + 17, NULL, 10) : 0);
    end[2] = '\r';
    if (length > buffer_size) refuse("a message is too large", buffer);
    return length <= used ? length : 0;
}

// Takes what a socket has; false at its end.
static bool take(struct end *each) {
    ssize_t count = recv(each->descriptor, each->buffer + each->used, buffer_size - each->used, 0);
    if (count <= 0) return false;
    each->used += count;
    return true;
}

// Drops the message of `length` bytes at the start.
static void drop(struct end *each, size_t length) {
    each->used -= length;
    memmove(each->buffer, each->buffer + length, each->used);
}

// MARK: Receiving

static int listen_anywhere(void) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1024)) {
        stop("listen");
    }
    return listener;
}

static int port_of(int listener) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    if (getsockname(listener, (struct sockaddr *)&address, &length)) stop("getsockname");
    return ntohs(address.sin_port);
}

static void welcome(struct end *listener) {
    int made = accept4(listener->descriptor, NULL, NULL, SOCK_CLOEXEC), on = 1;
    if (made < 0) stop("accept");
    setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    watch(listener->kind == quick_listener ? quick : hanging, made);
    if (listener->kind == hanging_listener) hanging_open++;
}

static void answer(struct end *each, size_t length) {
    static const char value[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n"
                                "{\"value\":true}";
    static const char nothing[] = "HTTP/1.1 204 No Content\r\n\r\n";
    int64_t arrival = now();
    char after = each->buffer[length];
    each->buffer[length] = 0;
    char *sent = strstr(each->buffer, "\"sent\":");
    if (sent) {
        put(each->descriptor, nothing, sizeof nothing - 1);
        printf("%lld\n", (long long)(arrival - strtoll(sent + 7, NULL, 10)));
        fflush(stdout);
    } else {
        put(each->descriptor, value, sizeof value - 1);
    }
    each->buffer[length] = after;
}

static void obey(void) {
    char line[256];
    if (read(STDIN_FILENO, line, sizeof line) <= 0) exit(0);
    printf("%ld %ld\n", hung, hanging_open);
    fflush(stdout);
}

static void hear(struct end *each) {
    switch (each->kind) {
    case commands: obey(); return;
    case quick_listener:
    case hanging_listener: welcome(each); return;
    default: break;
    }
    if (!take(each)) {
        forget(each);
        return;
    }
    size_t length;
    while ((length = whole(each->buffer, each->used)) > 0) {
        if (each->kind == quick) {
            answer(each, length);
        } else {
            hung++;
        }
        drop(each, length);
    }
}

static void receive(void) {
    int first = listen_anywhere(), second = listen_anywhere();
    watch(commands, STDIN_FILENO);
    watch(quick_listener, first);
    watch(hanging_listener, second);
    printf("%d %d\n", port_of(first), port_of(second));
    fflush(stdout);
    for (;;) {
        // One at a time, so that no event is left for an end that an earlier one has closed.
        struct epoll_event event;
        int ready = epoll_wait(loop, &event, 1, -1);
        if (ready < 0 && errno != EINTR) stop("epoll_wait");
        if (ready > 0) hear(event.data.ptr);
    }
}

// MARK: Loading

static void load(const char *host, int port, int count, const char *file, int apart) {
    static char request[buffer_size];
    FILE *input = fopen(file, "rb");
    if (!input) stop(file);
    size_t size = fread(request, 1, sizeof request, input);
    fclose(input);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1) stop(host);
    int64_t begin = now();
    for (int begun = 0;;) {
        int64_t due = begin / 1000000 + (int64_t)begun * apart - now() / 1000000;
        if (begun < count && due <= 0) {
            int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
            if (made < 0 || connect(made, (struct sockaddr *)&address, sizeof address)) stop("connect");
            watch(asking, made);
            put(made, request, size);
            begun++;
            continue;
        }
        struct epoll_event event;
        int ready = epoll_wait(loop, &event, 1, begun < count ? (int)due : -1);
        if (ready < 0 && errno != EINTR) stop("epoll_wait");
        if (ready <= 0) continue;
        struct end *each = event.data.ptr;
        if (!take(each)) refuse("the server closed a connection", each->buffer);
        size_t length = whole(each->buffer, each->used);
        if (length == 0) continue;
        if (memcmp(each->buffer, "HTTP/1.1 2", 10) != 0) refuse("the server answered", each->buffer);
        drop(each, length);
        put(each->descriptor, request, size);
    }
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN);
    loop = epoll_create1(EPOLL_CLOEXEC);
    if (loop < 0) stop("epoll_create1");
    if (argc == 2 && strcmp(argv[1], "receive") == 0) receive();
    if (argc == 7 && strcmp(argv[1], "load") == 0) {
        load(argv[2], atoi(argv[3]), atoi(argv[4]), argv[5], atoi(argv[6]));
    }
    fprintf(stderr, "usage: hooks receive | hooks load HOST PORT COUNT FILE MILLISECONDS\n");
    return 64;
}
