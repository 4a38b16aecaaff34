import Directors
import JSONValues
import ListDiff
import Notation

@testable import Views

func json(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: text)
}

func text(_ encode: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    encode(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}

func definition(_ text: String) throws -> ViewDefinition {
    try ViewDefinition.decode(try JSONDocument(text).root)
}

/// A director with the models `Item` and `Other`, and what is published of it.
struct Source {
    var director: Director

    init(_ name: String = "orders") throws {
        director = Director(name: name, epoch: "k3f9", properties: DirectorProperties(defaultsOf: .table))
        try director.register(CellAdapter(model: "Item", cell: "ItemCell"))
        try director.register(CellAdapter(model: "Other", cell: "OtherCell"))
    }

    /// Makes a source of one section with some values.
    init(_ values: [String], section: String = "s") throws {
        try self.init()
        try director.perform([.sections(.set([try Source.section(section, values)]))])
        _ = try director.reload()
    }

    static func section(_ id: String, _ values: [String]) throws -> SectionDraft {
        SectionDraft(identifier: id, elements: try values.map { ElementDraft(model: "Item", value: try json($0)) })
    }

    /// Performs operations and publishes them.
    mutating func publish(_ operations: Directors.Operation...) throws {
        try director.perform(operations)
        _ = try director.reload()
    }

    func view(_ text: String, _ bound: [Name: JSONValue] = [:], claims: JSONValue? = nil) throws -> LiveView {
        let plan = try ViewPlan(try definition(text), binding: bound, claims: claims)
        return LiveView(View(plan, of: director.published, variables: director.working.variables))
    }
}

/// A view that an expectation can change: macros take no mutating calls.
@dynamicMemberLookup
final class LiveView {
    var value: View

    init(_ value: View) {
        self.value = value
    }

    subscript<Member>(dynamicMember path: KeyPath<View, Member>) -> Member { value[keyPath: path] }

    /// Takes what a source has published last.
    func apply(_ source: Source) -> ViewChange? {
        value.apply(source.director.published, variables: source.director.working.variables)
    }

    /// Takes the latest version of a view that is the source.
    func apply(_ source: LiveView) -> ViewChange? { value.apply(source.published) }
}

extension View {
    /// The list in short: `one: a b c | two: d`.
    var outline: String {
        list.sections.map { section in
            ([section.identifier + ":"] + section.list.map(\.identifier)).joined(separator: " ")
        }.joined(separator: " | ")
    }

    var totalsText: String { text { totals.encode(to: &$0) } }
}

extension StagedChangeset<Section> {
    /// How many operations of each kind there are, in the order of the stages.
    var summary: String {
        var parts = stages.map(\.summary)
        if !replaced.isEmpty { parts.append("\(replaced.count) replaced") }
        return parts.joined(separator: "; ")
    }
}

extension Changeset<Section> {
    fileprivate var summary: String {
        let counts: [(String, Int)] = [
            ("updated", elementUpdated.count), ("deleted", elementDeleted.count),
            ("inserted", elementInserted.count), ("moved", elementMoved.count),
            ("sections deleted", sectionDeleted.count), ("sections inserted", sectionInserted.count),
            ("sections moved", sectionMoved.count), ("sections updated", sectionUpdated.count),
        ]
        let present = counts.filter { $0.1 > 0 }
        return present.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
    }
}
