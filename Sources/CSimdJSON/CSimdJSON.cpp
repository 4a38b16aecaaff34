#include "CSimdJSON.h"

#include "Builder.hpp"
#include "Text.hpp"
#include "Workspace.hpp"

// simdjson's first stage does what SIMD is good at: it validates UTF-8, tells strings from the rest, refuses control
// characters in them and indexes where each token starts, with the kernel that fits the processor at run time. Its
// second stages want padded input and turn numbers into doubles, so the grammar is checked here: numbers stay text,
// and every byte of the document is vouched for before the first one is used.

using namespace callboard;

extern "C" int32_t callboard_json_index(const uint8_t *bytes, size_t length, size_t *bound, size_t *fault) {
    *bound = 0;
    *fault = 0;
    if (length == 0) return CALLBOARD_JSON_EMPTY;
    if (length > INT32_MAX) return CALLBOARD_JSON_TOO_LONG;
    try {
        if (!workspace.reserve(length)) return CALLBOARD_JSON_OUT_OF_MEMORY;
        switch (workspace.tokens->stage1(bytes, length, simdjson::stage1_mode::regular)) {
        case simdjson::SUCCESS:
            *bound = workspace.tokens->n_structural_indexes;
            return CALLBOARD_JSON_OK;
        case simdjson::EMPTY:
            return CALLBOARD_JSON_EMPTY;
        case simdjson::UTF8_ERROR:
            *fault = find_invalid_utf8(bytes, length);
            return CALLBOARD_JSON_NOT_UTF8;
        case simdjson::UNESCAPED_CHARS:
            *fault = find_control_character(bytes, length);
            return CALLBOARD_JSON_CONTROL_CHARACTER;
        case simdjson::UNCLOSED_STRING:
            *fault = length;
            return CALLBOARD_JSON_UNCLOSED_STRING;
        default:
            return CALLBOARD_JSON_OUT_OF_MEMORY;
        }
    } catch (...) {
        return CALLBOARD_JSON_OUT_OF_MEMORY;
    }
}

extern "C" int32_t callboard_json_build(
    const uint8_t *bytes, size_t length, uint32_t depth_limit,
    callboard_json_entry *entries, size_t capacity, size_t *count, size_t *fault) {
    *count = 0;
    *fault = 0;
    if (!workspace.tokens || depth_limit > CALLBOARD_JSON_DEPTH_CEILING) return CALLBOARD_JSON_OUT_OF_MEMORY;
    try {
        Builder builder(bytes, length, depth_limit, entries, capacity);
        int32_t outcome = builder.run();
        *count = outcome == CALLBOARD_JSON_OK ? builder.written() : 0;
        *fault = builder.fault();
        workspace.trim();
        return outcome;
    } catch (...) {
        workspace.trim();
        return CALLBOARD_JSON_OUT_OF_MEMORY;
    }
}

extern "C" size_t callboard_json_retained(void) {
    size_t index = workspace.tokens ? workspace.tokens->capacity() * sizeof(uint32_t) : 0;
    return index + workspace.names.capacity() * sizeof(Name) + workspace.unescaped.capacity();
}
