#ifndef CALLBOARD_BUILDER_HPP
#define CALLBOARD_BUILDER_HPP

#include "CSimdJSON.h"
#include "Text.hpp"
#include "Workspace.hpp"

namespace callboard {

// Checks the grammar of a document whose tokens the workspace holds, and writes its tape.
//
// It keeps a stack of its own instead of recursing, so that hostile nesting costs no more than its limit.
class Builder {
  public:
    Builder(const uint8_t *bytes, size_t length, uint32_t depth_limit, callboard_json_entry *entries, size_t capacity)
        : bytes(bytes), length(length), entries(entries), capacity(capacity), depth_limit(depth_limit),
          starts(workspace.tokens->structural_indexes.get()), tokens(workspace.tokens->n_structural_indexes) {}

    int32_t run();
    size_t written() const { return count; }
    size_t fault() const { return fault_offset; }

  private:
    struct Frame {
        uint32_t entry;
        uint32_t gaps;
        uint32_t members;
        bool is_object;
        bool has_escaped_name;
    };

    const uint8_t *bytes;
    const size_t length;
    callboard_json_entry *entries;
    const size_t capacity;
    const uint32_t depth_limit;
    const uint32_t *starts;
    const size_t tokens;

    size_t token = 0;
    size_t count = 0;
    size_t fault_offset = 0;
    size_t previous_end = 0;
    uint32_t gaps = 0;
    uint32_t depth = 0;
    Frame frames[CALLBOARD_JSON_DEPTH_CEILING];

    int32_t fail(int32_t outcome, size_t offset) {
        fault_offset = offset;
        return outcome;
    }

    bool at_end() const { return token >= tokens; }
    uint32_t start() const { return starts[token]; }
    uint8_t byte() const { return bytes[starts[token]]; }

    // Where the token at hand ends at the latest.
    size_t limit() const { return token + 1 < tokens ? starts[token + 1] : length; }

    void advance(size_t end) {
        previous_end = end;
        token++;
        if (token < tokens && starts[token] != end) gaps++;
    }

    // A scalar has to fill its token: what follows is white space or the next token.
    bool token_ends(size_t end) const { return end == limit() || (end < limit() && is_space(bytes[end])); }

    int32_t append(uint32_t kind, size_t offset, size_t end) {
        if (count >= capacity) return fail(CALLBOARD_JSON_OUT_OF_MEMORY, offset);
        entries[count] = {kind, uint32_t(offset), uint32_t(end - offset), uint32_t(count + 1)};
        count++;
        return CALLBOARD_JSON_OK;
    }

    int32_t value();
    int32_t open(bool is_object);
    int32_t close();
    int32_t literal(uint32_t kind, const char *text, size_t text_length);
    int32_t number();
    int32_t string(uint32_t kind);
    int32_t escapes(size_t at, size_t end);
    int32_t name();
    int32_t after_value();
    int32_t check_names(const Frame &frame);
};

} // namespace callboard

#endif
