#define _GNU_SOURCE
#include "CTLSReceiver.h"

#include "certificates.h"

#include <arpa/inet.h>
#include <nghttp2/nghttp2.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECTIONS 256

struct tls_receiver {
    SSL_CTX *context;
    struct identity authority;
    int listener;
    int port;
    int speaks_http2;
    pthread_t acceptor;
    pthread_t threads[CONNECTIONS];
    atomic_int sockets[CONNECTIONS];
    atomic_int connections;
    atomic_int requests;
};

struct connection {
    struct tls_receiver *receiver;
    SSL *tls;
    int place;
};

// HTTP/1.1

/// The bytes of the content that a head announces.
static size_t content_length(const char *head) {
    const char *field = strcasestr(head, "\r\ncontent-length:");
    return field == NULL ? 0 : (size_t)strtoul(field + 17, NULL, 10);
}

static void serve_http1(struct connection *connection) {
    static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nHTTP/1.1";
    char buffer[65536];
    size_t count = 0;
    int received;
    while (count < sizeof buffer - 1
        && (received = SSL_read(connection->tls, buffer + count, (int)(sizeof buffer - 1 - count))) > 0) {
        count += (size_t)received;
        buffer[count] = 0;
        const char *end = strstr(buffer, "\r\n\r\n");
        if (end == NULL) continue;
        if (count < (size_t)(end + 4 - buffer) + content_length(buffer)) continue;
        count = 0;
        connection->receiver->requests++;
        if (SSL_write(connection->tls, answer, sizeof answer - 1) <= 0) return;
    }
}

// HTTP/2

static ssize_t send_bytes(nghttp2_session *session, const uint8_t *bytes, size_t count, int flags, void *context) {
    (void)session, (void)flags;
    int sent = SSL_write(((struct connection *)context)->tls, bytes, (int)count);
    return sent > 0 ? sent : NGHTTP2_ERR_CALLBACK_FAILURE;
}

static ssize_t read_answer(
    nghttp2_session *session, int32_t stream, uint8_t *buffer, size_t count, uint32_t *flags,
    nghttp2_data_source *source, void *context) {
    (void)session, (void)stream, (void)source, (void)context;
    static const char answer[] = "HTTP/2";
    if (count < sizeof answer - 1) return NGHTTP2_ERR_CALLBACK_FAILURE;
    memcpy(buffer, answer, sizeof answer - 1);
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    return sizeof answer - 1;
}

static int frame_received(nghttp2_session *session, const nghttp2_frame *frame, void *context) {
    struct connection *connection = context;
    int is_message = frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS;
    if (!is_message || !(frame->hd.flags & NGHTTP2_FLAG_END_STREAM)) return 0;
    static const char status[] = ":status", ok[] = "200";
    nghttp2_nv field = {(uint8_t *)status, (uint8_t *)ok, sizeof status - 1, sizeof ok - 1, NGHTTP2_NV_FLAG_NONE};
    nghttp2_data_provider content = {.read_callback = read_answer};
    connection->receiver->requests++;
    return nghttp2_submit_response(session, frame->hd.stream_id, &field, 1, &content);
}

static void serve_http2(struct connection *connection) {
    nghttp2_session_callbacks *callbacks;
    nghttp2_session *session;
    if (nghttp2_session_callbacks_new(&callbacks) != 0) return;
    nghttp2_session_callbacks_set_send_callback(callbacks, send_bytes);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, frame_received);
    int result = nghttp2_session_server_new(&session, callbacks, connection);
    nghttp2_session_callbacks_del(callbacks);
    if (result != 0) return;
    nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, NULL, 0);
    uint8_t buffer[16384];
    int received;
    while (nghttp2_session_send(session) == 0 && (received = SSL_read(connection->tls, buffer, sizeof buffer)) > 0) {
        if (nghttp2_session_mem_recv(session, buffer, (size_t)received) < 0) break;
    }
    nghttp2_session_del(session);
}

// Connections

