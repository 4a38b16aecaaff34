import ListDiff
import Testing

@testable import CallboardClient

/// Reads the vectors that all clients share with this one; the article *Writing a client* says what stands in them.
///
/// Each reader gives what it comes to in the form of the vector's `expect`.
@Suite("Shared vectors", .timeLimit(.minutes(5)))
struct SharedVectorTests {
    /// What this client has not got, by the kind of vector; a vector that needs it is left out.
    private static let lacks: [String: [String: String]] = [:]

    private static func outcome(_ kind: String, _ vector: SharedVector) async throws -> JSON {
        switch kind {
        case "parse": try parse(vector)
        case "apply": try apply(vector)
        case "sparse": try sparse(vector)
        case "overlay": try overlay(vector)
        case "resume": try await resume(vector)
        default: try await report(vector)
        }
    }

    @Test(
        "the client comes to what each vector expects",
        arguments: ["parse", "apply", "sparse", "overlay", "resume", "report"])
    func vectors(kind: String) async throws {
        let all = try SharedVector.all(kind)
        let lacks = Self.lacks[kind] ?? [:]
        let known = all.filter { vector in !vector.needs.contains { lacks[$0] != nil } }
        for vector in known {
            let found = try await Self.outcome(kind, vector)
            #expect(found == vector["expect"], "\(kind): \(vector.name)")
        }
        for need in lacks.keys {
            #expect(all.contains { $0.needs.contains(need) }, "no vector needs \(need) any more")
        }
        let missing = lacks.isEmpty ? "none" : lacks.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
        print("\(kind): \(known.count) of \(all.count) vectors; left out: \(missing)")
        #expect(known.count > 100)
    }
}

// MARK: - Events and lists

extension SharedVectorTests {
    private static func parse(_ vector: SharedVector) throws -> JSON {
        var parser = ServerSentEventParser()
        var events: [JSON] = []
        for (number, chunk) in vector["chunks"].asArray.enumerated() {
            // Each character stands for one byte.
            let bytes = chunk.asString.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
            events += try parser.consume(bytes).map { event in
                [
                    "event": .string(event.name), "data": .string(event.data), "id": .string(event.lastEventID),
                    "chunk": .int(number),
                ]
            }
        }
        return [
            "events": .array(events), "retry": parser.retryMilliseconds.map { .int($0) } ?? .null,
            "lastId": .string(parser.lastEventID),
        ]
    }

    static func list(_ snapshot: JSON) throws -> RemoteList { try RemoteList(Snapshot(JSONReader(snapshot))) }

    private static func apply(_ vector: SharedVector) throws -> JSON {
        let before = vector["before"].isNull ? nil : try list(vector["before"])
        var follower = ListFollower<RemoteList>(reconnect: ReconnectPolicy(), list: before)
        let event = ServerSentEvent(name: vector["event"].asString, data: vector["data"].text)
        let (update, restart) = follower.take(StreamEvent(event))
        guard restart == nil, let list = follower.list else { return ["fits": false] }
        var found: JSONObject = ["fits": true, "list": state(list)]
        if case .refresh(let refresh) = update {
            let places: JSON = refresh.elements.map { .array($0.map(\.path.json)) } ?? .null
            found["refreshed"] = places
        }
        return .object(found)
    }

    private static func state(_ list: RemoteList) -> JSON {
        var state: JSONObject = [
            "epoch": .string(list.epoch), "version": .int(list.version), "sections": .array(list.sections.map(\.json)),
            "kind": list.definition.kind.map { .string($0.rawValue) } ?? .null,
            "properties": .object(list.definition.properties), "adapters": .array(list.definition.adapters),
        ]
        if !list.totals.isEmpty { state["totals"] = .object(list.totals) }
        return .object(state)
    }

