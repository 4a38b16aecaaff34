#ifndef CALLBOARD_WORKSPACE_HPP
#define CALLBOARD_WORKSPACE_HPP

#include "SimdJSONInternals.hpp"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace callboard {

// What a thread keeps between documents at most: 4 bytes of index for each byte of document.
constexpr size_t retained_capacity = 128 * 1024;
constexpr size_t smallest_capacity = 4 * 1024;
constexpr size_t retained_names = 8 * 1024;

// A member's name with its escapes resolved, and where it stands.
struct Name {
    const char *data;
    uint32_t length;
    uint32_t offset;

    bool operator==(const Name &other) const {
        return length == other.length && std::memcmp(data, other.data, length) == 0;
    }

    bool operator<(const Name &other) const {
        if (length != other.length) return length < other.length;
        int order = std::memcmp(data, other.data, length);
        return order != 0 ? order < 0 : offset < other.offset;
    }
};

// The memory that reading a document needs besides its tape.
struct Workspace {
    std::unique_ptr<Tokens> tokens;
    std::vector<Name> names;
    std::string unescaped;

    bool reserve(size_t length) {
        if (tokens && tokens->capacity() >= length) return true;
        size_t capacity = smallest_capacity;
        while (capacity < length) capacity *= 2;
        tokens.reset();
        auto error = simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1, tokens);
        if (error) tokens.reset();
        return !error;
    }

    void trim() {
        if (tokens && tokens->capacity() > retained_capacity) tokens.reset();
        if (names.capacity() > retained_names) std::vector<Name>().swap(names);
        if (unescaped.capacity() > retained_capacity) std::string().swap(unescaped);
    }
};

// Each thread's own, so that nothing is shared or locked.
inline thread_local Workspace workspace;

} // namespace callboard

#endif
