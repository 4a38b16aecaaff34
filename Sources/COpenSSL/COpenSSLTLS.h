// What TLSEngine needs of OpenSSL's macros, which Swift does not see, as inline functions.
#ifndef COPENSSL_TLS_H
#define COPENSSL_TLS_H

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stddef.h>
#include <stdint.h>

// Contexts

/// Allows the versions between two (TLS1_2_VERSION and so on); returns whether the library has them.
static inline int copenssl_set_versions(SSL_CTX *context, int lowest, int highest) {
    return SSL_CTX_set_min_proto_version(context, lowest) == 1 && SSL_CTX_set_max_proto_version(context, highest) == 1;
}

/// Has a server choose the cipher, except for a client that puts ChaCha20 first because it has no AES instructions.
/// Refuses renegotiation and compression.
static inline void copenssl_set_server_options(SSL_CTX *context) {
    SSL_CTX_set_options(context,
        SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
}

/// Keeps no session in memory, and no record buffers in connections that have nothing under way.
static inline void copenssl_set_small_memory(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
}

/// Sets the groups of the key exchange; returns 0 where the library does not know all of them.
static inline int copenssl_set_groups(SSL_CTX *context, const char *names) {
    return SSL_CTX_set1_groups_list(context, names) == 1;
}

/// Adds a certificate that is sent after the server's own; the context gets a reference of its own.
static inline int copenssl_add_chain(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate) == 1;
}

/// Has the callback see the name that a client asks for.
static inline void copenssl_set_name_callback(
    SSL_CTX *context, int (*callback)(SSL *tls, int *alert, void *argument), void *argument) {
    SSL_CTX_set_tlsext_servername_callback(context, callback);
    SSL_CTX_set_tlsext_servername_arg(context, argument);
}

/// Has a client ask for a name; returns whether it could.
static inline int copenssl_ask_for_name(SSL *tls, const char *name) {
    return SSL_set_tlsext_host_name(tls, name) == 1;
}

// Session tickets

/// Prepares to seal (`seals`) or to open a ticket: AES-256-CBC with HMAC-SHA-256 (RFC 5077, section 4), keys of 32 bytes
/// each and a vector of 16. Returns whether it could.
static inline int copenssl_use_ticket_key(
    EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *code, const uint8_t *cipher_key, uint8_t *code_key, const uint8_t *vector,
    int seals) {
    char digest[] = "SHA256";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, code_key, 32),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(code, parameters) == 1
        && EVP_CipherInit_ex(cipher, EVP_aes_256_cbc(), NULL, cipher_key, vector, seals) == 1;
}

// Bytes in and out

/// Tells the library that it may ask again when more bytes have come.
static inline void copenssl_retry_read(BIO *bio) {
    BIO_set_retry_read(bio);
}

/// Takes that back.
static inline void copenssl_clear_retry(BIO *bio) {
    BIO_clear_retry_flags(bio);
}

// Errors

/// The reason of an error, one of SSL_R_ and the like.
static inline int copenssl_reason(unsigned long error) {
    return ERR_GET_REASON(error);
}

/// The part of the library that an error comes from, one of ERR_LIB_.
static inline int copenssl_library(unsigned long error) {
    return ERR_GET_LIB(error);
}

/// Whether an error is the library's own, not the peer's.
static inline int copenssl_is_internal(unsigned long error) {
    int reason = ERR_GET_REASON(error);
    return reason == ERR_R_MALLOC_FAILURE || reason == ERR_R_INTERNAL_ERROR;
}

// Certificates

/// Makes an empty list of certificates; NULL where there is no memory for it.
static inline STACK_OF(X509) *copenssl_certificate_stack(void) {
    return sk_X509_new_null();
}

/// Adds a certificate to the list, which gets no reference of its own.
static inline void copenssl_push_certificate(STACK_OF(X509) *list, X509 *certificate) {
    sk_X509_push(list, certificate);
}

/// Frees the list, and none of its certificates.
static inline void copenssl_free_certificate_stack(STACK_OF(X509) *list) {
    sk_X509_free(list);
}

/// Makes a private key on the curve P-256; NULL where that fails.
static inline EVP_PKEY *copenssl_make_p256_key(void) {
    return EVP_EC_gen("P-256");
}

/// Adds an extension (RFC 5280, section 4.2), written as in OpenSSL's x509v3_config(5); returns whether it could.
static inline int copenssl_add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509V3_set_ctx_nodb(&context);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    int is_added = extension != NULL && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return is_added;
}

/// Writes the subject in one line (RFC 2253).
static inline void copenssl_print_subject(BIO *stream, const X509 *certificate) {
    X509_NAME_print_ex(stream, X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
}

/// The certificate's subject alternative names, to be freed with copenssl_free_names; NULL where it has none.
static inline GENERAL_NAMES *copenssl_names(const X509 *certificate) {
    return (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}

static inline int copenssl_name_count(const GENERAL_NAMES *names) {
    return sk_GENERAL_NAME_num(names);
}

/// The bytes of a name and its type (GEN_DNS, GEN_URI, GEN_EMAIL, GEN_IPADD); NULL for a name of another type.
static inline const uint8_t *copenssl_name(const GENERAL_NAMES *names, int index, int *type, int *count) {
    const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
    *type = name->type;
    const ASN1_STRING *text = NULL;
    switch (name->type) {
    case GEN_DNS: text = name->d.dNSName; break;
    case GEN_URI: text = name->d.uniformResourceIdentifier; break;
    case GEN_EMAIL: text = name->d.rfc822Name; break;
    case GEN_IPADD: text = name->d.iPAddress; break;
    default: return NULL;
    }
    *count = ASN1_STRING_length(text);
    return ASN1_STRING_get0_data(text);
}

static inline void copenssl_free_names(GENERAL_NAMES *names) {
    GENERAL_NAMES_free(names);
}

#endif
