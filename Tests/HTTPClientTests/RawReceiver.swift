import Glibc
import Reactor
import Synchronization
import Testing

@testable import HTTPClient

/// A receiver that does with each connection whatever a test wants: it has the socket itself, and a thread for it.
final class RawReceiver: Sendable {
    /// A connection that was accepted.
    struct Connection: Sendable {
        let number: Int32

        /// Reads what there is, waiting for it; empty at the end.
        func read() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = Glibc.read(number, &bytes, bytes.count)
            return Array(bytes.prefix(max(0, count)))
        }

        /// Reads until the text has come, or the peer is gone; returns everything.
        @discardableResult
        func read(until text: String) -> String {
            var bytes: [UInt8] = []
            var start = 0
            while !String(decoding: bytes[start...], as: UTF8.self).contains(text) {
                // Its beginning may have come already.
                start = max(0, bytes.count - text.utf8.count + 1)
                let more = read()
                if more.isEmpty { break }
                bytes += more
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Sends a text; returns whether the peer took it.
        @discardableResult
        func write(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            return send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
        }

        /// Waits until the peer has gone.
        func waitForEnd() {
            while !read().isEmpty {}
        }
    }

    private let listener: Int32
    private let threads = WaitingThreads(name: "receiver", limit: 64, maxWaiting: 1000)
    let address: SocketAddress

    private init(host: String = "127.0.0.1", _ serve: @escaping @Sendable (Connection) -> Void) throws {
        let wanted = try #require(try SocketAddress.resolve(host: host, port: 0).first)
        let isIPv4 = IPAddress(wanted).map { if case .v4 = $0 { true } else { false } } ?? false
        let listener = socket(isIPv4 ? AF_INET : AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        try #require(wanted.withKernelForm { bind(listener, $0, $1) } == 0)
        try #require(listen(listener, 100) == 0)
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        try #require(result == 0)
        address = SocketAddress(kernelForm: &storage)
        let threads = threads
        let isTaken = threads.run {
            while case let number = accept(listener, nil, nil), number >= 0 {
                _ = threads.run {
                    serve(Connection(number: number))
                    close(number)
                }
            }
        }
        #expect(isTaken)
    }

    func url(_ path: String = "/hook") throws -> HTTPURL {
        try HTTPURL("http://\(address)\(path)")
    }

    /// Runs `body` with a receiver that runs `serve` for each connection, on a thread of its own;
    /// no transport may be connected then.
    static func run(
        host: String = "127.0.0.1", serving serve: @escaping @Sendable (Connection) -> Void,
        _ body: (RawReceiver) async throws -> Void
    ) async throws {
        let receiver = try RawReceiver(host: host, serve)
        do {
            try await body(receiver)
        } catch {
            Issue.record(error)
        }
        #expect(openSockets(to: receiver.address.port ?? 0) == 0)
        shutdown(receiver.listener, Int32(SHUT_RDWR))
        let end = ContinuousClock.now + .seconds(60)
        while receiver.threads.count > 0, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
        #expect(receiver.threads.count == 0)
        close(receiver.listener)
    }
}
