import ListDiff
import Notation

/// The difference between two published versions of a director, ready to be applied stage by stage.
public struct RemoteChangeset: Sendable, Hashable {
    /// The director's name; nil where the server left it out.
    public let director: String?
    /// The life of the director that both versions belong to.
    public let epoch: String
    /// The version that the changeset applies to.
    public let from: Int
    /// The version that it leads to.
    public let version: Int
    /// How the one who published it wants it shown.
    public let animations: ListAnimations
    /// The names of the mutations that it is the first to show, in order: see ``WriteOptions/cause``.
    public let causes: [String]
    /// At most five stages, to be applied in order, and the elements that are replaced after the last of them: their
    /// values are new, and cells show what they showed.
    public let stages: StagedChangeset<RemoteSection>
    /// The list's counts at `version`; nil if the server left them out.
    public let counts: ListCounts?
    /// The totals of a view at `version`, all of them; nil where they are as they were.
    public let totals: JSONObject?

    /// Makes a changeset.
    public init(
        director: String? = nil, epoch: String, from: Int, version: Int, animations: ListAnimations = [:],
        causes: [String] = [], stages: StagedChangeset<RemoteSection>, counts: ListCounts?,
        totals: JSONObject? = nil
    ) {
        self.director = director
        self.epoch = epoch
        self.from = from
        self.version = version
        self.animations = animations
        self.causes = causes
        self.stages = stages
        self.counts = counts
        self.totals = totals
    }

    /// Whether nothing changes.
    public var isEmpty: Bool { stages.isEmpty }

    /// Whether both say the same; the order of the operations within a stage means nothing.
    public static func == (left: Self, right: Self) -> Bool {
        left.epoch == right.epoch && left.from == right.from && left.version == right.version
            && left.director.isVerbatim(right.director) && left.animations == right.animations
            && left.causes == right.causes && left.counts == right.counts && left.totals == right.totals
            && left.stages == right.stages
    }

    /// Feeds what names the changeset to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(epoch)
        hasher.combine(from)
        hasher.combine(version)
    }
}

extension RemoteChangeset {
    init(_ reader: JSONReader) throws(RepresentationError) {
        director = try reader.optional("director")?.string()
        epoch = try reader.optional("epoch")?.string() ?? ""
        version = try reader.member("version").position()
        from = try reader.optional("from")?.position() ?? version
        animations = try ListAnimations(reader.optional("animations"))
        causes = try reader.optional("causes")?.map { (cause) throws(RepresentationError) in try cause.string() } ?? []
        let stages = try reader.optional("stages")?.map { (stage) throws(RepresentationError) in
            try Changeset<RemoteSection>(stage)
        }
        var elements = ElementReader()
        let replaced = try reader.optional("replaced").map { (replaced) throws(RepresentationError) in
            try elements.changes(replaced)
        }
        self.stages = StagedChangeset(stages: stages ?? [], replaced: replaced ?? [])
        counts = try reader.optional("counts").map { (counts) throws(RepresentationError) in
            try ListCounts(counts)
        }
        totals = try reader.optional("totals")?.object()
    }

    /// The changeset as the wire has it.
    public var json: JSON {
        var object: JSONObject = ["epoch": .string(epoch), "from": .number(JSONNumber(from))]
        if let director { object["director"] = .string(director) }
        object["version"] = .number(JSONNumber(version))
        if !animations.isEmpty { object["animations"] = animations.json }
        if !causes.isEmpty { object["causes"] = .array(causes.map { .string($0) }) }
        object["stages"] = .array(stages.stages.map(\.json))
        if !stages.replaced.isEmpty {
            object["replaced"] = .array(stages.replaced.map(Changeset<RemoteSection>.json))
        }
        object["counts"] = counts?.json
        object["totals"] = totals.map { .object($0) }
        return .object(object)
    }
}
