import CSimdJSON

extension JSONNode {
    /// Goes some steps inwards, as far as there is something, and tells whether that was all the way.
    ///
    /// - Parameter passed: Is increased by the number of members and elements that were looked at.
    /// - Complexity: O(*c*) in the number of children passed on the way.
    package mutating func descend(_ range: Range<Int>, of steps: JSONSteps, passed: inout Int) -> Bool {
        var step = range.lowerBound
        while step < range.upperBound {
            guard let child = tape.child(of: index, steps, step, &passed) else { return false }
            index = child
            step += 1
        }
        return true
    }

    /// Whether the value is the literal `true`.
    package var isTrue: Bool {
        Int(entry.kind) & Int(CALLBOARD_JSON_KIND_MASK) == Int(CALLBOARD_JSON_TRUE)
    }

    /// The number, where it is written as an integer of at most 17 digits.
    ///
    /// - Complexity: O(1).
    package var shortInteger: Int? {
        tape.shortInteger(at: index)
    }

    /// The length of the value's text in bytes, white space included.
    package var textCount: Int {
        Int(entry.length)
    }

    /// Whether the value is a string that stands for these bytes of UTF-8.
    ///
    /// - Complexity: O(*n*) in the length of the string.
    package func isString(_ bytes: [UInt8]) -> Bool {
        tape.isString(at: index, equalTo: bytes)
    }

    /// The bytes of UTF-8 that a string stands for; without escapes they are a part of the document.
    ///
    /// - Complexity: O(1) for a string without escapes, else O(*n*) in its length.
    package var utf8: ArraySlice<UInt8>? {
        kind == .string ? contentBytes : nil
    }

    /// Appends the bytes of UTF-8 that a string stands for, and nothing for any other kind.
    ///
    /// - Complexity: O(*n*) in its length.
    package func appendString(to bytes: inout [UInt8]) {
        guard case .string = kind else { return }
        if hasEscapes {
            bytes += JSONEscapes.decodedBytes(content)
        } else {
            let entry = entry
            let start = Int(entry.offset) + 1
            // SAFETY: the buffer is read inside the closure only, at a place that the tape names, which lies in it.
            tape.bytes.withUnsafeBufferPointer { text in
                bytes.append(contentsOf: text[start..<start + Int(entry.length) - 2])
            }
        }
    }
}

extension Tape {
    /// The entry of the value that a step from another value leads to.
    fileprivate func child(of parent: Int, _ steps: JSONSteps, _ step: Int, _ passed: inout Int) -> Int? {
        switch Int(entries[parent].kind) & Int(CALLBOARD_JSON_KIND_MASK) {
        case Int(CALLBOARD_JSON_OBJECT): member(of: parent, steps, step, &passed)
        case Int(CALLBOARD_JSON_ARRAY): element(of: parent, at: steps.steps[step].position, &passed)
        default: nil
        }
    }

    private func member(of object: Int, _ steps: JSONSteps, _ step: Int, _ passed: inout Int) -> Int? {
        let (entries, wanted) = (entries, steps.steps[step])
        let length = UInt32(truncatingIfNeeded: wanted.count) &+ 2
        let end = Int(entries[object].next)
        var (name, count) = (object + 1, 0)
        defer { passed += count }
        while name < end {
            count &+= 1
            let entry = entries[name]
            let isEscaped = entry.kind & UInt32(CALLBOARD_JSON_ESCAPED) != 0
            if entry.length == length || isEscaped, isName(entry, at: name, steps, wanted) { return name + 1 }
            name = Int(entries[name + 1].next)
        }
        return nil
    }

    private func isName(_ entry: Entry, at place: Int, _ steps: JSONSteps, _ wanted: JSONSteps.Step) -> Bool {
        let (start, count) = (Int(wanted.start), Int(wanted.count))
        if entry.kind & UInt32(CALLBOARD_JSON_ESCAPED) != 0 {
            let content = JSONNode(tape: self, index: place).contentBytes
            return content.elementsEqual(steps.names[start..<start + count])
        }
        let offset = Int(entry.offset) + 1
        if count <= 8, offset + 8 <= bytes.count {
            // SAFETY: eight bytes from here on lie in the text, and any eight bytes make an integer.
            let text = bytes
            let word = text.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            return UInt64(littleEndian: word) & wanted.mask == wanted.head
        }
        for position in 0..<count where bytes[offset + position] != steps.names[start + position] { return false }
        return true
    }

    private func element(of array: Int, at position: Int, _ passed: inout Int) -> Int? {
        guard position >= 0 else { return nil }
        let end = Int(entries[array].next)
        var (child, left) = (array + 1, position)
        while child < end {
            if left == 0 { return child }
            child = Int(entries[child].next)
            passed += 1
            left -= 1
        }
        return nil
    }

    fileprivate func shortInteger(at place: Int) -> Int? {
        let entry = entries[place]
        let isNumber = Int(entry.kind) & Int(CALLBOARD_JSON_KIND_MASK) == Int(CALLBOARD_JSON_NUMBER)
        guard isNumber, entry.length <= 17 else { return nil }
        var position = Int(entry.offset)
        let end = position + Int(entry.length)
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        var value = 0
        while position < end {
            let digit = Int(bytes[position]) - 0x30
            guard 0..<10 ~= digit else { return nil }
            value = value * 10 + digit
            position += 1
        }
        return isNegative ? -value : value
    }

    fileprivate func isString(at place: Int, equalTo other: [UInt8]) -> Bool {
        let entry = entries[place]
        guard Int(entry.kind) & Int(CALLBOARD_JSON_KIND_MASK) == Int(CALLBOARD_JSON_STRING) else { return false }
        guard Int(entry.kind) & Int(CALLBOARD_JSON_ESCAPED) == 0 else {
            return JSONNode(tape: self, index: place).contentBytes.elementsEqual(other)
        }
        guard Int(entry.length) == other.count + 2 else { return false }
        let start = Int(entry.offset) + 1
        for offset in other.indices where bytes[start + offset] != other[offset] {
            return false
        }
        return true
    }
}
