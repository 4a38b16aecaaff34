import CSimdJSON

extension JSONNode {
    /// Whether the text as it stands has no white space between its tokens.
    var isMinified: Bool {
        switch kind {
        case .array, .object: Int(entry.kind) & Int(CALLBOARD_JSON_MINIFIED) != 0
        case .null, .bool, .number, .string: true
        }
    }

    /// The value's text without the white space between its tokens; the document's own bytes where it is all that they
    /// are, and they lie in little more memory than they need.
    ///
    /// - Complexity: O(*n*) in the length of the text, O(1) where the bytes are the document's.
    var minified: [UInt8] {
        let whole = tape.bytes
        if isMinified, text.count == whole.count, whole.capacity - whole.count <= 32 + whole.count / 8 { return whole }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        appendMinified(to: &bytes)
        return bytes
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
