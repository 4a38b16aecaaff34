import DirectorLife
import Journal
import JournalTesting
import TestSupport
import Testing

@testable import JournalPostgres

/// Which directors of other nodes a node has in memory.
@Suite(.serialized)
struct LoadingTests {
    private static let names = (0..<24).map { "list-\($0)" }

    /// Makes two nodes that take part, the first of which owns a director of each name, and a third one.
    private func three(
        _ change: @escaping (inout SharingSettings) -> Void,
        _ body: (_ owner: TestNode, _ other: TestNode, _ third: TestNode, _ database: TestDatabase) async throws -> Void
    ) async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        func node(_ change: (inout SharingSettings) -> Void) throws -> TestNode {
            try TestNode(database) { settings in
                // Nothing is handed over.
                settings.sharing?.settling = .seconds(600)
                if var sharing = settings.sharing {
                    change(&sharing)
                    settings.sharing = sharing
                }
            }
        }
        let owner = try node { _ in }
        defer { owner.journal.close() }
        owner.serve()
        for name in Self.names { try await owner.journal.append(.begin(name)) }
        let other = try node { _ in }
        defer { other.journal.close() }
        other.serve()
        try await eventually("a second node") { try Self.serving(database) == 2 }
        let third = try node(change)
        defer { third.journal.close() }
        try await body(owner, other, third, database)
    }

    private static func serving(_ database: TestDatabase) throws -> Int {
        try database.integer("SELECT count(*) FROM callboard.nodes WHERE state = \(JournalNode.State.serving.rawValue)")
    }

    /// The directors that the third node would take over from the first one.
    private func shares(_ other: TestNode, _ third: TestNode) -> (own: [String], others: [String]) {
        func isOwn(_ name: String) -> Bool {
            Rendezvous.owner(of: name, among: [other.number, third.number]) == third.number
        }
        return (Self.names.filter(isOwn), Self.names.filter { !isOwn($0) })
    }

    private func begun(_ node: TestNode) -> Set<String> {
        Set(
            node.events.compactMap { event in
                if case .begin(let name, _) = event { name } else { nil }
            })
    }

    @Test("a node loads what it would take over, and the rest where it is asked for it")
    func loading() async throws {
        try await three { _ in
        } _: { owner, other, third, _ in
            let (own, others) = shares(other, third)
            #expect(own.count > 4 && others.count > 4)
            #expect(begun(third) == Set(own))
            #expect(Self.names.allSatisfy { third.owner(of: $0) == owner.number })
            for name in [own[0], others[0]] { try await owner.journal.append(.text("b", of: name, number: 2)) }
            #expect(await third.look() == nil)
            #expect(third.numbers(of: own[0]) == [1, 2] && third.numbers(of: others[0]) == [])
            #expect(await third.look(at: [others[0]]) == nil)
            #expect(third.numbers(of: others[0]) == [2])
            try await owner.journal.append(.text("c", of: others[0], number: 3))
            #expect(await third.look() == nil)
            #expect(third.numbers(of: others[0]) == [2, 3])
            #expect(begun(third) == Set(own + [others[0]]))
            // One that is new is nobody's to load either.
            let new = (0...).lazy.map { "new-\($0)" }.first { name in
                Rendezvous.owner(of: name, among: [other.number, third.number]) == other.number
            }
            let name = try #require(new)
            try await owner.journal.append(.begin(name))
            #expect(await third.look() == nil)
            #expect(third.owner(of: name) == owner.number && third.numbers(of: name) == [])
        }
    }

    @Test(
        "what nobody has asked for leaves memory, but for what would be taken over and what is needed, and comes back")
    func unloading() async throws {
        try await three {
            $0.idle = .milliseconds(200)
        } _: { owner, other, third, _ in
            third.serve()
            let (own, others) = shares(other, third)
            third.need(others[1], true)
            for name in [others[0], others[1], own[0]] { #expect(await third.look(at: [name]) == nil) }
            try await eventually("an unload") { third.events.contains(.unload(others[0])) }
            try await owner.journal.append(.text("b", of: others[0], number: 2))
            try await owner.journal.append(.text("b", of: others[1], number: 2))
            #expect(await third.look() == nil)
            #expect(third.numbers(of: others[0]) == [1] && third.numbers(of: others[1]) == [1, 2])
            #expect(await third.look(at: [others[0]]) == nil)
            #expect(third.numbers(of: others[0]) == [1, 2])
            third.need(others[1], false)
            try await eventually("an unload") { third.events.contains(.unload(others[1])) }
            #expect(!third.events.contains { event in own.contains { event == .unload($0) } })
        }
    }

    @Test("a director that is asked for again and again stays")
    func used() async throws {
        try await three {
            $0.idle = .seconds(1)
        } _: { _, other, third, _ in
            let name = shares(other, third).others[0]
            for _ in 0..<50 {
                #expect(await third.look(at: [name]) == nil)
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(third.numbers(of: name) == [1] && !third.events.contains(.unload(name)))
        }
    }

    @Test("what a node would take over, and has had no time to load, is loaded when it is taken over")
    func takeover() async throws {
        try await three {
            $0.loadsAhead = false
        } _: { owner, other, third, database in
            third.serve()
            try await eventually("a third node") { try Self.serving(database) == 3 }
            // Loaded at the start; these come later.
            let own = (0..<200).map { "late-\($0)" }.filter { name in
                Rendezvous.owner(of: name, among: [other.number, third.number]) == third.number
            }.prefix(4)
            for name in own { try await owner.journal.append(.begin(name)) }
            #expect(await third.look() == nil)
            #expect(own.allSatisfy { third.numbers(of: $0) == [] })
            try await eventually("a takeover") {
                try database.execute(
                    "DELETE FROM callboard.nodes WHERE node = \(owner.number)")
                return own.allSatisfy { third.events.contains(.own($0)) }
            }
            #expect(own.allSatisfy { third.numbers(of: $0) == [1] })
            try await third.journal.append(.text("b", of: own[0], number: 2))
        }
    }

    @Test("one that nobody has loaded is over at a node once it has ended at its owner")
    func end() async throws {
        try await three { _ in
        } _: { owner, other, third, _ in
            let name = shares(other, third).others[0]
            try await owner.journal.append(
                LifeRecord(director: name, epoch: "e1", number: 2, entries: [.deleted]))
            #expect(await third.look(at: [name]) == nil)
            #expect(third.owner(of: name) == nil && third.numbers(of: name) == [])
            #expect(third.events.contains(.end(name)))
        }
    }
}
