/// A text in the order that people expect: without regard to case, and with runs of digits compared as numbers.
struct NaturalText: Sendable, Hashable {
    /// The text in UTF-8.
    let text: [UInt8]

    /// Bytes whose order is that of the texts: letters in lower case, and for a run of digits a zero, the number of its
    /// significant digits in four bytes, and these digits.
    let form: [UInt8]

    /// Makes the form of a text.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    init(_ text: [UInt8]) {
        self.text = text
        let lower = Array(String(decoding: text, as: UTF8.self).lowercased().utf8)
        var form: [UInt8] = []
        form.reserveCapacity(lower.count + 8)
        var position = 0
        while position < lower.count {
            guard NaturalText.isDigit(lower[position]) else {
                form.append(lower[position])
                position += 1
                continue
            }
            let run = lower[position...].prefix(while: NaturalText.isDigit)
            position = run.endIndex
            let digits = run.drop { $0 == UInt8(ascii: "0") }
            form.append(UInt8(ascii: "0"))
            for shift in [24, 16, 8, 0] { form.append(UInt8(truncatingIfNeeded: digits.count >> shift)) }
            form += digits
        }
        self.form = form
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}

extension NaturalText: Comparable {
    /// Compares the forms, and where they are equal the texts.
    static func < (left: NaturalText, right: NaturalText) -> Bool {
        left.form == right.form
            ? left.text.lexicographicallyPrecedes(right.text) : left.form.lexicographicallyPrecedes(right.form)
    }
}
