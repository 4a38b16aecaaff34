import Testing

@testable import TLSEngine

/// A session with what came out of it.
final class ServerEnd {
    var session: TLSSession
    private(set) var received: [UInt8] = []
    var output: [UInt8] = []
    /// The first failure.
    private(set) var failure: TLSError?

    init(_ context: TLSContext) throws {
        session = try TLSSession(context: context)
    }

    func receive(_ bytes: [UInt8]) {
        do throws(TLSError) {
            try session.receive(bytes.span.bytes, to: &received, output: &output)
        } catch {
            #expect(failure == nil || failure == error)
            failure = error
            #expect(session.state == .failed(error))
        }
    }

    func send(_ bytes: [UInt8]) throws { try session.send(bytes.span.bytes, to: &output) }

    func close() { session.close(to: &output) }

    func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    var state: TLSSession.State { session.state }
}

/// Carries bytes in both directions until nobody has anything to say; `piece` is how many go at a time.
func connect(_ client: TestClient, _ server: ServerEnd, piece: Int = .max) {
    var rounds = 0
    while rounds < 100 {
        rounds += 1
        let fromClient = client.step()
        for start in stride(from: 0, to: fromClient.count, by: piece == .max ? max(1, fromClient.count) : piece) {
            server.receive(Array(fromClient[start...].prefix(piece)))
        }
        let fromServer = server.takeOutput()
        if fromClient.isEmpty, fromServer.isEmpty { return }
        client.feed(fromServer)
    }
    Issue.record("client and server never come to rest")
}

/// Makes both ends and connects them.
func connected(
    to context: TLSContext, _ options: TestClient.Options = .init()
) throws -> (client: TestClient, server: ServerEnd) {
    let client = try TestClient(options)
    let server = try ServerEnd(context)
    connect(client, server)
    return (client, server)
}

/// The plaintext lengths of records, from their headers (RFC 8446, section 5.1): `count` bytes each.
func recordLengths(_ bytes: [UInt8]) -> [Int] {
    var lengths: [Int] = []
    var start = 0
    while start + 5 <= bytes.count {
        let length = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
        lengths.append(length)
        start += 5 + length
    }
    #expect(start == bytes.count, "the bytes do not end with a record")
    return lengths
}
