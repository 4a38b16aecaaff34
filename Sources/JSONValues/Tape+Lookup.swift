import CSimdJSON

extension Tape {
    /// The entry of the value that a step from another value leads to.
    func child(of parent: Int, _ steps: JSONSteps, _ step: Int, _ passed: inout Int) -> Int? {
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
            if entry.length == length || isEscaped, isName(entry, at: name, steps, wanted, &count) { return name + 1 }
            name = Int(entries[name + 1].next)
        }
        return nil
    }

    /// Whether a name is the wanted one; `passed` is increased by what is more work than looking at a member.
    private func isName(
        _ entry: Entry, at place: Int, _ steps: JSONSteps, _ wanted: JSONSteps.Step, _ passed: inout Int
    ) -> Bool {
        let (start, count) = (Int(wanted.start), Int(wanted.count))
        if entry.kind & UInt32(CALLBOARD_JSON_ESCAPED) != 0 {
            // An escape stands for at least a sixth as many bytes, so that a long name is not read for a short one.
            guard Int(entry.length) - 2 <= 6 * count else { return false }
            passed += 8 + Int(entry.length) >> 3
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
        for position in 0..<count where bytes[offset + position] != steps.names[start + position] {
            passed += position >> 4
            return false
        }
        passed += count >> 4
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

    func shortInteger(at place: Int) -> Int? {
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

    func isString(at place: Int, equalTo other: [UInt8]) -> Bool {
        let entry = entries[place]
        guard Int(entry.kind) & Int(CALLBOARD_JSON_KIND_MASK) == Int(CALLBOARD_JSON_STRING) else { return false }
        guard Int(entry.kind) & Int(CALLBOARD_JSON_ESCAPED) == 0 else {
            return Int(entry.length) - 2 <= 6 * other.count
                && JSONNode(tape: self, index: place).contentBytes.elementsEqual(other)
        }
        guard Int(entry.length) == other.count + 2 else { return false }
        let start = Int(entry.offset) + 1
        for offset in other.indices where bytes[start + offset] != other[offset] {
            return false
        }
        return true
    }
}
