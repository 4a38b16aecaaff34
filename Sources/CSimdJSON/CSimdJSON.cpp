#include "CSimdJSON.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

// simdjson's first stage does what SIMD is good at: it validates UTF-8, tells strings from the rest, refuses control
// characters in them and indexes where each token starts, with the kernel that fits the processor at run time. Its
// second stages want padded input and turn numbers into doubles, so the grammar is checked here: numbers stay text,
// and every byte of the document is vouched for before the first one is used.

namespace {

// What a thread keeps between documents at most: 4 bytes of index for each byte of document.
constexpr size_t retained_capacity = 128 * 1024;
constexpr size_t smallest_capacity = 4 * 1024;
constexpr size_t retained_names = 8 * 1024;

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

struct Workspace {
    std::unique_ptr<simdjson::internal::dom_parser_implementation> tokens;
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

thread_local Workspace workspace;

bool is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

int hex_digit(uint8_t byte) {
    if (is_digit(byte)) return byte - '0';
    if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
    if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
    return -1;
}

// The code unit written by four hexadecimal digits, or -1.
int32_t code_unit(const uint8_t *at, const uint8_t *end) {
    if (end - at < 4) return -1;
    int32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(at[i]);
        if (digit < 0) return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

void append_utf8(std::string &text, uint32_t scalar) {
    if (scalar < 0x80) {
        text.push_back(char(scalar));
    } else if (scalar < 0x800) {
        text.push_back(char(0xc0 | scalar >> 6));
        text.push_back(char(0x80 | (scalar & 0x3f)));
    } else if (scalar < 0x10000) {
        text.push_back(char(0xe0 | scalar >> 12));
        text.push_back(char(0x80 | (scalar >> 6 & 0x3f)));
        text.push_back(char(0x80 | (scalar & 0x3f)));
    } else {
        text.push_back(char(0xf0 | scalar >> 18));
        text.push_back(char(0x80 | (scalar >> 12 & 0x3f)));
        text.push_back(char(0x80 | (scalar >> 6 & 0x3f)));
        text.push_back(char(0x80 | (scalar & 0x3f)));
    }
}

// Appends what a checked string stands for.
void append_unescaped(std::string &text, const uint8_t *at, const uint8_t *end) {
    while (at < end) {
        if (*at != '\\') {
            text.push_back(char(*at++));
            continue;
        }
        uint8_t escape = at[1];
        at += 2;
        switch (escape) {
        case 'b': text.push_back('\b'); break;
        case 'f': text.push_back('\f'); break;
        case 'n': text.push_back('\n'); break;
        case 'r': text.push_back('\r'); break;
        case 't': text.push_back('\t'); break;
        case 'u': {
            uint32_t unit = uint32_t(code_unit(at, end));
            at += 4;
            if (unit >= 0xd800 && unit < 0xdc00) {
                uint32_t low = uint32_t(code_unit(at + 2, end));
                at += 6;
                unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            }
            append_utf8(text, unit);
            break;
        }
        default: text.push_back(char(escape));
        }
    }
}

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

int32_t Builder::literal(uint32_t kind, const char *text, size_t text_length) {
    size_t at = start();
    if (length - at < text_length || std::memcmp(bytes + at, text, text_length) != 0 || !token_ends(at + text_length)) {
        return fail(CALLBOARD_JSON_BAD_LITERAL, at);
    }
    if (int32_t outcome = append(kind, at, at + text_length)) return outcome;
    advance(at + text_length);
    return CALLBOARD_JSON_OK;
}

int32_t Builder::number() {
    const size_t begin = start(), end = limit();
    size_t at = begin;
    auto digits = [&] {
        size_t first = at;
        while (at < end && is_digit(bytes[at])) at++;
        return at > first;
    };
    if (bytes[at] == '-') at++;
    if (at < end && bytes[at] == '0') {
        at++;
    } else if (!digits()) {
        return fail(CALLBOARD_JSON_BAD_NUMBER, begin);
    }
    if (at < end && bytes[at] == '.') {
        at++;
        if (!digits()) return fail(CALLBOARD_JSON_BAD_NUMBER, begin);
    }
    if (at < end && (bytes[at] == 'e' || bytes[at] == 'E')) {
        at++;
        if (at < end && (bytes[at] == '+' || bytes[at] == '-')) at++;
        if (!digits()) return fail(CALLBOARD_JSON_BAD_NUMBER, begin);
    }
    if (!token_ends(at)) return fail(CALLBOARD_JSON_BAD_NUMBER, begin);
    if (int32_t outcome = append(CALLBOARD_JSON_NUMBER, begin, at)) return outcome;
    advance(at);
    return CALLBOARD_JSON_OK;
}

// Checks the escapes of a string whose content ends at `end`.
int32_t Builder::escapes(size_t at, size_t end) {
    while (true) {
        const void *found = std::memchr(bytes + at, '\\', end - at);
        if (!found) return CALLBOARD_JSON_OK;
        at = size_t(static_cast<const uint8_t *>(found) - bytes);
        if (end - at < 2) return fail(CALLBOARD_JSON_BAD_ESCAPE, at);
        switch (bytes[at + 1]) {
        case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
            at += 2;
            continue;
        case 'u':
            break;
        default:
            return fail(CALLBOARD_JSON_BAD_ESCAPE, at);
        }
        int32_t unit = code_unit(bytes + at + 2, bytes + end);
        if (unit < 0) return fail(CALLBOARD_JSON_BAD_ESCAPE, at);
        if (unit < 0xd800 || unit > 0xdfff) {
            at += 6;
            continue;
        }
        bool has_low = unit < 0xdc00 && end - at >= 12 && bytes[at + 6] == '\\' && bytes[at + 7] == 'u';
        int32_t low = has_low ? code_unit(bytes + at + 8, bytes + end) : -1;
        if (low < 0xdc00 || low > 0xdfff) return fail(CALLBOARD_JSON_LONE_SURROGATE, at);
        at += 12;
    }
}

int32_t Builder::string(uint32_t kind) {
    const size_t begin = start();
    size_t end = limit();
    while (end > begin + 1 && is_space(bytes[end - 1])) end--;
    if (end < begin + 2 || bytes[end - 1] != '"') return fail(CALLBOARD_JSON_UNCLOSED_STRING, begin);
    if (std::memchr(bytes + begin + 1, '\\', end - begin - 2)) {
        if (int32_t outcome = escapes(begin + 1, end - 1)) return outcome;
        kind |= CALLBOARD_JSON_ESCAPED;
    }
    if (int32_t outcome = append(kind, begin, end)) return outcome;
    advance(end);
    return CALLBOARD_JSON_OK;
}

int32_t Builder::name() {
    if (at_end()) return fail(CALLBOARD_JSON_UNEXPECTED_END, length);
    if (byte() != '"') return fail(CALLBOARD_JSON_EXPECTED_NAME, start());
    Frame &frame = frames[depth - 1];
    if (int32_t outcome = string(CALLBOARD_JSON_KEY)) return outcome;
    frame.members++;
    if (entries[count - 1].kind & CALLBOARD_JSON_ESCAPED) frame.has_escaped_name = true;
    if (at_end()) return fail(CALLBOARD_JSON_UNEXPECTED_END, length);
    if (byte() != ':') return fail(CALLBOARD_JSON_EXPECTED_COLON, start());
    advance(start() + 1);
    return CALLBOARD_JSON_OK;
}

int32_t Builder::open(bool is_object) {
    if (depth >= depth_limit) return fail(CALLBOARD_JSON_TOO_DEEP, start());
    frames[depth++] = {uint32_t(count), gaps, 0, is_object, false};
    size_t at = start();
    if (int32_t outcome = append(is_object ? CALLBOARD_JSON_OBJECT : CALLBOARD_JSON_ARRAY, at, at + 1)) return outcome;
    advance(at + 1);
    return CALLBOARD_JSON_OK;
}

// Settles the container that ends at the bracket at hand.
int32_t Builder::close() {
    const Frame &frame = frames[depth - 1];
    callboard_json_entry &entry = entries[frame.entry];
    const size_t end = start() + 1;
    entry.length = uint32_t(end - entry.offset);
    entry.next = uint32_t(count);
    if (gaps == frame.gaps) entry.kind |= CALLBOARD_JSON_MINIFIED;
    if (frame.members > 1) {
        if (int32_t outcome = check_names(frame)) return outcome;
    }
    depth--;
    advance(end);
    return CALLBOARD_JSON_OK;
}

// Refuses an object that has a member twice. Few members are compared pair by pair, many are sorted.
int32_t Builder::check_names(const Frame &frame) {
    auto &names = workspace.names;
    auto &unescaped = workspace.unescaped;
    names.clear();
    unescaped.clear();
    // The text must not move while names point into it: what is unescaped is never longer than its source.
    if (frame.has_escaped_name) unescaped.reserve(entries[frame.entry].length);
    for (size_t key = frame.entry + 1; key < count; key = entries[key + 1].next) {
        const uint8_t *content = bytes + entries[key].offset + 1;
        uint32_t size = entries[key].length - 2;
        const char *data = reinterpret_cast<const char *>(content);
        if (entries[key].kind & CALLBOARD_JSON_ESCAPED) {
            size_t before = unescaped.size();
            append_unescaped(unescaped, content, content + size);
            data = unescaped.data() + before;
            size = uint32_t(unescaped.size() - before);
        }
        names.push_back({data, size, entries[key].offset});
    }
    if (names.size() <= 8) {
        for (size_t i = 1; i < names.size(); i++) {
            for (size_t j = 0; j < i; j++) {
                if (names[i] == names[j]) return fail(CALLBOARD_JSON_DUPLICATE_NAME, names[i].offset);
            }
        }
        return CALLBOARD_JSON_OK;
    }
    std::sort(names.begin(), names.end());
    auto twin = std::adjacent_find(names.begin(), names.end());
    if (twin != names.end()) return fail(CALLBOARD_JSON_DUPLICATE_NAME, (twin + 1)->offset);
    return CALLBOARD_JSON_OK;
}

int32_t Builder::value() {
    if (at_end()) return fail(CALLBOARD_JSON_UNEXPECTED_END, length);
    switch (byte()) {
    case '{': return open(true);
    case '[': return open(false);
    case '"': return string(CALLBOARD_JSON_STRING);
    case 't': return literal(CALLBOARD_JSON_TRUE, "true", 4);
    case 'f': return literal(CALLBOARD_JSON_FALSE, "false", 5);
    case 'n': return literal(CALLBOARD_JSON_NULL, "null", 4);
    case '-': case '0': case '1': case '2': case '3': case '4':
    case '5': case '6': case '7': case '8': case '9': return number();
    default: return fail(CALLBOARD_JSON_EXPECTED_VALUE, start());
    }
}

// Goes from a finished value to the next one's place: over a comma and, in an object, a name.
int32_t Builder::after_value() {
    const Frame &frame = frames[depth - 1];
    if (at_end()) return fail(CALLBOARD_JSON_UNEXPECTED_END, length);
    if (byte() != ',') {
        return fail(
            frame.is_object ? CALLBOARD_JSON_EXPECTED_COMMA_OR_BRACE : CALLBOARD_JSON_EXPECTED_COMMA_OR_BRACKET,
            start());
    }
    advance(start() + 1);
    return frame.is_object ? name() : CALLBOARD_JSON_OK;
}

int32_t Builder::run() {
    while (true) {
        const uint32_t depth_before = depth;
        if (int32_t outcome = value()) return outcome;
        bool is_empty = depth > depth_before;
        // Close what ends here; an opened container that has content goes on with its first value instead.
        while (depth > 0) {
            const bool is_object = frames[depth - 1].is_object;
            if (!at_end() && byte() == (is_object ? '}' : ']')) {
                if (int32_t outcome = close()) return outcome;
                is_empty = false;
                continue;
            }
            int32_t outcome = is_empty ? (is_object ? name() : CALLBOARD_JSON_OK) : after_value();
            if (outcome) return outcome;
            break;
        }
        if (depth == 0) break;
    }
    return at_end() ? CALLBOARD_JSON_OK : fail(CALLBOARD_JSON_TRAILING_CONTENT, start());
}

// Finds the byte that simdjson's first stage has refused without saying where it is.
size_t find_control_character(const uint8_t *bytes, size_t length) {
    bool in_string = false;
    for (size_t at = 0; at < length; at++) {
        if (in_string && bytes[at] < 0x20) return at;
        if (bytes[at] == '\\') at++;
        else if (bytes[at] == '"') in_string = !in_string;
    }
    return length;
}

size_t find_invalid_utf8(const uint8_t *bytes, size_t length) {
    // The longest valid prefix, found by halving: a prefix that is cut inside a character counts as valid.
    size_t valid = 0, invalid = length;
    auto is_valid = [&](size_t end) {
        while (end > 0 && (bytes[end - 1] & 0xc0) == 0x80) end--;
        if (end > 0 && bytes[end - 1] >= 0xc0) end--;
        return simdjson::validate_utf8(reinterpret_cast<const char *>(bytes), end);
    };
    while (valid < invalid) {
        size_t middle = valid + (invalid - valid + 1) / 2;
        if (is_valid(middle)) valid = middle;
        else invalid = middle - 1;
    }
    while (valid > 0 && (valid >= length || (bytes[valid] & 0xc0) == 0x80)) valid--;
    return valid;
}

} // namespace

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
