import Directors
import JSONValues

/// An answer with an array of items, and the members that follow it: it writes the answer, and its schema follows from it.
struct ListForm: Sendable {
    /// The name of the array.
    let name: String
    private let item: JSONSchema
    private let others: [MemberDescription]

    private static let pageMembers = ["offset", "limit", "total"].map { MemberDescription($0, .integer()) }

    /// A page: the part of a list that was asked for, and where in it that stands.
    private init(pageOf name: String, _ item: JSONSchema, others: [MemberDescription] = []) {
        self.init(name, item, others: Self.pageMembers + others)
    }

    private init(_ name: String, _ item: JSONSchema, others: [MemberDescription] = []) {
        (self.name, self.item, self.others) = (name, item, others)
    }

    static let directors = ListForm(pageOf: "directors", .reference("Director"))
    static let sections = ListForm(pageOf: "sections", .reference("Section"))
    static let rows = ListForm(pageOf: "rows", .reference("Row"))
    static let placedElements = ListForm(pageOf: "elements", .reference("PlacedElement"))
    static let elements = ListForm(
        pageOf: "elements", .reference("Element"),
        others: [
            MemberDescription(
                "section", .string(), presence: .sometimes, "The new section that elements were added to.")
        ])
    static let tokens = ListForm(pageOf: "tokens", .reference("Token"))
    static let instances = ListForm(pageOf: "instances", .reference("ViewInstance"))
    static let streams = ListForm(pageOf: "streams", .reference("Stream"))
    static let hooks = ListForm(pageOf: "hooks", StoredHook.schema)
    static let deliveries = ListForm(pageOf: "deliveries", .reference("Delivery"))
    static let eventHooks = ListForm("events", .reference("EventHook"))
    static let cellAdapters = ListForm("adapters", .reference("CellAdapter"))
    static let viewAdapters = ListForm("adapters", .reference("ViewAdapter"))
    static let issuers = ListForm("issuers", IssuerKeys.Standing.schema)
    static let nodes = ListForm("nodes", PlacedNode.schema)
    static let answers = ListForm("values", .reference("EventAnswer"))
    static let outcomes = ListForm("outcomes", .reference("EventOutcome"))
    static let changesets = ListForm(
        "changesets", .reference("Changeset"),
        others: ["from", "version"].map { MemberDescription($0, .integer()) })
}

extension ListForm {
    /// The schema of the answer.
    var schema: JSONSchema { .object([MemberDescription(name, .array(item))] + others, side: .answer) }

    /// The bytes of a page.
    func page<Item>(
        _ items: some Collection<Item>, offset: Int, limit: Int, total: Int, section: String? = nil,
        _ write: (Item, inout JSONWriter) -> Void
    ) -> [UInt8] {
        list(items, write) { writer in
            writer.member("offset", offset)
            writer.member("limit", limit)
            writer.member("total", total)
            if let section { writer.member("section", section) }
        }
    }

    /// The bytes of a list: an array of items, and the members that a closure writes behind it.
    func list<Item>(
        _ items: some Collection<Item>, _ write: (Item, inout JSONWriter) -> Void,
        _ others: (inout JSONWriter) -> Void = { _ in }
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key(name)
        writer.beginArray()
        for item in items { write(item, &writer) }
        writer.endArray()
        others(&writer)
        writer.endObject()
        return writer.bytes
    }

    /// The bytes of a list of objects.
    func list(_ items: some Collection<some AnswerObject>) -> [UInt8] {
        list(items) { $0.write(to: &$1) }
    }
}
