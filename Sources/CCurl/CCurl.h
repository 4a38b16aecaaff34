// libcurl without its variadic functions, which Swift cannot call: one inline function for each kind of argument. And its
// values by names of our own: one release has them as enumerations, the next one as macros, and Swift sees another type.
#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>
#include <stdint.h>
#include <sys/socket.h>

#if LIBCURL_VERSION_NUM < 0x075500
#error "Callboard needs libcurl 7.85 or later (CURLOPT_PROTOCOLS_STR): Debian 12, Ubuntu 24.04, or one that came after"
#endif

// Values of options and information, which libcurl takes and gives as a long.
enum {
    CCURL_NETRC_IGNORED = CURL_NETRC_IGNORED,
    CCURL_HTTP_VERSION_1_1 = CURL_HTTP_VERSION_1_1,
    CCURL_HTTP_VERSION_2_0 = CURL_HTTP_VERSION_2_0,
    CCURL_HTTP_VERSION_2TLS = CURL_HTTP_VERSION_2TLS,
    CCURL_ERROR_SIZE = CURL_ERROR_SIZE,
};

// What callbacks and functions take and give as an int, or as a socket's number.
static const curl_socket_t CCURL_SOCKET_BAD = CURL_SOCKET_BAD;
static const curl_socket_t CCURL_SOCKET_TIMEOUT = CURL_SOCKET_TIMEOUT;
static const int CCURL_POLL_IN = CURL_POLL_IN;
static const int CCURL_POLL_OUT = CURL_POLL_OUT;
static const int CCURL_POLL_REMOVE = CURL_POLL_REMOVE;
static const int CCURL_CSELECT_IN = CURL_CSELECT_IN;
static const int CCURL_CSELECT_OUT = CURL_CSELECT_OUT;
static const int CCURL_PAUSE_NONE = CURLPAUSE_CONT;
// What a callback for data returns to be called again with the same bytes after `curl_easy_pause`.
static const size_t CCURL_WRITE_PAUSE = CURL_WRITEFUNC_PAUSE;
// What a callback before a request returns.
static const int CCURL_SEND = CURL_PREREQFUNC_OK;
static const int CCURL_SEND_NOT = CURL_PREREQFUNC_ABORT;
// What a callback returns that is to go to a place in a request's content.
static const int CCURL_SEEK_DONE = CURL_SEEKFUNC_OK;
static const int CCURL_SEEK_FAILED = CURL_SEEKFUNC_FAIL;

static inline CURLcode ccurl_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

static inline const curl_version_info_data *ccurl_version(void) {
    return curl_version_info(CURLVERSION_NOW);
}

// Easy handles.

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, int64_t value) {
    return curl_easy_setopt(easy, option, (curl_off_t)value);
}

/// libcurl copies the text, except for `CURLOPT_POSTFIELDS`.
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

/// For `CURLOPT_COPYPOSTFIELDS`: libcurl copies the bytes during the call.
static inline CURLcode ccurl_set_body(CURL *easy, const void *bytes, int64_t count) {
    CURLcode result = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return result == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes) : result;
}

/// For options that take bytes, such as `CURLOPT_CAINFO_BLOB`: libcurl copies them during the call.
static inline CURLcode ccurl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &blob);
}

typedef size_t (*ccurl_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_seek_callback)(void *context, curl_off_t offset, int origin);
typedef curl_socket_t (*ccurl_open_callback)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*ccurl_close_callback)(void *context, curl_socket_t socket);
typedef int (*ccurl_send_callback)(void *context, char *address, char *own_address, int port, int own_port);
typedef CURLcode (*ccurl_tls_callback)(CURL *easy, void *tls, void *context);

/// For `CURLOPT_WRITEFUNCTION` and `CURLOPT_HEADERFUNCTION`.
static inline CURLcode ccurl_set_data_callback(CURL *easy, CURLoption option, ccurl_data_callback callback) {
    return curl_easy_setopt(easy, option, callback);
}

/// For a body of which libcurl asks for one part after the other, and for a place to go on from where it sends it again.
static inline CURLcode ccurl_set_body_source(CURL *easy, int64_t count, ccurl_data_callback read, ccurl_seek_callback seek,
                                             void *context) {
    CURLcode results[] = {
        curl_easy_setopt(easy, CURLOPT_POST, 1L),
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count),
        curl_easy_setopt(easy, CURLOPT_READFUNCTION, read),
        curl_easy_setopt(easy, CURLOPT_READDATA, context),
        curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, seek),
        curl_easy_setopt(easy, CURLOPT_SEEKDATA, context),
    };
    for (size_t place = 0; place < sizeof results / sizeof *results; place++) {
        if (results[place] != CURLE_OK) return results[place];
    }
    return CURLE_OK;
}

static inline CURLcode ccurl_set_open_callback(CURL *easy, ccurl_open_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}

static inline CURLcode ccurl_set_close_callback(CURL *easy, ccurl_close_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callback);
}

/// For `CURLOPT_PREREQFUNCTION`: called before a request is sent on a connection, also when libcurl sends it again.
static inline CURLcode ccurl_set_send_callback(CURL *easy, ccurl_send_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}

static inline CURLcode ccurl_set_tls_callback(CURL *easy, ccurl_tls_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, callback);
}

static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_pointer(CURL *easy, CURLINFO info, char **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, int64_t *value) {
    curl_off_t offset = 0;
    CURLcode result = curl_easy_getinfo(easy, info, &offset);
    *value = (int64_t)offset;
    return result;
}

/// The address that a connection is to be made to, in the kernel's form; `addrlen` bytes of it.
static inline const void *ccurl_address(const struct curl_sockaddr *address) {
    return &address->addr;
}

/// A socket for that address, close-on-exec and non-blocking; -1 and `errno` where there is none.
static inline curl_socket_t ccurl_open_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address->protocol);
}

// Multi handles.

typedef int (*ccurl_socket_callback)(CURL *easy, curl_socket_t socket, int what, void *context, void *socket_context);
typedef int (*ccurl_timer_callback)(CURLM *multi, long milliseconds, void *context);

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode ccurl_multi_set_socket_callback(CURLM *multi, ccurl_socket_callback callback, void *context) {
    CURLMcode result = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
    return result == CURLM_OK ? curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context) : result;
}

static inline CURLMcode ccurl_multi_set_timer_callback(CURLM *multi, ccurl_timer_callback callback, void *context) {
    CURLMcode result = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
    return result == CURLM_OK ? curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context) : result;
}

/// Takes the next transfer that has ended; returns its easy handle, or NULL where there is none.
static inline CURL *ccurl_multi_next_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

#endif
