import CSimdJSON

extension JSONNode {
    /// Goes some steps inwards, as far as there is something, and tells whether that was all the way.
    ///
    /// - Parameter passed: Is increased by the number of members and elements that were looked at, and by one for about
    ///   as much work again that names took which are long or have escapes.
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
            let text = tape.text(at: index)
            tape.append(text.lowerBound + 1..<text.upperBound - 1, to: &bytes)
        }
    }
}