    private static func sparse(_ vector: SharedVector) throws -> JSON {
        var list = try SparseList(Snapshot(JSONReader(vector["snapshot"])))
        var asks: [JSON] = []
        var loads: [String: Int] = [:]
        for (number, step) in vector["steps"].asArray.enumerated() {
            if let change = step["change"] {
                try list.apply(RemoteChangeset(JSONReader(change)))
            } else if let name = step["load"]?.stringValue {
                let section = step.at("section").asInt
                let span = step.at("from").asInt..<step.at("end").asInt
                guard let rows = list.sections[section].elements.missing(in: span) else { continue }
                loads[name] = number + 1
                list.sections[section].elements.await(rows, by: number + 1)
                asks.append([
                    "load": .string(name), "section": .int(section), "version": .int(list.version),
                    "offset": .int(rows.lowerBound), "limit": .int(rows.count),
                ])
            } else {
                // A load that fails brings nothing.
                let load = loads[(step["answer"] ?? step.at("fail")).asString] ?? 0
                let elements = try step.at("elements").asArray.map { try RemoteElement(JSONReader($0)) }
                for section in list.sections.indices {
                    _ = list.sections[section].elements.fill(load: load, with: elements)
                }
            }
        }
        return ["asks": .array(asks), "version": .int(list.version), "sections": .array(list.sections.map(known))]
    }

    private static func known(_ section: SparseSection) -> JSON {
        var object: JSONObject = ["id": .string(section.id)]
        for member in section.attributes.members { object[member.name] = member.value }
        object["count"] = .int(section.elements.count)
        object["known"] = .array(
            section.elements.places.compactMap { place -> JSON? in
                section.elements[place].map { JSON.array([.int(place), $0.json]) }
            })
        return .object(object)
    }
}

// MARK: - Changes that are shown at once

extension SharedVectorTests {
    private struct Gone: Error {}

    /// What becomes of sections by the change of a vector.
    private static func changed(_ sections: [RemoteSection], _ change: JSON) throws -> [RemoteSection] {
        var sections = sections
        func put(_ element: RemoteElement, at path: JSON) throws {
            let (section, place) = ((path[0] ?? .null).asInt, (path[1] ?? .null).asInt)
            guard sections.indices.contains(section), place <= sections[section].elements.count else { throw Gone() }
            sections[section].elements.insert(element, at: place)
        }
        guard let name = change["remove"] ?? change["set"] ?? change["move"] else {
            try put(try RemoteElement(JSONReader(change.at("element"))), at: change.at("insert"))
            return sections
        }
        let paths = sections.indices.flatMap { section in
            sections[section].elements.indices.map { ElementPath(section: section, element: $0) }
        }
        let found = paths.first { JSON.string(sections[$0.section].elements[$0.element].id) == name }
        guard let path = found else { throw Gone() }
        let element = sections[path.section].elements.remove(at: path.element)
        if let value = change["value"] {
            let new = RemoteElement(id: element.id, model: element.model ?? "", value: value)
            sections[path.section].elements.insert(new, at: path.element)
        } else if let target = change["to"] {
            try put(element, at: target)
        }
        return sections
    }

    private static func overlay(_ vector: SharedVector) throws -> JSON {
        var list = try list(vector["snapshot"])
        var overlays = ListOverlays()
        var shown: [JSON] = []
        var rejected: [String] = []
        for step in vector["steps"].asArray {
            if let cause = step["show"]?.stringValue {
                let change = step.at("change")
                do {
                    _ = try changed(overlays.over(list.sections), change)
                    overlays.add(cause: cause, epoch: list.epoch) { try Self.changed($0, change) }
                } catch is Gone {
                    rejected.append(cause)
                }
            } else if let cause = step["confirm"]?.stringValue {
                overlays.confirm(cause: cause, version: step.at("version").intValue ?? list.version + 1)
                overlays.settle(version: list.version, epoch: list.epoch)
            } else if let cause = step["refuse"]?.stringValue {
                overlays.remove(cause: cause)
            } else if let publish = step["publish"] {
                let changeset = try RemoteChangeset(JSONReader(publish))
                try list.apply(changeset)
                overlays.settle(version: list.version, epoch: list.epoch, causes: changeset.causes)
            } else {
                list = try Self.list(step.at("snapshot"))
                overlays.settle(version: list.version, epoch: list.epoch)
            }
            let sections = overlays.over(list.sections).map { section in
                JSON.array(section.elements.map { JSON.array([.string($0.id), $0.value]) })
            }
            shown.append(.array(sections))
        }
        return ["shown": .array(shown), "rejected": .strings(rejected)]
    }
}
