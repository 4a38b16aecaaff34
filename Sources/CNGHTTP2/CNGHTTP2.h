// libnghttp2, with what only some of its releases have, and with its codes as numbers of one type.
#ifndef CNGHTTP2_H
#define CNGHTTP2_H

// The release that is expected has no other way to receive and send than the functions with ssize_t.
#include <nghttp2/nghttp2.h>
#include <stddef.h>
#include <stdint.h>

#if NGHTTP2_VERSION_NUM < 0x013200
#error "Callboard needs nghttp2 1.50 or later (extensible priorities): Debian 12, Ubuntu 24.04, or one that came after"
#endif

// Debian and Ubuntu added these two to earlier releases with their security updates: they are called where they are.
extern void nghttp2_option_set_stream_reset_rate_limit(nghttp2_option *option, uint64_t burst, uint64_t rate)
    __attribute__((weak));
extern void nghttp2_option_set_max_continuations(nghttp2_option *option, size_t value) __attribute__((weak));

/// Leaves the counting of resets and of CONTINUATION frames to the caller. nghttp2 counts a CONTINUATION frame each time
/// that a part of its header arrives, so that its bound would cut a client whose bytes come in small pieces.
static inline void cnghttp2_lift_own_limits(nghttp2_option *option) {
    if (nghttp2_option_set_stream_reset_rate_limit != NULL)
        nghttp2_option_set_stream_reset_rate_limit(option, UINT64_MAX, UINT64_MAX);
    if (nghttp2_option_set_max_continuations != NULL) nghttp2_option_set_max_continuations(option, SIZE_MAX);
}

/// Sends bytes that the source of a stream named by `slot` gives to the callback.
static inline nghttp2_data_provider cnghttp2_provider(int slot, nghttp2_data_source_read_callback callback) {
    nghttp2_data_provider provider;
    provider.source.fd = slot;
    provider.read_callback = callback;
    return provider;
}

// What callbacks return, and what frames hold, as they are compared.
enum {
    CNGHTTP2_DEFERRED = NGHTTP2_ERR_DEFERRED,
    CNGHTTP2_CANCEL = NGHTTP2_ERR_CANCEL,
    CNGHTTP2_PAUSE = NGHTTP2_ERR_PAUSE,
    CNGHTTP2_CALLBACK_FAILURE = NGHTTP2_ERR_CALLBACK_FAILURE,
    CNGHTTP2_TEMPORAL_FAILURE = NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE,
    CNGHTTP2_BAD_PREFACE = NGHTTP2_ERR_BAD_CLIENT_MAGIC,
    CNGHTTP2_FLOODED = NGHTTP2_ERR_FLOODED,
    CNGHTTP2_NO_MEMORY = NGHTTP2_ERR_NOMEM,
};

static const uint32_t CNGHTTP2_DATA_END = NGHTTP2_DATA_FLAG_EOF;
static const uint32_t CNGHTTP2_DATA_NO_COPY = NGHTTP2_DATA_FLAG_NO_COPY;
static const uint8_t CNGHTTP2_NV_STATIC_NAME = NGHTTP2_NV_FLAG_NO_COPY_NAME;

#endif
