import CSimdJSON

extension JSONNode {
    /// The value's text without the white space between its tokens; the document's own bytes where it is all that they
    /// are, and they lie in little more memory than they need.
    ///
    /// - Complexity: O(*n*) in the length of the text, O(1) where the bytes are the document's.
    var minified: [UInt8] {
        let whole = tape.bytes
        let isWhole = tape.isMinified(at: index) && textCount == whole.count
        if isWhole, whole.capacity - whole.count <= 32 + whole.count / 8 { return whole }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(textCount)
        appendMinified(to: &bytes)
        return bytes
    }

    /// Appends the value's text without the white space between its tokens; strings and numbers stay as written.
    ///
    /// No line break is among what is appended: inside a string the parser takes none that is not escaped.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    package func appendMinified(to bytes: inout [UInt8]) {
        tape.appendMinified(at: index, to: &bytes)
    }
}

extension Tape {
    /// Whether the text of a value as it stands has no white space between its tokens.
    func isMinified(at place: Int) -> Bool {
        isContainer(at: place) ? Int(entries[place].kind) & Int(CALLBOARD_JSON_MINIFIED) != 0 : true
    }

    private func isContainer(at place: Int) -> Bool {
        let kind = Int(entries[place].kind) & Int(CALLBOARD_JSON_KIND_MASK)
        return kind == Int(CALLBOARD_JSON_OBJECT) || kind == Int(CALLBOARD_JSON_ARRAY)
    }

    /// Appends the text of a value without the white space between its tokens.
    func appendMinified(at place: Int, to bytes: inout [UInt8]) {
        guard !isMinified(at: place) else { return append(text(at: place), to: &bytes) }
        let isObject = isObject(at: place)
        bytes.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
        var child = place + 1
        while child < end(of: place) {
            if child > place + 1 { bytes.append(UInt8(ascii: ",")) }
            if isObject {
                append(text(at: child), to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                child += 1
            }
            appendMinified(at: child, to: &bytes)
            child = end(of: child)
        }
        bytes.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    }
}
