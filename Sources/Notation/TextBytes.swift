extension [UInt8] {
    /// Appends the bytes of a text.
    ///
    /// Half the instructions of `append(contentsOf: text.utf8)`, which asks the text for its form and for its bytes one after
    /// the other.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    package mutating func append(text: String) {
        append(span: text.utf8.span)
    }

    /// Appends bytes that lie elsewhere.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    package mutating func append(span: Span<UInt8>) {
        // SAFETY: the pointer is used within the closure only.
        span.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    /// Appends a number in decimal digits, with a minus sign where it is negative.
    package mutating func append(decimal value: Int) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(value.magnitude, base: 10)
    }

    /// Appends a number in digits, in lower case, from the first to the last, so that none has to be moved.
    ///
    /// - Parameter base: At least 2 and at most 16.
    @inline(__always)
    package mutating func append(_ value: UInt, base: UInt) {
        var divisor: UInt = 1
        while value / divisor >= base { divisor *= base }
        while divisor > 0 {
            let digit = UInt8(truncatingIfNeeded: value / divisor % base)
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            divisor /= base
        }
    }
}
