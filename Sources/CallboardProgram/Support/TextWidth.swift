/// How text stands in a terminal, where some characters take two columns and some none.
enum TextWidth {
    /// The columns that a character takes, as most terminals draw it.
    static func columns(of character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF,
            0x20000...0x3FFFD:
            return 2
        case 0x300...0x36F, 0x200B...0x200F: return 0
        default: return 1
        }
    }

    /// The columns that a text takes.
    static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

    /// The text, printable and cut to so many columns, with an ellipsis where something was cut off.
    static func fit(_ text: String, _ width: Int) -> String {
        let text = printable(text)
        guard columns(of: text) > width else { return text }
        guard width > 0 else { return "" }
        var fitted = ""
        var used = 1
        for character in text {
            let columns = columns(of: character)
            guard used + columns <= width else { break }
            fitted.append(character)
            used += columns
        }
        return fitted + "…"
    }

    /// The text without anything that a terminal would act on: a list's content must not move the cursor.
    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var printable = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { printable.append(isControl(scalar) ? "\u{FFFD}" : scalar) }
        return String(printable)
    }

    /// The text without anything that a terminal would act on, but for the line breaks and tabs of several lines.
    static func safe(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { isControl($0) && !isLayout($0) }) else { return text }
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            safe.append(isControl(scalar) && !isLayout(scalar) ? "\u{FFFD}" : scalar)
        }
        return String(safe)
    }

    private static func isLayout(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\t" }

    /// The JSON text with escapes in place of what a terminal would act on; it stands for the same value.
    static func escaped(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: isControl) else { return json }
        var escaped = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            guard isControl(scalar) else {
                escaped.append(scalar)
                continue
            }
            // All of them are in the first plane, and in compact JSON they stand in strings only.
            let digits = String(scalar.value, radix: 16)
            escaped.append(
                contentsOf: "\\u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)".unicodeScalars)
        }
        return String(escaped)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Marks that turn the direction of writing could make a row read as another one.
        case .format: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        default: false
        }
    }
}
