#ifndef CALLBOARD_CERTIFICATES_H
#define CALLBOARD_CERTIFICATES_H

#include <openssl/x509.h>

/// A certificate and its private key.
struct identity {
    X509 *certificate;
    EVP_PKEY *key;
};

/// Makes an authority that signs itself; without a certificate where something fails.
struct identity make_authority(void);
/// Makes a server's identity for a subject alternative name such as "DNS:localhost", signed by the authority.
struct identity make_server(struct identity authority, const char *name, int is_expired);
void free_identity(struct identity identity);

#endif
