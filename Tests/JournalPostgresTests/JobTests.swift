import Journal
import JournalTesting
import TestSupport
import Testing

@testable import JournalPostgres

/// What takes long holds up neither looks nor the lease: a table that is locked stands for a list that takes long to read.
@Suite(.serialized)
struct JobTests {
    private static let names = ["a", "b", "c"]
    /// The loads that wait for the table. What a node measures of the tables waits there too, now and then, and is no load.
    private static let waitingLoads =
        "FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM callboard.records%'"

    /// Makes an owner of some directors, and a node that has loaded none of them.
    private func two(
        _ change: (inout PostgresSettings) -> Void = { _ in },
        _ body: (_ owner: TestNode, _ other: TestNode, TestDatabase) async throws -> Void
    ) async throws {
        let database = try PostgresServer.shared.get().makeDatabase()
        let owner = try TestNode(database, change)
        defer { owner.journal.close() }
        for name in Self.names { try await owner.journal.append(.begin(name)) }
        let other = try TestNode(database) {
            $0.sharing?.loadsAhead = false
            $0.lease = PostgresSettings.lastingLease
        }
        defer { other.journal.close() }
        try await body(owner, other, database)
    }

    /// Waits until a node has looked for longer than its lease lasts, and checks that it holds it all the time.
    private func looksGoOn(_ node: TestNode) async throws {
        let sharing = try #require(node.journal.sharing)
        let first = sharing.leaseEnd
        var isHeld = true
        try await eventually("looks after the lease") {
            isHeld = isHeld && .now < sharing.leaseEnd
            return .now > first && sharing.sharingStatus.looks > 10
        }
        #expect(isHeld)
    }

    @Test("looks go on while a director is loaded; who asks for it waits, and nobody else")
    func loading() async throws {
        try await two { owner, other, database in
            let tables = try OpenTransaction(database, "LOCK callboard.records IN ACCESS EXCLUSIVE MODE")
            async let asked = other.look(at: ["a"])
            try await eventually("a load") { try database.integer("SELECT count(*) \(Self.waitingLoads)") == 1 }
            try await looksGoOn(other)
            #expect(await other.look() == nil)
            #expect(other.numbers(of: "a") == [])
            try tables.commit()
            #expect(await asked == nil)
            #expect(other.numbers(of: "a") == [1] && other.numbers(of: "b") == [])
        }
    }

    @Test("directors are taken before they are loaded, and belong to nobody in between")
    func taking() async throws {
        try await two {
            // It never renews its lease, as a process that is stopped does not.
            $0.renewal = .seconds(3600)
        } _: { owner, other, database in
            let tables = try OpenTransaction(database, "LOCK callboard.records IN ACCESS EXCLUSIVE MODE")
            other.serve()
            try await eventually("a takeover") {
                try database.integer("SELECT count(*) FROM callboard.lives WHERE owner = \(other.number)") == 3
            }
            try await looksGoOn(other)
            #expect(Self.names.allSatisfy { other.owner(of: $0) == Placement.nobody })
            #expect(!other.events.contains { if case .own = $0 { true } else { false } })
            try tables.commit()
            try await eventually("ownership") { Self.names.allSatisfy { other.events.contains(.own($0)) } }
            #expect(Self.names.allSatisfy { other.numbers(of: $0) == [1] })
            try await eventually("owners") { Self.names.allSatisfy { other.owner(of: $0) == other.number } }
            try await other.journal.append(.text("b", of: "a", number: 2))
        }
    }

    @Test("who waits for a director is refused where the connection is lost that loads it, which is made again")
    func lostConnection() async throws {
        try await two { owner, other, database in
            let tables = try OpenTransaction(database, "LOCK callboard.records IN ACCESS EXCLUSIVE MODE")
            async let asked = other.look(at: ["a"])
            try await eventually("a load") { try database.integer("SELECT count(*) \(Self.waitingLoads)") == 1 }
            try database.execute("SELECT pg_terminate_backend(pid, 5000) \(Self.waitingLoads)")
            #expect(await asked != nil)
            try tables.commit()
            try await eventually("a load") { other.numbers(of: "a") == [1] }
            #expect(await other.look(at: ["a"]) == nil)
        }
    }

    @Test("a node has four connections, and one more for the moment in which it takes directors")
    func connections() async throws {
        try await two { owner, other, database in
            for name in Self.names { #expect(await other.look(at: [name]) == nil) }
            try await owner.journal.append(.text("b", of: "a", number: 2))
            for node in [owner, other] {
                #expect(
                    try database.integer(
                        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'callboard node \(node.number)'"
                    )
                        <= 4)
            }
            #expect(
                try database.integer(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                ) <= 8)
        }
    }
}
