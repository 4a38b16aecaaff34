// A receiver over TLS for tests: its certificate is signed by an authority that it makes for itself, and it speaks
// HTTP/1.1 and, where it is told to, HTTP/2. It answers every request with 200 and the name of the protocol.
#ifndef CALLBOARD_TLS_RECEIVER_H
#define CALLBOARD_TLS_RECEIVER_H

struct tls_receiver;

struct tls_receiver_options {
    /// The host name in the certificate, or NULL for the address 127.0.0.1.
    const char *host;
    /// Whether HTTP/2 is offered (ALPN); otherwise HTTP/1.1 alone.
    int speaks_http2;
    /// Whether the certificate's time is over.
    int is_expired;
};

/// Listens on a free port of 127.0.0.1; NULL where something fails.
struct tls_receiver *tls_receiver_start(struct tls_receiver_options options);

int tls_receiver_port(const struct tls_receiver *receiver);
/// How many connections were accepted.
int tls_receiver_connections(struct tls_receiver *receiver);
/// How many requests were answered.
int tls_receiver_requests(struct tls_receiver *receiver);
/// Writes the authority's certificate to a file (PEM); returns whether it could.
int tls_receiver_write_authority(const struct tls_receiver *receiver, const char *path);
/// Closes everything, waits for its threads and frees it.
void tls_receiver_stop(struct tls_receiver *receiver);

#endif
