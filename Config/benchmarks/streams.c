// Event streams over HTTP/2, many on a connection: the receiving end of a fan-out, and a bare program on nghttp2 as its
// yardstick.
//
//   streams receive HOST PORT PATH CONNECTIONS COUNT   opens COUNT streams and tells when each has received a marker
//   streams send CONNECTIONS COUNT FILE                answers them, and sends FILE on each: one loop, nothing else
//
// Both speak HTTP/2 with prior knowledge and windows that never shut, and take commands as fanout.c does. The receiver
// reads frames by itself: it does as little as is needed to see what came on which stream.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
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
    marker_length = 16,       // "~" and fifteen other bytes, "~" nowhere else among them
    frame_head = 9,           // bytes of a frame's header (RFC 9113, section 4.1)
    quiet_milliseconds = 300, // silence after which the answers and snapshots count as drained
    largest_window = 0x7fffffff
};

static const int64_t round_limit = 60LL * 1000 * 1000 * 1000;

static _Noreturn void stop(const char *what) {
    fprintf(stderr, "streams: %s: %s\n", what, strerror(errno));
    exit(1);
}

static _Noreturn void give_up(const char *what, int number) {
    fprintf(stderr, "streams: %s (%d)\n", what, number);
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// Reads one command, a marker, from standard input; ends the program at the end of the input.
static void read_marker(char line[256]) {
    if (!fgets(line, 256, stdin)) exit(0);
    line[strcspn(line, "\n")] = 0;
    if (strlen(line) != marker_length) give_up("a marker has another length", (int)strlen(line));
}

static void send_whole(int descriptor, const uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
        if (sent < 0) stop("send");
        bytes += sent;
        count -= (size_t)sent;
    }
}

// MARK: Receiving

struct connection {
    int descriptor;
    int streams;
    size_t kept;              // bytes of a frame that is not complete
    uint8_t *round;           // of each stream, the round whose marker it has
    uint8_t bytes[1 << 17];
};

struct receiver {
    struct connection *connections;
    int epoll, answered;
};

static uint8_t *put_frame_head(uint8_t *at, size_t length, uint8_t type, uint8_t flags, uint32_t stream) {
    uint8_t head[frame_head] = {(uint8_t)(length >> 16), (uint8_t)(length >> 8), (uint8_t)length, type, flags,
                                (uint8_t)(stream >> 24), (uint8_t)(stream >> 16), (uint8_t)(stream >> 8),
                                (uint8_t)stream};
    memcpy(at, head, sizeof head);
    return at + sizeof head;
}

// A field by the index of its name and a literal value that is not indexed (RFC 7541, section 6.2.2).
static uint8_t *put_field(uint8_t *at, uint8_t name, const char *value) {
    size_t length = strlen(value);
    if (length > 126) give_up("a field is too long", (int)length);
    if (name < 15) *at++ = name;
    else *at++ = 15, *at++ = (uint8_t)(name - 15);
    *at++ = (uint8_t)length;
    memcpy(at, value, length);
    return at + length;
}

