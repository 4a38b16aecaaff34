/// A section of a list whose elements are being read.
struct OpenSection {
    let identifier: String
    let attributes: SectionAttributes
    private(set) var elements: [Element]
    /// How many elements came with its head.
    private let headCount: Int
    /// The lines of the other elements.
    private var lines: [Int] = []

    /// Begins a section with the elements of its head.
    init(_ identifier: String, _ attributes: SectionAttributes, _ elements: [Element]) {
        (self.identifier, self.attributes, self.elements) = (identifier, attributes, elements)
        headCount = elements.count
    }

    /// Adds the element of a line.
    mutating func append(_ element: Element, line: Int) {
        elements.append(element)
        lines.append(line)
    }

    /// The elements of lines whose model and identifier an earlier element has, in order.
    ///
    /// - Complexity: O(*n*) in the number of elements.
    var duplicates: [(line: Int, identifier: String)] {
        var present = Set(elements.prefix(headCount).map(\.differenceIdentifier))
        return zip(elements.dropFirst(headCount), lines).compactMap { element, line in
            present.insert(element.differenceIdentifier).inserted ? nil : (line, element.identifier)
        }
    }
}
