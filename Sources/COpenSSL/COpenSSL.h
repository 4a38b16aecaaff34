// What the engines need of OpenSSL, with its macros and its checks of return values in one place. Everything is inline,
// so that the libraries alone are to be linked.
#ifndef COPENSSL_H
#define COPENSSL_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <stddef.h>
#include <stdint.h>

#if OPENSSL_VERSION_NUMBER < 0x30000000L
#error "Callboard needs OpenSSL 3.0 or later (X509_STORE_load_file): Debian 12, Ubuntu 24.04, or one that came after"
#endif

enum {
    COPENSSL_SHA256_BYTES = 32,
    COPENSSL_P256_BYTES = 32,
    COPENSSL_ED25519_BYTES = 32,
};

/// The signatures that copenssl_verify knows (RFC 7518, section 3; RFC 8037, section 3.1).
enum copenssl_signature {
    COPENSSL_RS256,
    COPENSSL_PS256,
    COPENSSL_ES256,
    COPENSSL_EDDSA,
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

enum {
    COPENSSL_SEAL_KEY_BYTES = 32,
    COPENSSL_SEAL_NONCE_BYTES = 12,
    COPENSSL_SEAL_TAG_BYTES = 16,
};

/// Encrypts `count` bytes with AES-256-GCM (NIST SP 800-38D): writes as many to `sealed`, and the tag behind them. A nonce
/// must not be used twice with one key. Returns whether it could.
static inline int copenssl_seal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *text, size_t count, uint8_t *sealed) {
    int written = 0, rest = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int is_done = context != NULL && EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), NULL, key, nonce) == 1
        && EVP_EncryptUpdate(context, sealed, &written, text, (int)count) == 1
        && EVP_EncryptFinal_ex(context, sealed + written, &rest) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, COPENSSL_SEAL_TAG_BYTES, sealed + count) == 1;
    EVP_CIPHER_CTX_free(context);
    ERR_clear_error();
    return is_done && (size_t)(written + rest) == count;
}

/// Decrypts what copenssl_seal has made of `count` bytes, the tag not counted, to `text`; returns whether the tag is right.
/// `text` is to be thrown away otherwise.
static inline int copenssl_unseal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *sealed, size_t count, uint8_t *text) {
    int written = 0, rest = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int is_right = context != NULL && EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), NULL, key, nonce) == 1
        && EVP_DecryptUpdate(context, text, &written, sealed, (int)count) == 1
        && EVP_CIPHER_CTX_ctrl(
            context, EVP_CTRL_GCM_SET_TAG, COPENSSL_SEAL_TAG_BYTES, (void *)(uintptr_t)(sealed + count)) == 1
        && EVP_DecryptFinal_ex(context, text + written, &rest) == 1;
    EVP_CIPHER_CTX_free(context);
    ERR_clear_error();
    return is_right && (size_t)(written + rest) == count;
}

/// Makes a public key of its parameters; NULL where they are no key of the type, or there is no memory.
static inline EVP_PKEY *copenssl_public_key(const char *type, OSSL_PARAM *parameters) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (parameters == NULL || context == NULL || EVP_PKEY_fromdata_init(context) != 1
        || EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

/// Frees a key; NULL is allowed.
static inline void copenssl_free_key(EVP_PKEY *key) {
    EVP_PKEY_free(key);
}

/// Makes an RSA public key of its modulus and exponent, both unsigned with the most significant byte first; NULL where
/// that fails. The sizes are the caller's to check. EVP_PKEY_public_check is not called: it looks for small factors and
/// for a prime, which takes 0.2 s for 8192 bits, and an issuer that publishes such a modulus harms nobody but itself.
static inline EVP_PKEY *copenssl_rsa_key(const uint8_t *n, size_t n_count, const uint8_t *e, size_t e_count) {
    EVP_PKEY *key = NULL;
    BIGNUM *modulus = BN_bin2bn(n, (int)n_count, NULL);
    BIGNUM *exponent = BN_bin2bn(e, (int)e_count, NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (modulus != NULL && exponent != NULL && builder != NULL
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, modulus) == 1
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, exponent) == 1) {
        OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
        key = copenssl_public_key("RSA", parameters);
        OSSL_PARAM_free(parameters);
    }
    OSSL_PARAM_BLD_free(builder);
    BN_free(exponent);
    BN_free(modulus);
    ERR_clear_error();
    return key;
}

