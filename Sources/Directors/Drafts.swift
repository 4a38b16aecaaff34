import JSONValues

/// An element as a caller sends it: not yet checked against the adapters.
package struct ElementDraft: Sendable {
    /// The model; nil leaves it to the director, which then has to have exactly one cell adapter.
    package let model: String?

    /// The value.
    package let value: JSONValue

    /// The place in the request that the value was read from, where it is at hand: looking into it saves reading the
    /// value a second time. It keeps the request's text alive, so drafts are not kept longer than an operation is at work.
    private let node: JSONNode?

    /// Makes a draft of a value.
    package init(model: String? = nil, value: JSONValue) {
        self.model = model
        self.value = value
        node = nil
    }

    /// Makes a draft of a value in a request.
    ///
    /// - Complexity: O(*n*) in the length of the value's text.
    package init(model: String?, reading node: JSONNode) {
        self.model = model
        value = node.value
        self.node = node
    }

    /// The value, to look into it.
    ///
    /// - Complexity: O(1) for a draft that was read from a request, else O(*n*) in the length of the value's text.
    var root: JSONNode {
        node ?? value.document.root
    }
}

extension ElementDraft: Hashable {
    /// Compares model and value, wherever the values were read.
    package static func == (one: ElementDraft, other: ElementDraft) -> Bool {
        one.model == other.model && one.value == other.value
    }

    /// Feeds model and value.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(model)
        hasher.combine(value)
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
