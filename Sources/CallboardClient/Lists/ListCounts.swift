/// How much a list holds: what a changeset says so that a client can check its copy.
public struct ListCounts: Sendable, Hashable, CustomStringConvertible {
    /// The number of sections.
    public let sections: Int
    /// The number of elements in all sections.
    public let elements: Int

    /// Makes counts.
    public init(sections: Int, elements: Int) {
        self.sections = sections
        self.elements = elements
    }

    /// Counts what is there.
    ///
    /// - Complexity: O(*s*) in the number of sections.
    public init(of sections: [some ListSection]) {
        self.init(sections: sections.count, elements: sections.reduce(0) { $0 + $1.elements.count })
    }

    init(_ reader: JSONReader) throws(RepresentationError) {
        sections = try reader.member("sections").position()
        elements = try reader.member("elements").position()
    }

    /// The counts as the wire has them.
    var json: JSON {
        ["sections": .number(JSONNumber(sections)), "elements": .number(JSONNumber(elements))]
    }

    /// Makes sure that these are the counts that the server has named, if it has.
    func check(against expected: ListCounts?) throws(ListMismatch) {
        if let expected, expected != self { throw ListMismatch.counts(expected: expected, found: self) }
    }

    /// Both counts in words.
    public var description: String { "\(sections) sections with \(elements) elements" }
}