/// Makes a public key on the curve P-256 of its coordinates of 32 bytes each; NULL where the point is not on the curve.
static inline EVP_PKEY *copenssl_p256_key(const uint8_t *x, const uint8_t *y) {
    // An uncompressed point (SEC 1, section 2.3.3).
    uint8_t point[1 + 2 * COPENSSL_P256_BYTES] = {0x04};
    for (int index = 0; index < COPENSSL_P256_BYTES; index++) {
        point[1 + index] = x[index];
        point[1 + COPENSSL_P256_BYTES + index] = y[index];
    }
    char group[] = "prime256v1";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point),
        OSSL_PARAM_construct_end(),
    };
    EVP_PKEY *key = copenssl_public_key("EC", parameters);
    EVP_PKEY_CTX *check = key == NULL ? NULL : EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    if (check == NULL || EVP_PKEY_public_check(check) != 1) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    EVP_PKEY_CTX_free(check);
    ERR_clear_error();
    return key;
}

/// Makes an Ed25519 public key of its 32 bytes (RFC 8032, section 5.1.5); NULL where that fails.
static inline EVP_PKEY *copenssl_ed25519_key(const uint8_t *x) {
    EVP_PKEY *key = EVP_PKEY_new_raw_public_key_ex(NULL, "ED25519", NULL, x, COPENSSL_ED25519_BYTES);
    ERR_clear_error();
    return key;
}

/// Writes an ECDSA signature of two 32-byte numbers (RFC 7518, section 3.4) in DER (RFC 3279, section 2.2.3), which is
/// what OpenSSL takes, to `der`, which has room for 72 bytes; returns the count, at most 0 where that fails.
static inline int copenssl_ecdsa_der(const uint8_t *signature, uint8_t *der) {
    int count = 0;
    ECDSA_SIG *pair = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(signature, COPENSSL_P256_BYTES, NULL);
    BIGNUM *s = BN_bin2bn(signature + COPENSSL_P256_BYTES, COPENSSL_P256_BYTES, NULL);
    if (pair != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(pair, r, s) == 1) {
        r = s = NULL;  // The pair owns them now.
        count = i2d_ECDSA_SIG(pair, &der);
    }
    BN_free(r);
    BN_free(s);
    ECDSA_SIG_free(pair);
    return count;
}

/// Whether the signature of the message is right for the public key. The key has to be of the kind that `scheme` needs;
/// another one gives 0. Leaves no error behind.
static inline int copenssl_verify(
    EVP_PKEY *key, enum copenssl_signature scheme, const uint8_t *message, size_t message_count,
    const uint8_t *signature, size_t signature_count) {
    static const char *const types[] = {"RSA", "RSA", "EC", "ED25519"};
    uint8_t der[72];
    int is_right = 0;
    EVP_PKEY_CTX *options = NULL;  // The digest's context owns it.
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context == NULL || EVP_PKEY_is_a(key, types[scheme]) != 1) goto done;
    // As long as the modulus (RFC 8017, section 8.1.2): the library takes one of PSS without its leading zeros.
    if (scheme <= COPENSSL_PS256 && signature_count != (size_t)EVP_PKEY_get_size(key)) goto done;
    // Ed25519 hashes by itself (RFC 8032, section 5.1.7).
    const EVP_MD *digest = scheme == COPENSSL_EDDSA ? NULL : EVP_sha256();
    if (EVP_DigestVerifyInit(context, &options, digest, NULL, key) != 1) goto done;
    switch (scheme) {
    case COPENSSL_RS256:
        if (EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PADDING) != 1) goto done;
        break;
    case COPENSSL_PS256:
        // The mask's hash is SHA-256 and the salt as long as it (RFC 7518, section 3.5).
        if (EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) != 1
            || EVP_PKEY_CTX_set_rsa_mgf1_md(options, EVP_sha256()) != 1
            || EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) != 1) {
            goto done;
        }
        break;
    case COPENSSL_ES256: {
        int count = signature_count == 2 * COPENSSL_P256_BYTES ? copenssl_ecdsa_der(signature, der) : 0;
        if (count <= 0) goto done;
        signature = der;
        signature_count = (size_t)count;
        break;
    }
    case COPENSSL_EDDSA: break;
    }
    is_right = EVP_DigestVerify(context, signature, signature_count, message, message_count) == 1;
done:
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return is_right;
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

static inline int copenssl_certificate_came(X509_STORE_CTX *store, void *seen) {
    (void)store;
    *(int32_t *)seen = 1;
    return 1;
}

/// Has a client's SSL_CTX take every certificate, and note in `seen` that one came; it outlives the context's connections.
static inline void copenssl_note_certificates(void *context, int32_t *seen) {
    SSL_CTX_set_cert_verify_callback((SSL_CTX *)context, copenssl_certificate_came, seen);
}

static inline void copenssl_free_trust(X509_STORE *store) {
    X509_STORE_free(store);
}

#endif
