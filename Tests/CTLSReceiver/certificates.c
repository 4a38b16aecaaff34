#include "certificates.h"

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

static int add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    int is_added = extension != NULL && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return is_added;
}

static X509 *make_certificate(EVP_PKEY *key, const char *name, long from, long until) {
    X509 *certificate = X509_new();
    if (certificate == NULL || key == NULL) return certificate;
    unsigned char serial[8];
    RAND_bytes(serial, sizeof serial);
    long number = 1 + ((serial[0] << 16) | (serial[1] << 8) | serial[2]);
    X509_set_version(certificate, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), number);
    X509_gmtime_adj(X509_getm_notBefore(certificate), from);
    X509_gmtime_adj(X509_getm_notAfter(certificate), until);
    X509_NAME_add_entry_by_txt(
        X509_get_subject_name(certificate), "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1, 0);
    X509_set_pubkey(certificate, key);
    return certificate;
}

static struct identity finished(struct identity identity, int is_complete, EVP_PKEY *signer) {
    if (is_complete && X509_sign(identity.certificate, signer, EVP_sha256()) > 0) return identity;
    free_identity(identity);
    return (struct identity){NULL, NULL};
}

struct identity make_authority(void) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    struct identity authority = {make_certificate(key, "Test authority", -3600, 86400), key};
    X509 *certificate = authority.certificate;
    if (key == NULL || certificate == NULL) return finished(authority, 0, NULL);
    X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
    int is_complete = add_extension(certificate, certificate, NID_basic_constraints, "critical,CA:TRUE")
        && add_extension(certificate, certificate, NID_key_usage, "critical,keyCertSign");
    return finished(authority, is_complete, key);
}

struct identity make_server(struct identity authority, const char *name, int is_expired) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    struct identity server = {
        make_certificate(key, "Test receiver", -7200, is_expired ? -3600 : 86400), key};
    if (key == NULL || server.certificate == NULL || authority.certificate == NULL) return finished(server, 0, NULL);
    X509_set_issuer_name(server.certificate, X509_get_subject_name(authority.certificate));
    int is_complete = add_extension(server.certificate, authority.certificate, NID_subject_alt_name, name);
    return finished(server, is_complete, authority.key);
}

void free_identity(struct identity identity) {
    X509_free(identity.certificate);
    EVP_PKEY_free(identity.key);
}