static void open_connection(struct connection *self, struct sockaddr_in *address, const char *path, int streams) {
    self->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;
    if (self->descriptor < 0 || connect(self->descriptor, (struct sockaddr *)address, sizeof *address)) stop("connect");
    setsockopt(self->descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    self->streams = streams;
    self->round = calloc((size_t)streams, 1);
    uint8_t bytes[1024], *at = bytes;
    memcpy(at, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 24);
    at = put_frame_head(at + 24, 6, NGHTTP2_SETTINGS, 0, 0);
    memcpy(at, "\x00\x04\x7f\xff\xff\xff", 6);   // the initial window: as large as there is
    at = put_frame_head(at + 6, 4, NGHTTP2_WINDOW_UPDATE, 0, 0);
    memcpy(at, "\x7f\xff\x00\x00", 4);           // and that of the connection, less the 65,535 that it has
    send_whole(self->descriptor, bytes, (size_t)(at + 4 - bytes));
    for (int index = 0; index < streams; index++) {
        uint8_t *fields = bytes + frame_head;
        at = fields;
        *at++ = 0x80 | 2;                        // :method GET
        *at++ = 0x80 | 6;                        // :scheme http
        at = put_field(at, 4, path);
        at = put_field(at, 1, "localhost");
        at = put_field(at, 19, "text/event-stream");
        size_t length = (size_t)(at - fields);
        put_frame_head(bytes, length, NGHTTP2_HEADERS, NGHTTP2_FLAG_END_HEADERS | NGHTTP2_FLAG_END_STREAM,
                       (uint32_t)(2 * index + 1));
        send_whole(self->descriptor, bytes, frame_head + length);
    }
}

// Works on one frame; true where its stream has its marker with it.
static bool take(struct receiver *self, struct connection *from, const uint8_t *frame, size_t length,
                 const char *marker, uint8_t round) {
    uint32_t stream = (uint32_t)frame[5] << 24 | (uint32_t)frame[6] << 16 | (uint32_t)frame[7] << 8 | frame[8];
    const uint8_t *content = frame + frame_head;
    switch (frame[3]) {
    case NGHTTP2_DATA: {
        if (!marker) return false;
        const uint8_t *found = memchr(content, '~', length);
        uint8_t *seen = &from->round[stream / 2];
        if (!found || *seen == round || found + marker_length > content + length) return false;
        if (memcmp(found, marker, marker_length) != 0) return false;
        *seen = round;
        return true;
    }
    case NGHTTP2_HEADERS:
        if (frame[4] & NGHTTP2_FLAG_END_STREAM) give_up("a stream was refused", (int)stream);
        self->answered++;
        return false;
    case NGHTTP2_SETTINGS:
        if (!(frame[4] & NGHTTP2_FLAG_ACK)) {
            uint8_t answer[frame_head];
            put_frame_head(answer, 0, NGHTTP2_SETTINGS, NGHTTP2_FLAG_ACK, 0);
            send_whole(from->descriptor, answer, sizeof answer);
        }
        return false;
    case NGHTTP2_RST_STREAM: give_up("a stream was reset", (int)stream);
    case NGHTTP2_GOAWAY: give_up("the server says GOAWAY", content[7]);
    default: return false;
    }
}

// One turn of the loop: reads what has come, and counts `left` down for each stream that has its marker. Returns how many
// sockets had something; 0 means that nothing came in `milliseconds`.
static int turn(struct receiver *self, int milliseconds, const char *marker, uint8_t round, int *left) {
    struct epoll_event events[512];
    int ready = epoll_wait(self->epoll, events, 512, milliseconds);
    if (ready < 0 && errno != EINTR) stop("epoll_wait");
    for (int index = 0; index < ready; index++) {
        struct connection *each = events[index].data.ptr;
        ssize_t count = recv(each->descriptor, each->bytes + each->kept, sizeof each->bytes - each->kept, MSG_DONTWAIT);
        if (count < 0 && errno == EAGAIN) continue;
        if (count <= 0) stop("a connection was closed by the server");
        size_t end = each->kept + (size_t)count, at = 0;
        while (end - at >= frame_head) {
            const uint8_t *frame = each->bytes + at;
            size_t length = (size_t)frame[0] << 16 | (size_t)frame[1] << 8 | frame[2];
            if (end - at < frame_head + length) break;
            if (take(self, each, frame, length, marker, round)) --*left;
            at += frame_head + length;
        }
        memmove(each->bytes, each->bytes + at, end - at);
        each->kept = end - at;
    }
    return ready;
}

static void receive(const char *host, int port, const char *path, int connections, int count) {
    struct receiver *self = calloc(1, sizeof *self);
    self->connections = calloc((size_t)connections, sizeof *self->connections);
    self->epoll = epoll_create1(EPOLL_CLOEXEC);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    if (self->epoll < 0 || inet_pton(AF_INET, host, &address.sin_addr) != 1) stop("receive");
    int64_t limit = now() + round_limit;
    for (int index = 0, expected = 0; index < connections; index++) {
        struct connection *each = &self->connections[index];
        open_connection(each, &address, path, count / connections);
        expected += each->streams;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = each};
        if (epoll_ctl(self->epoll, EPOLL_CTL_ADD, each->descriptor, &event)) stop("epoll_ctl");
        while (self->answered < expected && now() < limit) turn(self, 100, NULL, 0, NULL);
    }
    while (turn(self, quiet_milliseconds, NULL, 0, NULL) > 0) {}
    if (self->answered != count) give_up("streams are not answered", count - self->answered);
    printf("ready %d\n", count);
    fflush(stdout);

    for (uint8_t round = 1;; round = round == 255 ? 1 : round + 1) {
        char marker[256];
        read_marker(marker);
        while (turn(self, 0, NULL, 0, NULL) > 0) {}
        printf("armed\n");
        fflush(stdout);
        int left = count;
        int64_t first = 0;
        for (limit = now() + round_limit; left > 0 && now() < limit;) {
            turn(self, 1000, marker, round, &left);
            if (first == 0 && left < count) first = now();
        }
        int64_t last = now();
        printf("received %d %lld %lld\n", count - left, (long long)first, (long long)last);
        fflush(stdout);
    }
}

// MARK: Sending

static char message[1 << 14];
static size_t message_size;

