import Foundation
import Glibc
import Reactor
import Synchronization
import TestSupport
import Testing
import Webhooks

@testable import HTTPClient

/// A transport on a loop of its own, for the length of one test.
struct TransportFixture: Sendable {
    let transport: HTTPClient
    let loop: EventLoop
    let clock: ManualClock?

    /// Sends a notification, or what is asked for.
    func send(
        _ url: HTTPURL, _ body: String = "{}", fields: [HeaderField] = [],
        urgency: ClientRequest.Urgency = .notification, sender: String = "hook", timeout: Duration = .seconds(120)
    ) async -> Result<ClientResponse, ClientFailure> {
        await transport.send(
            ClientRequest(
                url: url, fields: fields, body: Array(body.utf8), urgency: urgency, sender: sender, timeout: timeout))
    }

    /// The failure of a request that has to fail.
    func failure(
        _ url: HTTPURL, timeout: Duration = .seconds(120), fields: [HeaderField] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> ClientFailure? {
        switch await send(url, fields: fields, timeout: timeout) {
        case .failure(let failure):
            return failure
        case .success(let response):
            Issue.record("answered \(response.status)", sourceLocation: sourceLocation)
            return nil
        }
    }

    /// Waits until the transport's statistics are so.
    func eventually(_ what: String, _ condition: (HTTPClientStatistics) -> Bool) async throws {
        try await TestSupport.eventually(what) { condition(transport.statistics) }
    }
}

/// How many sockets of this process are connected, or connecting, to a port here.
func openSockets(to port: UInt16) -> Int {
    let digits = String(port, radix: 16)
    let suffix = ":" + String(repeating: "0", count: 4 - digits.count) + digits
    // Other processes may have connections to a port of the same number, which they had before.
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let own = Set(
        descriptors.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") })
    return ["/proc/net/tcp", "/proc/net/tcp6"].flatMap(lines).filter { line in
        let columns = line.split(separator: " ")
        return columns.count > 9 && columns[2].lowercased().hasSuffix(suffix) && own.contains("socket:[\(columns[9])]")
    }.count
}

/// The lines of a file of the kernel's, whose size is not known before its end.
private func lines(of path: String) -> [String] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var lines: [String] = []
    while let line = readLine(from: file) { lines.append(line) }
    return lines
}

private func readLine(from file: UnsafeMutablePointer<FILE>) -> String? {
    var buffer = [CChar](repeating: 0, count: 1024)
    guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Runs `body` with a transport that may reach this machine, and shuts it down; receivers expect that no connection is left.
func withTransport(
    allowing rules: [String] = ["loopback"], resolver: any Resolver = SystemResolver(), clock: ManualClock? = nil,
    _ change: (inout HTTPClientConfiguration) throws -> Void = { _ in },
    _ body: (TransportFixture) async throws -> Void
) async throws {
    let loop = try clock.map { try EventLoop(name: "webhooks", clock: $0) } ?? EventLoop(name: "webhooks")
    var configuration = HTTPClientConfiguration(version: "1.2.3")
    try change(&configuration)
    let transport = try HTTPClient(
        loop: loop, rules: AddressPolicy(allowing: rules.map { try AddressRule($0) }), resolver: resolver,
        configuration: configuration)
    do {
        try await body(TransportFixture(transport: transport, loop: loop, clock: clock))
    } catch {
        Issue.record(error)
    }
    await transport.shutdown()
    let statistics = transport.statistics
    #expect(statistics.waiting == 0)
    #expect(statistics.underWay == 0)
    await loop.stopAndWait()
}

/// A resolver that answers what it was told to: for each name one answer after the other, the last one for good.
final class ScriptedResolver: Resolver {
    private let script: Mutex<[String: [[IPAddress]]]>
    private let asked = Kept<String>()

    init(_ script: [String: [[String]]]) throws {
        self.script = Mutex(try script.mapValues { try $0.map { try $0.map { try #require(IPAddress($0)) } } })
    }

    /// The names that were looked up, in order.
    var names: [String] { asked.all }

    func resolve(_ name: String) async throws(ResolutionError) -> [IPAddress] {
        asked.add(name)
        let addresses: [IPAddress]? = script.withLock { script in
            guard let answers = script[name], let first = answers.first else { return nil }
            if answers.count > 1 { script[name]?.removeFirst() }
            return first
        }
        guard let addresses else { throw ResolutionError("no such name") }
        return addresses
    }
}

extension Result {
    /// The value of a success.
    var value: Success? { try? get() }
}
