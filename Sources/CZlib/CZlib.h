// zlib, for what the server writes once and sends compressed.
#ifndef CZLIB_H
#define CZLIB_H

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

/// The most bytes that so many take as gzip.
static inline size_t czlib_gzip_bound(size_t count) {
    // compressBound is for a header and trailer of 6 bytes; those of gzip have 18 (RFC 1952, section 2.3).
    return compressBound(count) + 12;
}

/// Compresses bytes as gzip into a buffer of `czlib_gzip_bound(count)` bytes, with no time and no name, so that equal bytes
/// become equal ones. Returns how many there are; 0 if there is no memory.
static inline size_t czlib_gzip(const uint8_t *bytes, size_t count, uint8_t *buffer) {
    z_stream stream = {0};
    // 15 bits of window, and 16 for gzip's header and trailer.
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)count;
    stream.next_out = buffer;
    stream.avail_out = (uInt)czlib_gzip_bound(count);
    int status = deflate(&stream, Z_FINISH);
    size_t written = stream.total_out;
    deflateEnd(&stream);
    return status == Z_STREAM_END ? written : 0;
}

#endif
