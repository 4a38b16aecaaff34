import ListDiff

/// A section of a list of which only some elements are here.
public struct SparseSection: ListSection {
    /// The section's identifier; unique in its director as a rule, though nothing enforces it.
    public let id: String
    /// Everything else that the section carries besides its elements, such as `headerTitle`.
    public let attributes: JSONObject
    /// The elements in the order they are shown, nil where one is not here.
    public internal(set) var elements: SparseElements

    /// Makes a section.
    public init(id: String, attributes: JSONObject = JSONObject(), elements: SparseElements) {
        self.id = id
        self.attributes = attributes
        self.elements = elements
    }

    /// More elements than any section has; the lengths of as many sections as fit an event can be added up.
    private static let longest = 1 << 32

    /// Makes a section of one that came without its elements but with their number.
    init?(counted section: RemoteSection) {
        guard let count = section.attributes["count"]?.intValue, (0..<Self.longest).contains(count) else { return nil }
        var attributes = section.attributes
        attributes["count"] = nil
        self.init(id: section.id, attributes: attributes, elements: SparseElements(count: count))
    }

    /// The element at a position, or nil where there is none, or it is not here.
    public func element(at position: Int) -> RemoteElement? {
        elements.indices.contains(position) ? elements[position] : nil
    }
}

extension SparseSection: PartialSection {
    package typealias Edit = SparseEdit

    /// The identity by which a changeset knows the section.
    package var differenceIdentifier: RemoteSection.Identity { RemoteSection.Identity(id) }

    package var content: SparseElements { elements }

    package init(_ whole: RemoteSection) {
        self.init(id: whole.id, attributes: whole.attributes, elements: SparseElements(whole.elements))
    }

    package init(copying whole: RemoteSection, content: SparseElements) {
        self.init(id: whole.id, attributes: whole.attributes, elements: content)
    }

    package init(copying section: SparseSection, content: SparseElements) {
        self.init(id: section.id, attributes: section.attributes, elements: content)
    }
}

extension StagedChangeset where Section == RemoteSection {
    /// The list after each stage, as ``states(from:)-([Section])`` gives it for a whole list.
    public func states(from sections: [SparseSection]) throws(ChangesetError) -> [[SparseSection]] {
        try states(from: sections) { (list, stage, number) throws(ChangesetError) in
            try list.applying(stage, stage: number)
        }
    }
}
