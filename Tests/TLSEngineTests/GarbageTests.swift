import TestSupport
import Testing

@testable import TLSEngine

@Suite("Garbage")
struct GarbageTests {
    @Test("never traps and never opens a session", arguments: [(0, 40_000), (1, 40_000), (2, 5000), (3, 15_000)])
    func survivesGarbage(kind: Int, count: Int) throws {
        let context = try Fixtures.context(protocols: ["h2"])
        var random = SeededGenerator(seed: SeededGenerator.seedOfRun("garbage \(kind)") &+ UInt64(kind))
        let hello = try TestClient(Fixtures.options()).step()
        for _ in 0..<count {
            var bytes: [UInt8]
            switch kind {
            case 0: bytes = (0..<random.below(300)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            case 1:
                let count = random.below(200)
                bytes = [0x16, 3, UInt8(random.below(5)), 0, UInt8(count)]
                bytes += (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            case 2:
                bytes = hello
                for _ in 0...random.below(8) {
                    bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
                }
            default:
                let start = random.below(hello.count)
                bytes = Array(hello[..<start] + hello[random.below(hello.count)...])
            }
            var session = try TLSSession(context: context)
            var (plaintext, output): ([UInt8], [UInt8]) = ([], [])
            try? session.receive(bytes.span.bytes, to: &plaintext, output: &output)
            session.receiveEnd()
            let isOpen = session.state == .open
            if isOpen || !plaintext.isEmpty { Issue.record("it opened with \(bytes)") }
        }
    }

    @Test("in an open session ends it with a typed error", arguments: bothVersions)
    func endsOpenSession(version: TLSSession.Version) throws {
        let context = try Fixtures.context()
        var random = SeededGenerator(seed: SeededGenerator.seedOfRun("open garbage"))
        for _ in 0..<200 {
            let (client, server) = try connected(to: context, Fixtures.options(version))
            var bytes = client.write((0..<random.below(100) + 1).map { UInt8(truncatingIfNeeded: $0) })
            let index = random.below(bytes.count)
            bytes[index] ^= UInt8(1 + random.below(255))
            server.receive(bytes)
            #expect(server.received.isEmpty)
            // A longer length makes it wait; the end then is a truncation.
            server.session.receiveEnd()
            #expect(server.failure != nil || server.state == .truncated)
        }
    }
}
