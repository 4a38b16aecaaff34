import Directors
import JSONValues

/// The values that directors are filled with here: a hundred bytes each, an `id` among them.
enum SampleValue {
    /// The bytes of a value's text.
    static let length = 100

    /// The identifier of the element with a number.
    static func identifier(_ number: Int) -> String {
        "e" + padded(number)
    }

    /// The element with a number.
    static func draft(_ number: Int) throws -> ElementDraft {
        let text = """
            {"id":"\(identifier(number))","name":"Ada Lovelace","email":"ada.lovelace@example.org",\
            "age":36,"score":\(1_000_000 + number)}
            """
        guard text.utf8.count == length else { refute("a sample value has \(text.utf8.count) bytes: \(text)") }
        return ElementDraft(value: try JSONValue(parsing: text))
    }

    /// A merge patch that changes an element's score, which is `1_000_000 + number` at first.
    static func patch(score: Int) throws -> JSONValue {
        try JSONValue(parsing: #"{"score":\#(score)}"#)
    }

    private static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(8 - digits.count, 0)) + digits
    }
}

extension Director {
    /// Makes a director that shows sample values, and publishes them.
    ///
    /// - Parameters:
    ///   - sections: The number of sections, which are called `s0`, `s1` and so on.
    ///   - elements: The number of elements in each; they are numbered through.
    static func filled(sections: Int, elements: Int) throws -> Director {
        var director = Director(name: "bench", epoch: "bench", properties: .table(TableProperties()))
        try director.register(CellAdapter(model: "Person", cell: "PersonCell"))
        for section in 0..<sections {
            let first = section * elements
            try director.perform([.sections(.add([SectionDraft(identifier: "s\(section)")]))])
            // In parts, so that little besides the elements themselves is ever in memory.
            for start in stride(from: first, to: first + elements, by: 10_000) {
                let drafts = try (start..<min(start + 10_000, first + elements)).map(SampleValue.draft)
                try director.perform([.elements(of: .section(.identifier("s\(section)")), .add(drafts))])
            }
        }
        guard try director.reload()?.counts == ListCounts(sections: sections, elements: sections * elements) else {
            refute("\(sections) x \(elements) elements were not published")
        }
        return director
    }
}
