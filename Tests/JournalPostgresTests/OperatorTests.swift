import Access
import DirectorLife
import Directors
import Foundation
import Journal
import JournalTesting
import TestSupport
import Testing

@testable import JournalPostgres

/// What whoever operates a database does without a server.
@Suite(.serialized)
struct OperatorTests {
    @Test("a token is made, listed and revoked in an empty database, and a server has it when it starts")
    func tokens() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let refusal = #expect(throws: JournalError.self) { _ = try TokenDatabase(try database.address, makes: false) }
        #expect(refusal?.description.contains("no journal") == true)
        let tokens = try TokenDatabase(try database.address, makes: true)
        var ending = TokenEntry.sample(2, name: "a\0b")
        ending = TokenEntry(
            id: ending.id, name: ending.name, digest: ending.digest, grants: .everything, createdAt: ending.createdAt,
            expiresAt: 1_900_000_000)
        try tokens.change([.put(.sample(1)), .put(ending)])
        #expect(try tokens.tokens() == [.sample(1), ending])
        let journal = try database.open()
        #expect(try journal.tokens.tokens() == [.sample(1), ending])
        // It has read its tokens, and would not see the change.
        let alone = #expect(throws: JournalError.self) { try tokens.change([.put(.sample(3))]) }
        #expect(alone?.description.contains("has the database for itself") == true)
        #expect(throws: JournalError.self) { try tokens.change([.remove(id: "tok_1")]) }
        #expect(try tokens.tokens().count == 2)
        journal.close()
        try tokens.change([.remove(id: "tok_1")])
        #expect(try tokens.tokens() == [ending])
    }

    @Test("nodes that share the database see a token that is made beside them, and one that is revoked")
    func besideNodes() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let node = try TestNode(database)
        defer { node.journal.close() }
        let tokens = try TokenDatabase(try database.address, makes: true)
        try tokens.change([.put(.sample(1))])
        try await eventually("the node has the token") { node.tokens.count == 1 }
        try tokens.change([.remove(id: "tok_1")])
        try await eventually("the node has lost it") { node.tokens.isEmpty }
        // It goes on storing tokens itself.
        try await node.journal.tokens.write([.put(.sample(2))])
        #expect(try tokens.tokens() == [.sample(2)])
    }

    @Test("every director has another epoch with all that it holds, and deliveries follow it")
    func epochs() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let journal = try database.open()
        var life = RandomLife("one", epoch: "e1", seed: SeededGenerator.seedOfRun("epochs"))
        try await journal.append(life.begin())
        for _ in 0..<20 { try await journal.append(life.step()) }
        try await journal.append(.begin("tw\0o"))
        var dead = Delivery.sample(2, director: "one", epoch: "e0")
        dead.state = .dead
        try await journal.deliveries.write([.put(.sample(1, director: "one")), .put(dead)])
        // A server has it.
        let refusal = #expect(throws: JournalError.self) {
            _ = try EpochRenewal(try database.address, settings: .quick)
        }
        #expect(refusal?.description.contains("has the database") == true)
        journal.close()
        #expect(try EpochRenewal(try database.address, settings: .quick).directors == 2)
        let again = try database.open()
        defer { again.close() }
        let recovery = try Recovery(of: again, limits: DirectorLimits(), retention: life.retention)
        let found = try #require(recovery.directors.first { $0.state.director.name == "one" })
        #expect(found.state.director.epoch != "e1" && found.state.number == life.number)
        #expect(found.state.director.working == life.director.working)
        let epochs = try again.deliveries.deliveries().map(\.address.epoch)
        #expect(epochs == [found.state.director.epoch, "e0"])
        #expect(try database.integer("SELECT count(*) FROM callboard.nodes") == 1)
    }

    @Test("nodes that are registered keep the epochs from being changed")
    func epochsBesideNodes() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let node = try TestNode(database)
        defer { node.journal.close() }
        try await node.journal.append(.begin())
        #expect(throws: JournalError.self) { _ = try EpochRenewal(try database.address, settings: .quick) }
        #expect(try database.integer("SELECT count(*) FROM callboard.lives WHERE epoch = 'e1'") == 1)
    }

    @Test("damaged tokens, deliveries and answers are set aside and kept, and everything else is served")
    func setAside() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let journal = try database.open()
        try await journal.append(.begin(answer: StoredAnswer(key: "k", fingerprint: 1, body: [1], expires: .max)))
        try await journal.deliveries.write([.put(.sample(1)), .put(.sample(2))])
        try await journal.tokens.write([.put(.sample(1)), .put(.sample(2))])
        journal.close()
        try database.execute("UPDATE callboard.tokens SET name = 'x' WHERE id = 'tok_1'")
        try database.execute("UPDATE callboard.deliveries SET attempts = 9223372036854775807 WHERE delivery = 2")
        try database.execute("UPDATE callboard.answers SET fingerprint = 2")
        #expect(throws: JournalError.self) { _ = try database.open() }
        var settings = PostgresSettings.quick
        settings.setsAside = true
        let again = try database.open(settings)
        defer { again.close() }
        #expect(again.setAside.count == 3)
        #expect(try again.tokens.tokens() == [.sample(2)])
        #expect(try again.deliveries.deliveries() == [.sample(1)])
        #expect(try again.lives().count == 1)
        #expect(try again.answers(of: "contacts") == [])
        #expect(try database.integer("SELECT count(*) FROM callboard.aside WHERE content ? 'checksum'") == 3)
    }

    @Test("a change that the database cannot take is refused by itself, and the journal goes on being well")
    func content() async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let journal = try database.open()
        defer { journal.close() }
        try database.execute("ALTER TABLE callboard.tokens ADD CHECK (name <> 'never')")
        await #expect(throws: StorageError.self) {
            try await journal.tokens.write([.put(.sample(1, name: "never"))])
        }
        #expect(journal.status == .ok)
        try await journal.tokens.write([.put(.sample(1))])
    }
}
