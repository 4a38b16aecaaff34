extension Span<UInt8> {
    /// The position of the first control character other than a tab in a range, or the range's end.
    ///
    /// Eight bytes are looked at with one load while none of them is a control; the first group that has one, tabs
    /// included, leaves the rest to a loop over bytes.
    func firstControl(in range: Range<Int>) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highBits: UInt64 = 0x8080_8080_8080_8080
        var index = range.lowerBound
        while index + 8 <= range.upperBound {
            // The load is checked against the span's bounds and any bits are a number.
            let word = bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            let isBelowSpace = (word &- 0x20 &* ones) & ~word
            let differsFromDelete = word ^ (0x7f &* ones)
            let isDelete = (differsFromDelete &- ones) & ~differsFromDelete
            if (isBelowSpace | isDelete) & highBits != 0 { break }
            index += 8
        }
        while index < range.upperBound, !ByteClass.isControl(self[index]) { index += 1 }
        return index
    }

    /// The text of a range, or nil where it is not UTF-8. Complexity: O(*n*), *n* being the bytes of the range.
    @inline(__always)
    func text(_ range: Range<Int>) -> String? {
        guard let text = try? UTF8Span(validating: extracting(range)) else { return nil }
        return String(copying: text)
    }

    /// The range without spaces and tabs at its ends.
    @inline(__always)
    func trimming(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, ByteClass.isWhitespace(self[start]) { start += 1 }
        while end > start, ByteClass.isWhitespace(self[end - 1]) { end -= 1 }
        return start..<end
    }

    /// Whether a range holds these ASCII characters, upper and lower case being the same.
    ///
    /// - Parameter text: In lower case.
    func equals(_ text: String, ignoringCaseIn range: Range<Int>) -> Bool {
        guard range.count == text.utf8.count else { return false }
        var index = range.lowerBound
        for expected in text.utf8 {
            guard ByteClass.lowercased(self[index]) == expected else { return false }
            index += 1
        }
        return true
    }

    /// Takes the next element of a comma-separated list off a range; nil at its end.
    ///
    /// Elements have no white space at their ends and may be empty; a list of *n* commas has *n* + 1 of them.
    func nextListElement(in rest: inout Range<Int>?) -> Range<Int>? {
        guard let range = rest else { return nil }
        var comma = range.lowerBound
        while comma < range.upperBound, self[comma] != UInt8(ascii: ",") { comma += 1 }
        rest = comma < range.upperBound ? comma + 1..<range.upperBound : nil
        return trimming(range.lowerBound..<comma)
    }
}

extension [UInt8] {
    /// Makes room for a request's content as a part of it arrives: long content is copied once or twice as it grows.
    ///
    /// Room is made for all that is announced, but for at most 16 times what has arrived: what is announced and never sent
    /// takes no memory.
    ///
    /// - Parameters:
    ///   - framing: How the request announces its content; nothing is known ahead of what comes in chunks.
    ///   - part: How many bytes have arrived that are not appended yet.
    package mutating func makeRoom(forContentOf framing: BodyFraming, adding part: Int) {
        let arrived = count + part
        guard arrived > capacity, case .length(let length) = framing else { return }
        reserveCapacity(Swift.max(arrived, Swift.min(length, 16 * arrived)))
    }
}
