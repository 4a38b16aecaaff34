import CallboardAPI
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("What a stream promises, under load")
struct StreamGuaranteeTests {
    /// What every subscriber saw at every version: all of them have to agree.
    private final class Sightings: Sendable {
        private let contents = Mutex<[Int: String]>([:])
        private let disagreements = Mutex<[String]>([])

        func record(_ version: Int, _ content: String) {
            let other = contents.withLock { contents in
                defer { contents[version] = contents[version] ?? content }
                return contents[version]
            }
            if let other, other != content {
                disagreements.withLock { $0.append("version \(version): \(other) and \(content)") }
            }
        }

        var all: [Int: String] { contents.withLock { $0 } }
        var faults: [String] { disagreements.withLock { $0 } }
    }

    /// How much is retained: enough for every version to be read back, and so little that subscribers fall out.
    enum Retention: Int, CaseIterable, Sendable {
        case everything = 100_000
        case little = 4
    }

    @Test(
        "every replica equals the published state at every version it saw; nothing twice, nothing missing",
        arguments: [(Retention.everything, "null"), (.little, "null"), (.everything, #"["/n"]"#), (.little, "[]")])
    func replicasConverge(_ retention: Retention, content: String) async throws {
        let seed = runSeed
        print("stream guarantees, retention \(retention): CALLBOARD_SEED=\(seed)")
        try await TestServer.run {
            $0.feed.retainedVersions = retention.rawValue
        } _: { server in
            try server.makeDirector(content: content)
            try Self.fill(server)
            let sightings = Sightings()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for reader in 0..<8 {
                    group.addTask {
                        try await onThread {
                            try Self.follow(server, sightings, SeededGenerator(seed: seed &+ UInt64(reader) &+ 100))
                        }
                    }
                }
                try await withThrowingTaskGroup(of: Void.self) { writers in
                    for writer in 0..<3 {
                        writers.addTask {
                            try await onThread { try Self.write(server, SeededGenerator(seed: seed &+ UInt64(writer))) }
                        }
                    }
                    try await writers.waitForAll()
                }
                try server.send("POST", "/v1/directors/d/sections?reload=true", #"{"id":"the-end"}"#).expect(201)
                try await group.waitForAll()
            }
            #expect(sightings.faults.isEmpty, "\(sightings.faults.first ?? "")")
            try Self.compare(sightings, server, isComplete: retention == .everything)
        }
    }

    private static func fill(_ server: TestServer) throws {
        let elements = (0..<12).map { #"{"value":{"id":"e\#($0)","n":0}}"# }.joined(separator: ",")
        let sections = (0..<4).map { #"{"id":"s\#($0)","elements":[\#(elements)]}"# }.joined(separator: ",")
        try server.send("PUT", "/v1/directors/d/sections?reload=true", "[\(sections)]").expect(200)
    }

    // MARK: Writers

    private static func write(_ server: TestServer, _ source: SeededGenerator) throws {
        var random = source
        let connection = try TestConnection(port: server.port)
        for round in 0..<250 {
            let operations = (0..<Int.random(in: 1...4, using: &random)).map { _ in operation(round, &random) }
            let body = #"{"operations":[\#(operations.joined(separator: ","))],"reload":true}"#
            let answer = try connection.send("POST", "/v1/directors/d/operations", body)
            // Another writer may have taken away what an operation names: then nothing may have changed.
            guard [200, 404, 409, 422].contains(answer.status) else {
                throw TestClientError(description: "\(answer.status) \(answer.text)")
            }
        }
    }

    private static func operation(_ round: Int, _ random: inout SeededGenerator) -> String {
        let section = "@\(Int.random(in: 0..<4, using: &random))"
        let position = Int.random(in: 0..<8, using: &random)
        let other = Int.random(in: 0..<8, using: &random)
        let value = #"{"value":{"id":"e\#(Int.random(in: 0..<30, using: &random))","n":\#(round / 4),"m":\#(round)}}"#
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return #"{"op":"addElements","section":"\#(section)","elements":[\#(value)],"at":\#(position)}"#
        case 1: return #"{"op":"removeElements","section":"\#(section)","at":[\#(position)]}"#
        case 2, 3: return #"{"op":"setElement","section":"\#(section)","element":"@\#(position)","value":\#(value)}"#
        case 4: return #"{"op":"moveElement","section":"\#(section)","from":\#(position),"to":\#(other)}"#
        case 5:
            return #"{"op":"moveElement","section":"\#(section)","from":\#(position),"to":0,"toSection":"@0"}"#
        case 6: return #"{"op":"swapSections","at":0,"with":\#(other % 4)}"#
        case 7:
            return #"{"op":"patchSection","section":"\#(section)","patch":{"isCollapsed":\#(position == 0)}}"#
        case 8:
            return #"{"op":"patchElement","section":"\#(section)","element":"@\#(position)","patch":{"m":\#(round)}}"#
        default:
            return #"{"op":"patchElement","section":"\#(section)","element":"@\#(position)","patch":{"n":\#(round)}}"#
        }
    }

    // MARK: Readers

    /// Follows the director with connections that come, go, pause and resume at random, up to the last version.
    private static func follow(_ server: TestServer, _ sightings: Sightings, _ source: SeededGenerator) throws {
        var random = source
        var replica = TestReplica()
        var lastID: String?
        while true {
            if Bool.random(using: &random), Bool.random(using: &random) {
                replica = TestReplica()
                lastID = nil
            }
            let mode = Bool.random(using: &random) ? "?catchup=each" : ""
            let stream = try TestStream(
                port: server.port, target: "/v1/directors/d/changesets" + mode, lastEventID: lastID)
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                guard let event = try stream.nextContent() else {
                    throw TestClientError(description: "the stream ended")
                }
                let before = replica.version
                try replica.apply(event)
                if event.name == "snapshot" || event.name == "changeset" {
                    guard event.name == "snapshot" || replica.version > before else {
                        throw TestClientError(description: "version \(replica.version) came twice")
                    }
                    guard event.id == "\(replica.epoch)-\(replica.version)" else {
                        throw TestClientError(description: "\(event.id) is not \(replica.epoch)-\(replica.version)")
                    }
                    sightings.record(replica.version, try replica.content())
                }
                lastID = stream.lastEventID
                if replica.sections.last?.header["id"] as? String == "the-end" { return }
            }
            if Bool.random(using: &random) { usleep(UInt32.random(in: 0...20_000, using: &random)) }
        }
    }

    /// Holds what was seen against what the server says was published.
    private static func compare(_ sightings: Sightings, _ server: TestServer, isComplete: Bool) throws {
        let connection = try TestConnection(port: server.port)
        let newest = try #require(try connection.send("GET", "/v1/directors/d").json["version"] as? Int)
        let all = sightings.all
        #expect(all[newest] != nil)
        #expect(all.count > 20)
        for (version, content) in all where isComplete || version == newest {
            let target = "/v1/directors/d/sections?state=published&version=\(version)&limit=10000"
            let published = try connection.send("GET", target).expect(200).json
            #expect(try canonical(published["sections"] ?? "") == content, "version \(version)")
        }
    }
}
