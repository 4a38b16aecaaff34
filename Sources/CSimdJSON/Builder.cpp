#include "Builder.hpp"

#include <algorithm>
#include <cstring>

namespace callboard {

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

} // namespace callboard
