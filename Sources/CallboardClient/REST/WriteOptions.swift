/// A state of a director's content: what an `ETag` stands for.
public struct Revision: Sendable, Hashable {
    /// Which life of the director it is of: deleting and creating one again counts from the beginning.
    public let epoch: String
    /// How many mutations led to it.
    public let number: Int

    /// Makes a revision of a director's `epoch` and `revision`.
    public init(epoch: String, number: Int) {
        self.epoch = epoch
        self.number = number
    }

    /// Parses an entity tag such as `"k3f9-r12"`, or the tag of a director that was read, `"k3f9-r12-v3"`; nil for any
    /// other form.
    init?(entityTag: String) {
        var tag = entityTag[...]
        if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
        guard tag.hasPrefix("\""), tag.hasSuffix("\""), tag.count > 2 else { return nil }
        let parts = tag.dropFirst().dropLast().split(separator: "-", omittingEmptySubsequences: false)
        guard 2...3 ~= parts.count, parts[1].first == "r", let number = Int(parts[1].dropFirst()) else { return nil }
        self.init(epoch: String(parts[0]), number: number)
    }

    /// The revision as `If-Match` has it.
    var entityTag: String { "\"\(epoch)-r\(number)\"" }
}

/// What goes with a mutation.
public struct WriteOptions: Sendable {
    /// Whether to publish at once.
    public var reload: Bool
    /// The revision that the director must be at; the call fails with status 412 where it is not, and changes nothing.
    public var ifMatch: Revision?
    /// The mutation's name, 1 to 64 visible ASCII characters: the changeset that first shows the mutation lists it in
    /// ``RemoteChangeset/causes``. The call fails with ``ClientError/invalidCause(_:)`` where it has another form.
    public var cause: String?
    /// The key of a `POST`, 1 to 255 visible ASCII characters: the server carries out a request of the same key once
    /// within a day, and gives repetitions the same answer. Nil makes one for each call; who repeats a call whose
    /// answer was lost gives both the same. The call fails with ``ClientError/invalidIdempotencyKey(_:)`` where it has
    /// another form.
    public var idempotencyKey: String?

    /// Makes options; the defaults neither publish nor check, and name nothing.
    public init(
        reload: Bool = false, ifMatch: Revision? = nil, cause: String? = nil, idempotencyKey: String? = nil
    ) {
        self.idempotencyKey = idempotencyKey
        self.reload = reload
        self.ifMatch = ifMatch
        self.cause = cause
    }

    /// Publishes at once.
    public static var reload: WriteOptions { WriteOptions(reload: true) }
}

/// The answer of a call, with the revision that it read or made.
public struct Answer<Value: Sendable>: Sendable {
    /// What the server answered.
    public let value: Value
    /// The director's revision; nil where the server named none.
    public let revision: Revision?
}

/// Which state of a list to read.
public enum ListState: Sendable, Hashable {
    /// What mutations change.
    case working
    /// The subscribers' state, as of the last reload or of a version that the server still has.
    case published(version: Int?)

    var query: [(String, String)] {
        switch self {
        case .working: []
        case .published(let version):
            [("state", "published")] + (version.map { [("version", String($0))] } ?? [])
        }
    }
}

/// A part of a longer list.
public struct Page<Item: Sendable>: Sendable {
    /// The items of this part.
    public let items: [Item]
    /// How many items come before it.
    public let offset: Int
    /// How many items there are in all.
    public let total: Int

    /// The beginning of the next part, or nil if this is the last.
    public var nextOffset: Int? {
        let end = offset + items.count
        return items.isEmpty || end >= total ? nil : end
    }

    init(
        _ reader: JSONReader, member: String, _ read: (JSONReader) throws(RepresentationError) -> Item
    ) throws(RepresentationError) {
        items = try reader.member(member).map(read)
        offset = try reader.optional("offset")?.position() ?? 0
        total = try reader.optional("total")?.position() ?? items.count
    }
}
