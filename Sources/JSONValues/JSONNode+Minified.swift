import CSimdJSON

extension JSONNode {
    /// Whether the text as it stands has no white space between its tokens.
    var isMinified: Bool {
        switch kind {
        case .array, .object: Int(entry.kind) & Int(CALLBOARD_JSON_MINIFIED) != 0
        case .null, .bool, .number, .string: true
        }
    }

    /// Appends the value's text without the white space between its tokens; strings and numbers stay as written.
    ///
    /// No line break is among what is appended: inside a string the parser takes none that is not escaped.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    package func appendMinified(to bytes: inout [UInt8]) {
        guard !isMinified else {
            bytes.append(contentsOf: text)
            return
        }
        var separator: UInt8?
        switch kind {
        case .array:
            bytes.append(UInt8(ascii: "["))
            for element in elements {
                if let separator { bytes.append(separator) }
                separator = UInt8(ascii: ",")
                element.appendMinified(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object:
            bytes.append(UInt8(ascii: "{"))
            for member in members {
                if let separator { bytes.append(separator) }
                separator = UInt8(ascii: ",")
                bytes.append(contentsOf: member.nameNode.text)
                bytes.append(UInt8(ascii: ":"))
                member.value.appendMinified(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        case .null, .bool, .number, .string:
            break
        }
    }
}