static int choose_protocol(
    SSL *tls, const unsigned char **chosen, unsigned char *length, const unsigned char *offered, unsigned int count,
    void *context) {
    (void)tls;
    static const unsigned char both[] = "\x02h2\x08http/1.1";
    const struct tls_receiver *receiver = context;
    const unsigned char *mine = receiver->speaks_http2 ? both : both + 3;
    unsigned int mine_count = receiver->speaks_http2 ? sizeof both - 1 : sizeof both - 4;
    int result = SSL_select_next_proto((unsigned char **)chosen, length, mine, mine_count, offered, count);
    return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

static void *serve(void *argument) {
    struct connection *connection = argument;
    if (SSL_accept(connection->tls) == 1) {
        const unsigned char *protocol;
        unsigned int length;
        SSL_get0_alpn_selected(connection->tls, &protocol, &length);
        if (length == 2) serve_http2(connection);
        else serve_http1(connection);
        SSL_shutdown(connection->tls);
    }
    // The number stays taken until the receiver is stopped, which shuts it down too.
    shutdown(SSL_get_fd(connection->tls), SHUT_RDWR);
    SSL_free(connection->tls);
    free(connection);
    return NULL;
}

static void *accept_all(void *argument) {
    struct tls_receiver *receiver = argument;
    int number;
    // OpenSSL writes to peers that are gone; this thread and those it starts are not to die of it.
    sigset_t broken_pipe;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, NULL);
    while ((number = accept(receiver->listener, NULL, NULL)) >= 0) {
        int place = receiver->connections;
        struct connection *connection = place < CONNECTIONS ? malloc(sizeof *connection) : NULL;
        if (connection == NULL) {
            close(number);
            continue;
        }
        *connection = (struct connection){receiver, SSL_new(receiver->context), place};
        SSL_set_fd(connection->tls, number);
        receiver->sockets[place] = number;
        if (pthread_create(&receiver->threads[place], NULL, serve, connection) != 0) abort();
        receiver->connections++;
    }
    return NULL;
}

// Starting and stopping

static int prepare(struct tls_receiver *receiver, struct tls_receiver_options options) {
    char name[256] = "IP:127.0.0.1";
    if (options.host != NULL) snprintf(name, sizeof name, "DNS:%s", options.host);
    receiver->speaks_http2 = options.speaks_http2;
    receiver->authority = make_authority();
    struct identity server = make_server(receiver->authority, name, options.is_expired);
    receiver->context = SSL_CTX_new(TLS_server_method());
    int is_ready = receiver->context != NULL && server.certificate != NULL
        && SSL_CTX_use_certificate(receiver->context, server.certificate) == 1
        && SSL_CTX_use_PrivateKey(receiver->context, server.key) == 1;
    free_identity(server);
    if (is_ready) SSL_CTX_set_alpn_select_cb(receiver->context, choose_protocol, receiver);
    return is_ready;
}

static int listen_here(struct tls_receiver *receiver) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    receiver->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(receiver->listener, (struct sockaddr *)&address, length) != 0) return 0;
    if (listen(receiver->listener, 100) != 0) return 0;
    if (getsockname(receiver->listener, (struct sockaddr *)&address, &length) != 0) return 0;
    receiver->port = ntohs(address.sin_port);
    return pthread_create(&receiver->acceptor, NULL, accept_all, receiver) == 0;
}

static void free_receiver(struct tls_receiver *receiver) {
    if (receiver->listener >= 0) close(receiver->listener);
    SSL_CTX_free(receiver->context);
    free_identity(receiver->authority);
    free(receiver);
}

struct tls_receiver *tls_receiver_start(struct tls_receiver_options options) {
    struct tls_receiver *receiver = calloc(1, sizeof *receiver);
    if (receiver == NULL) return NULL;
    receiver->listener = -1;
    if (prepare(receiver, options) && listen_here(receiver)) return receiver;
    free_receiver(receiver);
    return NULL;
}

int tls_receiver_port(const struct tls_receiver *receiver) {
    return receiver->port;
}

int tls_receiver_connections(struct tls_receiver *receiver) {
    return receiver->connections;
}

int tls_receiver_requests(struct tls_receiver *receiver) {
    return receiver->requests;
}

int tls_receiver_write_authority(const struct tls_receiver *receiver, const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL) return 0;
    int is_written = PEM_write_X509(file, receiver->authority.certificate);
    return fclose(file) == 0 && is_written;
}

void tls_receiver_stop(struct tls_receiver *receiver) {
    shutdown(receiver->listener, SHUT_RDWR);
    pthread_join(receiver->acceptor, NULL);
    for (int place = 0; place < receiver->connections; place++) {
        shutdown(receiver->sockets[place], SHUT_RDWR);
        pthread_join(receiver->threads[place], NULL);
        close(receiver->sockets[place]);
    }
    free_receiver(receiver);
}
