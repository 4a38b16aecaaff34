import CSimdJSON

extension JSONNode {
    /// The value of an object's member of this name, given in UTF-8, without making anything to find it.
    ///
    /// - Parameter passed: Is increased by the number of members that were looked at.
    /// - Complexity: O(*m*) in the number of members.
    package func member(named name: [UInt8], passed: inout Int) -> JSONNode? {
        guard kind == .object else { return nil }
        let tape = tape
        var position = index + 1
        let end = Int(tape.entries[index].next)
        while position < end {
            passed += 1
            if tape.isString(at: position, equalTo: name) { return JSONNode(tape: tape, index: position + 1) }
            position = Int(tape.entries[position + 1].next)
        }
        return nil
    }

    /// An array's element at a position, nil where there is none.
    ///
    /// - Parameter passed: Is increased by the number of elements that were passed.
    /// - Complexity: O(*position*).
    package func element(at position: Int, passed: inout Int) -> JSONNode? {
        guard kind == .array else { return nil }
        let tape = tape
        var child = index + 1
        let end = Int(tape.entries[index].next)
        var left = position
        while child < end {
            if left == 0 { return JSONNode(tape: tape, index: child) }
            child = Int(tape.entries[child].next)
            passed += 1
            left -= 1
        }
        return nil
    }

    /// Whether the value is a string that stands for these bytes of UTF-8.
    ///
    /// - Complexity: O(*n*) in the length of the string.
    package func isString(_ bytes: [UInt8]) -> Bool {
        kind == .string && tape.isString(at: index, equalTo: bytes)
    }

    /// The bytes of UTF-8 that a string stands for; without escapes they are a part of the document.
    ///
    /// - Complexity: O(1) for a string without escapes, else O(*n*) in its length.
    package var utf8: ArraySlice<UInt8>? {
        kind == .string ? contentBytes : nil
    }
}

extension Tape {
    /// Whether the string or name of an entry stands for these bytes.
    func isString(at position: Int, equalTo other: [UInt8]) -> Bool {
        let entry = entries[position]
        guard Int(entry.kind) & Int(CALLBOARD_JSON_ESCAPED) == 0 else {
            return JSONNode(tape: self, index: position).contentBytes.elementsEqual(other)
        }
        guard Int(entry.length) == other.count + 2 else { return false }
        let start = Int(entry.offset) + 1
        for offset in other.indices where bytes[start + offset] != other[offset] {
            return false
        }
        return true
    }
}
