import JSONValues
import ListDiff

@testable import Directors

func json(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: text)
}

func node(_ text: String) throws -> JSONNode {
    try JSONDocument(text).root
}

func text(_ encode: (inout JSONWriter) throws -> Void) rethrows -> String {
    var writer = JSONWriter()
    try encode(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}

/// Drafts of elements that are their own identifiers.
func drafts(_ identifiers: String...) -> [ElementDraft] {
    identifiers.map { ElementDraft(value: JSONValue(string: $0)) }
}

func draft(_ value: String, model: String? = nil) throws -> ElementDraft {
    ElementDraft(model: model, value: try json(value))
}

func section(_ identifier: String, _ elements: String..., attributes: SectionAttributes = .none) -> SectionDraft {
    SectionDraft(
        identifier: identifier, attributes: attributes,
        elements: elements.map { ElementDraft(value: JSONValue(string: $0)) })
}

/// A director with one adapter, for the model `Item`.
func emptyDirector(
    _ properties: DirectorProperties = DirectorProperties(defaultsOf: .table), limits: DirectorLimits = DirectorLimits()
) throws -> LiveDirector {
    let director = LiveDirector(Director(name: "contacts", epoch: "k3f9", properties: properties, limits: limits))
    try director.register(CellAdapter(model: "Item", cell: "ItemCell"))
    return director
}

/// A director with the sections `one: a b c`, `two: d` and `three:`.
func filledDirector() throws -> LiveDirector {
    let director = try emptyDirector()
    try director.perform([.sections(.set([section("one", "a", "b", "c"), section("two", "d"), section("three")]))])
    return director
}

extension ListState {
    /// The list in short: `one: a b c | two: d`.
    var outline: String {
        sections.map { section in
            ([section.identifier + ":"] + section.list.map(\.identifier)).joined(separator: " ")
        }.joined(separator: " | ")
    }

    /// The list as arrays, for what is stated on those.
    var array: [Section] { Array(sections) }
}

extension Director {
    var outline: String { working.list.outline }

    /// Everything a director is, to be compared.
    var traces: Traces {
        Traces(
            working: working, published: published, properties: properties, adapters: adapters, hooks: hooks)
    }

    struct Traces: Equatable {
        let working: WorkingState
        let published: PublishedState
        let properties: DirectorProperties
        let adapters: AdapterRegistry
        let hooks: HookRegistry
    }
}
