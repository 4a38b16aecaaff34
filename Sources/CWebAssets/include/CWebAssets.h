#ifndef CWEBASSETS_H
#define CWEBASSETS_H

#include <stddef.h>

/// A file that the server gives to browsers, in one coding.
struct callboard_asset {
    /// The path below the server's root, without the slash in front.
    const char *path;
    /// What Content-Encoding says: "identity", "br" or "gzip".
    const char *coding;
    /// What the uncompressed file is, in 16 hexadecimal digits: the beginning of its SHA-256.
    const char *digest;
    /// The content.
    const unsigned char *bytes;
    /// Its length in bytes.
    size_t count;
};

/// The form at a position; NULL behind the last. A file's forms stand one after the other.
const struct callboard_asset *callboard_asset_at(size_t position);

#endif
