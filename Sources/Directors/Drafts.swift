import JSONValues

/// A value from a caller, with its place in the parsed document if it was read from a request.
package struct ValueDraft: Sendable {
    /// The value.
    package let value: JSONValue

    /// Its place in the request: looking into it saves reading the value a second time. It keeps the request's text
    /// alive, so drafts are not kept longer than an operation is at work.
    private let node: JSONNode?

    /// Makes a draft of a value by itself.
    package init(_ value: JSONValue) {
        self.value = value
        node = nil
    }

    /// Makes a draft of a value in a request.
    ///
    /// - Complexity: O(*n*) in the length of the value's text.
    package init(reading node: JSONNode) {
        value = node.value
        self.node = node
    }

    /// Makes a draft of a merge patch in a request: its hash, which nobody asks for, is left out.
    ///
    /// - Complexity: O(*n*) in the length of the patch's text.
    package init(readingPatch node: JSONNode) {
        value = JSONValue(unhashed: node)
        self.node = node
    }

    /// The value, to look into it.
    ///
    /// - Complexity: O(1) for a draft that was read from a request, else O(*n*) in the length of the value's text.
    var root: JSONNode {
        node ?? value.document.root
    }
}

extension ValueDraft: Hashable {
    /// Compares the values, wherever they were read.
    package static func == (one: ValueDraft, other: ValueDraft) -> Bool {
        one.value == other.value
    }

    /// Feeds the value.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}

/// An element as a caller sends it: not yet checked against the adapters.
package struct ElementDraft: Sendable, Hashable {
    /// The model; nil leaves it to the director, which then has to have exactly one cell adapter.
    package let model: String?

    private let content: ValueDraft

    /// Makes a draft of a value.
    package init(model: String? = nil, value: JSONValue) {
        self.model = model
        content = ValueDraft(value)
    }

    /// Makes a draft of a value in a request.
    ///
    /// - Complexity: O(*n*) in the length of the value's text.
    package init(model: String?, reading node: JSONNode) {
        self.model = model
        content = ValueDraft(reading: node)
    }

    private init(model: String, content: ValueDraft) {
        self.model = model
        self.content = content
    }

    /// The draft with a model where it names none.
    func ofModel(_ model: String) -> ElementDraft {
        self.model == nil ? ElementDraft(model: model, content: content) : self
    }

    /// The value.
    package var value: JSONValue { content.value }

    /// The value, to look into it; see ``ValueDraft/root``.
    var root: JSONNode { content.root }
}

/// A section as a caller sends it: not yet checked against the director.
package struct SectionDraft: Equatable, Sendable {
    /// The identifier; nil where the section that is replaced keeps its own.
    package var identifier: String?

    /// The section's attributes.
    package var attributes: SectionAttributes

    /// The elements in order; none of a section of rows.
    package var elements: [ElementDraft]

    /// The rows in order; nil for a section of elements.
    package var rows: [RowDraft]?

    /// Makes a draft.
    package init(
        identifier: String?, attributes: SectionAttributes = .none, elements: [ElementDraft] = [],
        rows: [RowDraft]? = nil
    ) {
        self.identifier = identifier
        self.attributes = attributes
        self.elements = elements
        self.rows = rows
    }
}

/// A row as a caller sends it: not yet checked against the director.
package struct RowDraft: Equatable, Sendable {
    /// The row's settings; the identifier is empty if the caller gave none.
    package var values: RowSettings.Values

    /// A model row's elements in order.
    package var elements: [ElementDraft]

    /// Makes a draft.
    package init(_ values: RowSettings.Values, elements: [ElementDraft] = []) {
        self.values = values
        self.elements = elements
    }

    /// The draft with a random identifier where it has none.
    var resolved: RowDraft {
        guard values.identifier.isEmpty else { return self }
        var draft = self
        draft.values.identifier = RandomIdentifier.uuid()
        return draft
    }
}

extension RowDraft: IdentifiedDraft {
    /// A row without an identifier keeps the addressed identifier, or the identifier of the replaced row.
    var resolvedWhenPut: RowDraft? { nil }

    static func resolved(_: JSONValue) -> JSONValue? { nil }
}