struct session {
    nghttp2_session *machine;
    int descriptor, count;
    int32_t streams[1024];
    bool pending[1024];       // of each stream, whether the message waits to be sent on it
};

static ssize_t read_message(nghttp2_session *machine, int32_t stream, uint8_t *bytes, size_t room, uint32_t *flags,
                            nghttp2_data_source *source, void *data) {
    (void)machine, (void)stream, (void)flags, (void)data;
    bool *pending = source->ptr;
    if (!*pending) return NGHTTP2_ERR_DEFERRED;
    if (room < message_size) give_up("a frame has no room for the message", (int)room);
    *pending = false;
    memcpy(bytes, message, message_size);
    return (ssize_t)message_size;
}

static int received(nghttp2_session *machine, const nghttp2_frame *frame, void *data) {
    struct session *self = data;
    if (frame->hd.type != NGHTTP2_HEADERS) return 0;
    int index = self->count++;
    if (index >= 1024) give_up("too many streams", index);
    self->streams[index] = frame->hd.stream_id;
    nghttp2_nv fields[] = {
        {(uint8_t *)":status", (uint8_t *)"200", 7, 3, NGHTTP2_NV_FLAG_NONE},
        {(uint8_t *)"content-type", (uint8_t *)"text/event-stream", 12, 17, NGHTTP2_NV_FLAG_NONE},
    };
    nghttp2_data_provider provider = {.source.ptr = &self->pending[index], .read_callback = read_message};
    return nghttp2_submit_response(machine, frame->hd.stream_id, fields, 2, &provider);
}

// Sends what the session has, gathered into writes of 64 KiB.
static void flush(struct session *self) {
    static uint8_t gathered[1 << 16];
    size_t size = 0;
    const uint8_t *bytes;
    ssize_t count;
    while ((count = nghttp2_session_mem_send(self->machine, &bytes)) > 0) {
        if (size + (size_t)count > sizeof gathered) {
            send_whole(self->descriptor, gathered, size);
            size = 0;
        }
        memcpy(gathered + size, bytes, (size_t)count);
        size += (size_t)count;
    }
    if (count < 0) give_up("nghttp2_session_mem_send", (int)count);
    send_whole(self->descriptor, gathered, size);
}

static void accept_session(struct session *self, int listener, int streams, nghttp2_session_callbacks *callbacks) {
    int on = 1;
    self->descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (self->descriptor < 0) stop("accept");
    setsockopt(self->descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    nghttp2_session_server_new(&self->machine, callbacks, self);
    nghttp2_settings_entry bound = {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 1024};
    nghttp2_submit_settings(self->machine, NGHTTP2_FLAG_NONE, &bound, 1);
    while (self->count < streams) {
        uint8_t bytes[1 << 14];
        ssize_t count = recv(self->descriptor, bytes, sizeof bytes, 0);
        if (count <= 0) stop("recv");
        if (nghttp2_session_mem_recv(self->machine, bytes, (size_t)count) < 0) give_up("nghttp2_session_mem_recv", 0);
        flush(self);
    }
}

static void send_all(int connections, int count, const char *file) {
    FILE *input = fopen(file, "rb");
    if (!input) stop(file);
    message_size = fread(message, 1, sizeof message, input);
    fclose(input);
    char *place = memchr(message, '~', message_size);
    if (!place || place + marker_length > message + message_size) give_up("the message has no marker", 0);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1024) ||
        getsockname(listener, (struct sockaddr *)&address, &length)) {
        stop("listen");
    }
    printf("port %d\n", ntohs(address.sin_port));
    fflush(stdout);
    nghttp2_session_callbacks *callbacks;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, received);
    struct session *sessions = calloc((size_t)connections, sizeof *sessions);
    for (int index = 0; index < connections; index++) {
        accept_session(&sessions[index], listener, count / connections, callbacks);
    }
    for (;;) {
        char marker[256];
        read_marker(marker);
        memcpy(place, marker, marker_length);
        for (int index = 0; index < connections; index++) {
            struct session *each = &sessions[index];
            for (int stream = 0; stream < each->count; stream++) {
                each->pending[stream] = true;
                nghttp2_session_resume_data(each->machine, each->streams[stream]);
            }
            flush(each);
        }
    }
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN);
    if (argc == 7 && strcmp(argv[1], "receive") == 0) {
        receive(argv[2], atoi(argv[3]), argv[4], atoi(argv[5]), atoi(argv[6]));
    }
    if (argc == 5 && strcmp(argv[1], "send") == 0) send_all(atoi(argv[2]), atoi(argv[3]), argv[4]);
    fprintf(stderr, "usage: streams receive HOST PORT PATH CONNECTIONS COUNT | streams send CONNECTIONS COUNT FILE\n");
    return 64;
}
