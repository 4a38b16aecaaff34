// What the engines need of OpenSSL, with its macros and its checks of return values in one place. Everything is inline,
// so that the libraries alone are to be linked.
#ifndef COPENSSL_H
#define COPENSSL_H

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <stddef.h>
#include <stdint.h>

#if OPENSSL_VERSION_NUMBER < 0x30000000L
#error "Callboard needs OpenSSL 3.0 or later (X509_STORE_load_file): Debian 12, Ubuntu 24.04, or one that came after"
#endif

enum {
    COPENSSL_SHA256_BYTES = 32,
};

/// Writes the 32 bytes of HMAC-SHA256 (RFC 2104) to `code`; returns whether it could.
static inline int copenssl_hmac_sha256(
    const void *key, size_t key_count, const uint8_t *message, size_t message_count, uint8_t *code) {
    unsigned int count = 0;
    return HMAC(EVP_sha256(), key, (int)key_count, message, message_count, code, &count) != NULL
        && count == COPENSSL_SHA256_BYTES;
}

/// Writes the 32 bytes of SHA-256 (FIPS 180-4) to `digest`; returns whether it could.
static inline int copenssl_sha256(const void *message, size_t count, uint8_t *digest) {
    unsigned int length = 0;
    return EVP_Digest(message, count, digest, &length, EVP_sha256(), NULL) == 1 && length == COPENSSL_SHA256_BYTES;
}

/// Whether `count` bytes are the same, in a time that does not depend on where they differ.
static inline int copenssl_equal(const void *first, const void *second, size_t count) {
    return CRYPTO_memcmp(first, second, count) == 0;
}

/// Makes a store of the certificates that this system trusts (or that SSL_CERT_FILE and SSL_CERT_DIR name); NULL where
/// there is no memory for it. A system without any gives an empty store.
static inline X509_STORE *copenssl_system_trust(void) {
    X509_STORE *store = X509_STORE_new();
    if (store != NULL) X509_STORE_set_default_paths(store);
    // A folder that is not there is no error of the caller's.
    ERR_clear_error();
    return store;
}

/// Adds the certificates of a PEM file to the store; returns whether there were any, and leaves no error behind.
static inline int copenssl_trust_file(X509_STORE *store, const char *path) {
    int loaded = X509_STORE_load_file(store, path);
    ERR_clear_error();
    return loaded == 1;
}

/// Has connections of the context trust what the store holds, and nothing else.
static inline void copenssl_use_trust(void *context, X509_STORE *store) {
    SSL_CTX_set1_cert_store((SSL_CTX *)context, store);
}

static inline void copenssl_free_trust(X509_STORE *store) {
    X509_STORE_free(store);
}

#endif
