import JSONValues

/// An element as a caller sends it: not yet checked against the adapters.
package struct ElementDraft: Hashable, Sendable {
    /// The model; nil leaves it to the director, which then has to have exactly one cell adapter.
    package var model: String?

    /// The value.
    package var value: JSONValue

    /// Makes a draft.
    package init(model: String? = nil, value: JSONValue) {
        self.model = model
        self.value = value
    }
}

/// A section as a caller sends it: not yet checked against the director.
package struct SectionDraft: Equatable, Sendable {
    /// The identifier; nil where the section that is replaced keeps its own.
    package var identifier: String?

    /// What the section says of itself.
    package var attributes: SectionAttributes

    /// The elements in order.
    package var elements: [ElementDraft]

    /// Makes a draft.
    package init(identifier: String?, attributes: SectionAttributes = .none, elements: [ElementDraft] = []) {
        self.identifier = identifier
        self.attributes = attributes
        self.elements = elements
    }
}
