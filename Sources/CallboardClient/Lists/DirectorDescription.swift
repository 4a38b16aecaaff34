/// A director's kind, properties and counters, without its content.
public struct DirectorDescription: Sendable, Hashable {
    /// The kind of view for a director's list.
    public struct Kind: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
        /// The kind's name on the wire.
        public let rawValue: String

        /// Makes a kind of its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Makes a kind of its name.
        public init(stringLiteral value: String) { rawValue = value }

        /// A table.
        public static let table: Self = "table"
        /// A collection.
        public static let collection: Self = "collection"
        /// A collection with a flow layout.
        public static let flow: Self = "flow"
        /// A scroll view with rows one behind the other.
        public static let stack: Self = "stack"
    }

    /// The director's name.
    public let name: String
    /// The kind of view.
    public let kind: Kind
    /// How many mutations the working state has had.
    public let revision: Int
    /// How many times a change has been published.
    public let version: Int
    /// This life of the director: another one after it was deleted and created again.
    public let epoch: String
    /// The properties, such as `rowHeight` or `itemSize`.
    public let properties: JSONObject
    /// How much it holds; nil where the server left it out.
    public let counts: ListCounts?
    /// The rule by which a view shows another director; nil for a director with content of its own.
    public let view: JSONObject?
    /// The totals of a view, by name; empty for a director without any.
    public let totals: JSONObject
    /// The elements that a view leaves out; nil for other directors, and for clients that may not read the view's
    /// source.
    public let faults: ViewFaults?

    init(_ reader: JSONReader) throws(RepresentationError) {
        name = try reader.member("name").string()
        kind = Kind(rawValue: try reader.member("kind").string())
        revision = try reader.optional("revision")?.position() ?? 0
        version = try reader.optional("version")?.position() ?? 0
        epoch = try reader.optional("epoch")?.string() ?? ""
        properties = try reader.optional("properties")?.object() ?? JSONObject()
        counts = try reader.optional("counts").map { (counts) throws(RepresentationError) in
            try ListCounts(counts)
        }
        view = try reader.optional("view")?.object()
        totals = try reader.optional("totals")?.object() ?? JSONObject()
        faults = try reader.optional("faults").map { (faults) throws(RepresentationError) in try ViewFaults(faults) }
    }
}
