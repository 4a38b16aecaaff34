// Two ends of a fan-out, kept apart from any server so that every server is measured alike.
//
//   fanout receive HOST PORT PATH COUNT   opens COUNT event streams and tells when each has received a marker
//   fanout send COUNT FILE                a bare loop of send() over COUNT sockets: the yardstick
//
// Both are told what to do on standard input, one command on a line, and answer on standard output. Times are
// CLOCK_MONOTONIC in nanoseconds, which every process on the machine shares.

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

enum {
    marker_length = 16,      // "~" and fifteen other bytes, "~" nowhere else among them
    opening_at_once = 200,   // connections that wait for their answer at one time: less than any listener's backlog
    quiet_milliseconds = 300 // silence after which the answers and snapshots count as drained
};

static const int64_t round_limit = 60LL * 1000 * 1000 * 1000;

static _Noreturn void stop(const char *what) {
    fprintf(stderr, "fanout: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// Reads one command from standard input into `line`, without its newline; ends the program at the end of the input.
static void read_command(char *line, int size) {
    if (!fgets(line, size, stdin)) exit(0);
    line[strcspn(line, "\n")] = 0;
}

// MARK: Receiving

struct subscriber {
    int descriptor;
    int matched;       // bytes of the marker, or of the head's end, that the last byte received completes
    bool answered;     // the head of the response is behind us
    bool has_marker;
};

// Follows `pattern` through `bytes`; true when it is complete. A pattern's first byte may stand again only where
// starting over at it is right, which holds for a marker and for the blank line that ends a head.
static bool match(struct subscriber *each, const char *pattern, int length, const char *bytes, ssize_t count) {
    const char *end = bytes + count;
    while (bytes < end) {
        if (each->matched == 0) {
            bytes = memchr(bytes, pattern[0], end - bytes);
            if (!bytes) return false;
        }
        if (*bytes == pattern[each->matched]) {
            each->matched++;
        } else {
            each->matched = *bytes == pattern[0];
        }
        bytes++;
        if (each->matched == length) {
            each->matched = 0;
            return true;
        }
    }
    return false;
}

struct receiver {
    struct sockaddr_in address;
    char request[1024];
    struct subscriber *subscribers;
    int count, opened, answered, epoll;
    char buffer[1 << 16];
};

static void open_one(struct receiver *self) {
    struct subscriber *each = &self->subscribers[self->opened++];
    each->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (each->descriptor < 0) stop("socket");
    if (connect(each->descriptor, (struct sockaddr *)&self->address, sizeof self->address)) stop("connect");
    size_t length = strlen(self->request);
    if (send(each->descriptor, self->request, length, MSG_NOSIGNAL) != (ssize_t)length) stop("send");
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = each};
    if (epoll_ctl(self->epoll, EPOLL_CTL_ADD, each->descriptor, &event)) stop("epoll_ctl");
}

// One turn of the loop: reads what has come and follows the head, or the marker where one is awaited, counting `left`
// down. Returns how many sockets had something; 0 means that nothing came in `milliseconds`.
static int turn(struct receiver *self, int milliseconds, const char *marker, int *left) {
    struct epoll_event events[512];
    int ready = epoll_wait(self->epoll, events, 512, milliseconds);
    if (ready < 0 && errno != EINTR) stop("epoll_wait");
    for (int index = 0; index < ready; index++) {
        struct subscriber *each = events[index].data.ptr;
        ssize_t count = recv(each->descriptor, self->buffer, sizeof self->buffer, MSG_DONTWAIT);
        if (count < 0 && errno == EAGAIN) continue;
        if (count < 0) stop("recv");
        if (count == 0) {
            errno = ECONNRESET;
            stop("a stream was closed by the server");
        }
        if (!each->answered) {
            if (memcmp(self->buffer, "HTTP/1.", 7) == 0 && memcmp(self->buffer + 8, " 200", 4) != 0) {
                fprintf(stderr, "fanout: refused: %.*s\n", (int)strcspn(self->buffer, "\r\n"), self->buffer);
                exit(1);
            }
            if (match(each, "\r\n\r\n", 4, self->buffer, count)) {
                each->answered = true;
                self->answered++;
            }
        } else if (marker && !each->has_marker && match(each, marker, marker_length, self->buffer, count)) {
            each->has_marker = true;
            --*left;
        }
    }
    return ready;
}

static void receive(const char *host, int port, const char *path, int count) {
    struct receiver *self = calloc(1, sizeof *self);
    self->count = count;
    self->subscribers = calloc(count, sizeof *self->subscribers);
    self->epoll = epoll_create1(EPOLL_CLOEXEC);
    self->address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port)};
    if (self->epoll < 0 || inet_pton(AF_INET, host, &self->address.sin_addr) != 1) stop("receive");
    snprintf(self->request, sizeof self->request,
             "GET %s HTTP/1.1\r\nHost: %s:%d\r\nAccept: text/event-stream\r\n\r\n", path, host, port);

    while (self->answered < count) {
        while (self->opened < count && self->opened - self->answered < opening_at_once) open_one(self);
        if (turn(self, 10000, NULL, NULL) == 0) {
            errno = ETIMEDOUT;
            stop("no answer to a subscription");
        }
    }
    while (turn(self, quiet_milliseconds, NULL, NULL) > 0) {}
    printf("ready %d\n", count);
    fflush(stdout);

    for (;;) {
        char marker[256];
        read_command(marker, sizeof marker);
        if (strlen(marker) != marker_length) {
            fprintf(stderr, "fanout: a marker has %d bytes\n", marker_length);
            exit(1);
        }
        while (turn(self, 0, NULL, NULL) > 0) {}  // what came between the rounds, heartbeats for instance
        for (int index = 0; index < count; index++) {
            self->subscribers[index].has_marker = false;
            self->subscribers[index].matched = 0;
        }
        printf("armed\n");
        fflush(stdout);

        int left = count;
        int64_t first = 0, limit = now() + round_limit;
        while (left > 0 && now() < limit) {
            turn(self, 1000, marker, &left);
            if (first == 0 && left < count) first = now();
        }
        int64_t last = now();
        printf("received %d %lld %lld\n", count - left, (long long)first, (long long)last);
        fflush(stdout);
    }
}

