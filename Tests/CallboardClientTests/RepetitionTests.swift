import Foundation
import Synchronization
import Testing

@testable import CallboardClient

#if os(Linux)
    import Glibc

    /// Answers the first request of each connection, and closes it once the second one has arrived.
    private final class ClosingServer: Sendable {
        private let listener: Int32
        private let heads = Mutex<[String]>([])
        let port: Int

        var requests: [String] { heads.withLock { $0 } }

        init() throws {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            self.listener = listener
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, length) == 0 && listen(listener, 8) == 0
                        && getsockname(listener, $0, &length) == 0
                }
            }
            try #require(result)
            port = Int(UInt16(bigEndian: address.sin_port))
            Thread { self.serve() }.start()
        }

        func stop() {
            shutdown(listener, Int32(SHUT_RDWR))
            close(listener)
        }

        private func serve() {
            while case let number = accept(listener, nil, nil), number >= 0 { Thread { self.serve(number) }.start() }
        }

        private func serve(_ number: Int32) {
            defer { close(number) }
            for turn in 0... {
                var text = ""
                var bytes = [UInt8](repeating: 0, count: 65_536)
                while !text.contains("\r\n\r\n") || !Self.isWhole(text) {
                    let count = read(number, &bytes, bytes.count)
                    if count <= 0 { return }
                    text += String(decoding: bytes.prefix(count), as: UTF8.self)
                }
                heads.withLock { $0.append(text) }
                guard turn == 0 else { return }
                let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
                send(number, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
            }
        }

        private static func isWhole(_ text: String) -> Bool { !text.hasPrefix("POST") || text.hasSuffix("]") }
    }

    @Suite("Repetition of requests", .timeLimit(.minutes(1)))
    struct RepetitionTests {
        @Test("a request that changes something is sent once, also where a kept connection ends without an answer")
        func once() async throws {
            let server = try ClosingServer()
            defer { server.stop() }
            let director = try Callboard(server: "http://127.0.0.1:\(server.port)").director("d")
            let add = { _ = try await director.addElements([ElementDraft(["id": "a"], model: "M")], in: "s") }
            try await add()
            let error = await #expect(throws: ClientError.self) { try await add() }
            guard case .unreachable(_, let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.contains("whether the request was carried out is not known"))
            #expect(server.requests.count == 2)
            try await add()
            #expect(server.requests.count == 3)
            // The next one finds the connection used again: a DELETE by its position would take another element away.
            await #expect(throws: ClientError.self) { try await director.removeElement(.position(0), in: "s") }
            #expect(server.requests.count == 4)
        }

        @Test("each POST has a key of its own, or the caller's; nothing else has one")
        func keys() async throws {
            let transport = TestTransport(Array(repeating: .status(200, fields: [:], body: "{}"), count: 6))
            let director = try Callboard(server: "http://localhost", transport: transport).director("d")
            for _ in 0..<2 { try await director.addElements([ElementDraft(["id": "a"], model: "M")], in: "s") }
            try await director.addElements(
                [ElementDraft(["id": "a"], model: "M")], in: "s", WriteOptions(idempotencyKey: "mine"))
            try await director.removeElement(.position(0), in: "s")
            let keys = transport.requests.map { $0.value(forHTTPHeaderField: "Idempotency-Key") }
            #expect(Set(keys).count == 4 && keys[2] == "mine" && keys[3] == nil)
            await #expect(throws: ClientError.invalidIdempotencyKey("ä")) {
                try await director.addElements(
                    [ElementDraft(["id": "a"], model: "M")], in: "s", WriteOptions(idempotencyKey: "ä"))
            }
        }
    }
#endif
