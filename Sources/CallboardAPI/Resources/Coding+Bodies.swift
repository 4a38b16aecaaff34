import Directors
import Hosting
import JSONValues
import ListDiff
import Views

/// Bodies that are small objects of positions, and the events of a director.
extension Coding {
    /// A director's definition, as `PUT` brings it.
    static func definition(_ document: JSONDocument, name: String) throws(Problem) -> NewDefinition {
        let properties = try read(try DirectorDefinition.decode(document.root, name: name).properties)
        return NewDefinition(properties: properties, derivation: try view(document.root["view"]))
    }

    /// A director's definition after a merge patch of the director.
    static func patch(_ director: Director, _ document: JSONDocument) throws(Problem) -> NewDefinition {
        let root = document.root
        var reader = BodyReader(root)
        try reader.finish(known: ["properties", "view"])
        return NewDefinition(
            properties: try properties(director, root["properties"]),
            derivation: try derivation(director, root["view"]))
    }

    private static func properties(_ director: Director, _ patch: JSONNode?) throws(Problem) -> DirectorProperties {
        guard let patch else { return director.properties }
        if patch.isNull { return DirectorProperties(defaultsOf: director.kind) }
        do {
            return try director.properties.merging(patch)
        } catch {
            throw Problem(error, inside: "/properties")
        }
    }

    private static func derivation(_ director: Director, _ patch: JSONNode?) throws(Problem) -> Derivation? {
        guard let patch else { return director.derivation }
        guard let derivation = director.derivation else { return try view(patch) }
        if patch.isNull { return nil }
        do {
            return try rule(derivation.definition.patched(with: patch))
        } catch {
            throw Problem(error, inside: "/view")
        }
    }

    /// The rule of a view that is a part of the body; nil for null.
    private static func view(_ node: JSONNode?) throws(Problem) -> Derivation? {
        guard let node, !node.isNull else { return nil }
        return try read(try rule(node))
    }

    private static func rule(_ node: JSONNode) throws(RepresentationError) -> Derivation {
        ViewRule(try ViewDefinition.decode(node, within: DirectorLimits())).derivation
    }

    /// An operation whose body is an object of places.
    static func operation(
        _ document: JSONDocument, _ verb: ListVerb, of list: EditedList
    ) throws(Problem) -> Directors.Operation {
        try read(try Directors.Operation.decode(body: document.root, verb, of: list))
    }

    /// The move of an element to another director.
    static func transfer(_ document: JSONDocument) throws(Problem) -> ElementTransfer {
        try read(try ElementTransfer.decode(document.root))
    }

    /// The body of a batch.
    static func batch(_ document: JSONDocument, within limits: DirectorLimits) throws(Problem) -> OperationBatch {
        try read(try OperationBatch.decode(document.root, within: limits))
    }

    /// The animations that a reload's body asks for.
    static func reload(_ document: JSONDocument) throws(Problem) -> Animations? {
        try read(try Animations.decodeReload(document.root))
    }

    /// A director as a read answers it.
    static func encode(_ director: Director) -> [UInt8] {
        director.encoded
    }

    /// A view as a read answers it: its definition, with the numbers of what the reader sees.
    static func encode(ofView definition: Director, showing state: PublishedState, _ facts: DerivedFacts?) -> [UInt8] {
        let director = Director(
            restoring: definition.name, epoch: definition.epoch, properties: definition.properties,
            adapters: AdapterRegistry(cells: [], headerFooters: []),
            working: WorkingState(
                restoring: state.list, revision: definition.revision, variables: [:]),
            published: state, limits: .none, derivation: definition.derivation)
        return (facts.map { director.adding($0) } ?? director).encoded
    }

    /// A changeset.
    static func encode(_ change: PublishedChange) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: change.textEstimate)
        change.encode(to: &writer)
        return writer.bytes
    }

    /// A changeset without its elements: how many operations of each kind there are.
    static func encode(counted change: PublishedChange) -> [UInt8] {
        var writer = JSONWriter()
        change.encodeCounted(to: &writer)
        return writer.bytes
    }

    /// The data of a `definition` event.
    static func definition(_ director: Director) -> [UInt8] {
        var writer = JSONWriter()
        director.encodeDefinition(to: &writer)
        return writer.bytes
    }

    /// The data of a `snapshot` event.
    static func snapshot(_ director: Director, _ state: PublishedState, withElements: Bool) -> [UInt8] {
        var writer = JSONWriter()
        director.encodeSnapshot(of: state, includingElements: withElements, to: &writer)
        return writer.bytes
    }

    /// Which elements to refresh.
    static func refresh(_ document: JSONDocument) throws(Problem) -> RefreshRequest {
        try read(try RefreshRequest.decode(document.root))
    }

    /// Where to scroll to.
    static func scroll(_ document: JSONDocument) throws(Problem) -> ScrollRequest {
        try read(try ScrollRequest.decode(document.root))
    }
}

/// Reads a small object member by member and gathers what is wrong with it.
struct BodyReader {
    private let root: JSONNode
    private var faults: [Problem.Fault] = []

    /// Reads an object.
    init(_ root: JSONNode) {
        self.root = root
        if root.kind != .object { faults.append(.init(pointer: "", detail: "expected an object")) }
    }

    /// Refuses members that are not known, and whatever was wrong.
    mutating func finish(known: [String]) throws(Problem) {
        if root.kind == .object {
            for member in root.members where !known.contains(member.name) && faults.count < Fault.limit {
                faults.append(
                    .init(
                        pointer: member.value.pointer.description,
                        detail: "there is no member \(member.name.quoted); known: \(known.joined(separator: ", "))"))
            }
        }
        guard let first = faults.first else { return }
        throw .unprocessable("The body is not what this resource takes: \(first.detail).", faults: faults)
    }
}

/// A request's definition of a director, without its content.
struct NewDefinition: Sendable {
    /// The properties, and so the kind.
    let properties: DirectorProperties
    /// The rule of a view; nil for a director with content of its own.
    let derivation: Derivation?
}
