#ifndef CALLBOARD_TEXT_HPP
#define CALLBOARD_TEXT_HPP

#include <cstddef>
#include <cstdint>
#include <string>

namespace callboard {

inline bool is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

inline bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

inline int hex_digit(uint8_t byte) {
    if (is_digit(byte)) return byte - '0';
    if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
    if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
    return -1;
}

// The code unit written by four hexadecimal digits, or -1.
inline int32_t code_unit(const uint8_t *at, const uint8_t *end) {
    if (end - at < 4) return -1;
    int32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(at[i]);
        if (digit < 0) return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

inline void append_utf8(std::string &text, uint32_t scalar) {
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
inline void append_unescaped(std::string &text, const uint8_t *at, const uint8_t *end) {
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

// simdjson's first stage refuses a byte without saying where it is; these find it.

inline size_t find_control_character(const uint8_t *bytes, size_t length) {
    bool in_string = false;
    for (size_t at = 0; at < length; at++) {
        if (in_string && bytes[at] < 0x20) return at;
        if (bytes[at] == '\\') at++;
        else if (bytes[at] == '"') in_string = !in_string;
    }
    return length;
}

// The length of the well-formed UTF-8 sequence that begins here (RFC 3629, section 4), zero where there is none.
inline size_t utf8_length(const uint8_t *at, size_t left) {
    auto continues = [&](size_t count) {
        if (left <= count) return false;
        for (size_t i = 1; i <= count; i++) {
            if ((at[i] & 0xc0) != 0x80) return false;
        }
        return true;
    };
    const uint8_t first = at[0];
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first <= 0xdf) return continues(1) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef) {
        if (!continues(2)) return 0;
        bool is_overlong = first == 0xe0 && at[1] < 0xa0;
        bool is_surrogate = first == 0xed && at[1] >= 0xa0;
        return is_overlong || is_surrogate ? 0 : 3;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        if (!continues(3)) return 0;
        bool is_overlong = first == 0xf0 && at[1] < 0x90;
        bool is_too_large = first == 0xf4 && at[1] >= 0x90;
        return is_overlong || is_too_large ? 0 : 4;
    }
    return 0;
}

inline size_t find_invalid_utf8(const uint8_t *bytes, size_t length) {
    size_t at = 0;
    while (at < length) {
        size_t sequence = utf8_length(bytes + at, length - at);
        if (sequence == 0) break;
        at += sequence;
    }
    return at;
}

} // namespace callboard

#endif