// MARK: Sending

static void send_all(int count, const char *file) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1024) ||
        getsockname(listener, (struct sockaddr *)&address, &length)) {
        stop("listen");
    }
    printf("port %d\n", ntohs(address.sin_port));
    fflush(stdout);

    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    int *descriptors = calloc(count, sizeof *descriptors), on = 1;
    for (int index = 0; index < count; index++) {
        descriptors[index] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (descriptors[index] < 0) stop("accept");
        setsockopt(descriptors[index], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (send(descriptors[index], head, sizeof head - 1, MSG_NOSIGNAL) < 0) stop("send");
    }
    printf("accepted %d\n", count);
    fflush(stdout);

    static char message[1 << 20];
    FILE *input = fopen(file, "rb");
    if (!input) stop(file);
    size_t size = fread(message, 1, sizeof message, input);
    fclose(input);
    char *place = memchr(message, '~', size);
    if (!place || place + marker_length > message + size) {
        fprintf(stderr, "fanout: the message has no marker\n");
        exit(1);
    }

    for (;;) {
        char marker[256];
        read_command(marker, sizeof marker);
        if (strlen(marker) != marker_length) exit(1);
        memcpy(place, marker, marker_length);
        for (int index = 0; index < count; index++) {
            if (send(descriptors[index], message, size, MSG_NOSIGNAL) != (ssize_t)size) stop("send");
        }
    }
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN);
    if (argc == 6 && strcmp(argv[1], "receive") == 0) receive(argv[2], atoi(argv[3]), argv[4], atoi(argv[5]));
    if (argc == 4 && strcmp(argv[1], "send") == 0) send_all(atoi(argv[2]), argv[3]);
    fprintf(stderr, "usage: fanout receive HOST PORT PATH COUNT | fanout send COUNT FILE\n");
    return 64;
}
