#ifndef CALLBOARD_CSIMDJSON_H
#define CALLBOARD_CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What a tape entry stands for: the low byte of `kind`.
enum {
    CALLBOARD_JSON_NULL = 0,
    CALLBOARD_JSON_FALSE = 1,
    CALLBOARD_JSON_TRUE = 2,
    CALLBOARD_JSON_NUMBER = 3,
    CALLBOARD_JSON_STRING = 4,
    CALLBOARD_JSON_ARRAY = 5,
    CALLBOARD_JSON_OBJECT = 6,
    CALLBOARD_JSON_KEY = 7,
    CALLBOARD_JSON_KIND_MASK = 0xff,
    // The string or key holds at least one escape.
    CALLBOARD_JSON_ESCAPED = 0x100,
    // The array or object has no white space between its tokens.
    CALLBOARD_JSON_MINIFIED = 0x200
};

// How a document ended.
enum {
    CALLBOARD_JSON_OK = 0,
    CALLBOARD_JSON_EMPTY,
    CALLBOARD_JSON_TOO_LONG,
    CALLBOARD_JSON_OUT_OF_MEMORY,
    CALLBOARD_JSON_NOT_UTF8,
    CALLBOARD_JSON_CONTROL_CHARACTER,
    CALLBOARD_JSON_UNCLOSED_STRING,
    CALLBOARD_JSON_UNEXPECTED_END,
    CALLBOARD_JSON_EXPECTED_VALUE,
    CALLBOARD_JSON_EXPECTED_NAME,
    CALLBOARD_JSON_EXPECTED_COLON,
    CALLBOARD_JSON_EXPECTED_COMMA_OR_BRACKET,
    CALLBOARD_JSON_EXPECTED_COMMA_OR_BRACE,
    CALLBOARD_JSON_TRAILING_CONTENT,
    CALLBOARD_JSON_BAD_NUMBER,
    CALLBOARD_JSON_BAD_LITERAL,
    CALLBOARD_JSON_BAD_ESCAPE,
    CALLBOARD_JSON_LONE_SURROGATE,
    CALLBOARD_JSON_TOO_DEEP,
    CALLBOARD_JSON_DUPLICATE_NAME
};

// One value or member name. Strings and keys span their quotes, arrays and objects their brackets.
// A key is followed by its value; a container by its children; `next` is the entry after all of that.
typedef struct {
    uint32_t kind;
    uint32_t offset;
    uint32_t length;
    uint32_t next;
} callboard_json_entry;

// The deepest nesting that a caller may ask for.
#define CALLBOARD_JSON_DEPTH_CEILING 512

// Finds the tokens of a document and checks that it is UTF-8 whose strings are closed and free of control characters.
// `bound` becomes the number of entries that a tape of it can have at most. The thread keeps what was found for
// `callboard_json_build`, which must follow on the same thread with the same bytes. Returns one of the outcomes above;
// `fault` becomes the offset of the byte that is wrong.
int32_t callboard_json_index(const uint8_t *bytes, size_t length, size_t *bound, size_t *fault);

// Checks the grammar of the whole document and writes its tape. `count` becomes the number of entries written, never
// more than `capacity`. Nothing refers to `bytes` or `entries` after the call.
int32_t callboard_json_build(
    const uint8_t *bytes, size_t length, uint32_t depth_limit,
    callboard_json_entry *entries, size_t capacity, size_t *count, size_t *fault);

// The number of bytes of working memory that this thread keeps for the next document.
size_t callboard_json_retained(void);

#ifdef __cplusplus
}
#endif

#endif
