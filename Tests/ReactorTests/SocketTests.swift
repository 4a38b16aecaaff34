import CLinux
import Glibc
import Reactor
import Synchronization
import Testing

/// Passes on what the loop reports.
private final class Reporter: EventHandler {
    let record = Record<(UInt64, Readiness)>()
    let body: @Sendable (UInt64) -> Void

    init(_ body: @escaping @Sendable (UInt64) -> Void = { _ in }) { self.body = body }

    func ready(_ readiness: Readiness, token: UInt64) {
        record.add((token, readiness))
        body(token)
    }
}

extension Reporter {
    /// Waits until there were `count` reports.
    fileprivate func waits(for count: Int) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while record.values.count < count, ContinuousClock.now < end { await Task.yield() }
    }
}

/// Descriptors that are ready when the test says so.
private final class WatchedPair: Sendable {
    let first: Descriptor
    let second: Descriptor
    let third: Descriptor
    private let peers: [Int32]

    init() throws {
        let pairs = try (0..<3).map { _ in try socketPair() }
        first = Descriptor(owning: pairs[0].0)
        second = Descriptor(owning: pairs[1].0)
        third = Descriptor(owning: pairs[2].0)
        peers = pairs.map(\.1)
    }

    deinit {
        for peer in peers { close(peer) }
    }

    func makeReadable() {
        for peer in peers { _ = write(peer, "x", 1) }
    }
}

/// Two connected, non-blocking sockets.
private func socketPair() throws -> (Int32, Int32) {
    var pair: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &pair) == 0)
    return (pair[0], pair[1])
}

@Suite("Sockets on a loop")
struct SocketTests {
    @Test("an event for a descriptor that was given up in the same turn reaches nobody")
    func generations() async throws {
        let loop = try EventLoop(name: "generations")
        let (pair, latecomer) = (try WatchedPair(), Reporter())
        let registrations = Mutex<[UInt64: Registration]>([:])
        // Whichever is reported first gives up the other one, and a third user takes its place in the table.
        let reporter = Reporter { token in
            guard let other = registrations.withLock({ $0[3 - token] }) else { return }
            loop.forget(other)
            _ = try? loop.register(pair.third, for: [], edgeTriggered: true, handler: latecomer, token: 3)
        }
        loop.execute {
            // Both are ready before the loop looks for the first time, so that one look sees both.
            pair.makeReadable()
            let first = try? loop.register(pair.first, for: .readable, edgeTriggered: true, handler: reporter, token: 1)
            let second = try? loop.register(
                pair.second, for: .readable, edgeTriggered: true, handler: reporter, token: 2)
            registrations.withLock { $0 = [1: first, 2: second].compactMapValues(\.self) }
        }
        for _ in 0..<3 { _ = await onLoop(loop) { 0 } }
        #expect(registrations.withLock { $0.count } == 2)
        #expect(reporter.record.values.count == 1)
        #expect(latecomer.record.values.isEmpty)
        await loop.stopAndWait()
    }

    @Test("edge-triggered readiness is reported once for each change, and not at all once deregistered")
    func edges() async throws {
        let loop = try EventLoop(name: "edges")
        let (pair, reporter) = (try WatchedPair(), Reporter())
        let registration = try #require(
            await onLoop(loop) {
                try? loop.register(pair.first, for: .readable, edgeTriggered: true, handler: reporter, token: 7)
            })
        for expected in 1...3 {
            pair.makeReadable()
            try await reporter.waits(for: expected)
            for _ in 0..<5 { _ = await onLoop(loop) { 0 } }
            #expect(reporter.record.values.count == expected)
        }
        #expect(reporter.record.values.allSatisfy { $0.0 == 7 && $0.1.contains(.readable) })
        _ = await onLoop(loop) { loop.deregister(registration, of: pair.first) }
        pair.makeReadable()
        for _ in 0..<5 { _ = await onLoop(loop) { 0 } }
        #expect(reporter.record.values.count == 3)
        await loop.stopAndWait()
    }

    @Test("a descriptor that somebody else owns is watched by its number, and stays open")
    func borrowed() async throws {
        let loop = try EventLoop(name: "borrowed")
        let (number, peer) = try socketPair()
        defer {
            close(number)
            close(peer)
        }
        let reporter = Reporter()
        let registration = try #require(
            await onLoop(loop) {
                try? loop.register(
                    borrowed: number, for: .writable, edgeTriggered: true, handler: reporter, token: 5)
            })
        try await reporter.waits(for: 1)
        #expect(reporter.record.values.first.map { $0.0 == 5 && $0.1.contains(.writable) } == true)
        let isUpdated = await onLoop(loop) {
            (try? loop.update(registration, ofBorrowed: number, for: .readable, edgeTriggered: false)) != nil
        }
        #expect(isUpdated)
        #expect(write(peer, "x", 1) == 1)
        // Level-triggered: reported in every turn until it is read.
        try await reporter.waits(for: 4)
        #expect(reporter.record.values.dropFirst().allSatisfy { $0.1.contains(.readable) })
        _ = await onLoop(loop) { loop.deregister(registration, ofBorrowed: number) }
        let count = reporter.record.values.count
        for _ in 0..<5 { _ = await onLoop(loop) { 0 } }
        #expect(reporter.record.values.count == count)
        var byte: UInt8 = 0
        #expect(read(number, &byte, 1) == 1)
        await loop.stopAndWait()
    }

    @Test("a listener takes the port that the kernel chose, and accepts", arguments: ["127.0.0.1", "::1"])
    func listening(host: String) throws {
        let address = try #require(try SocketAddress.resolve(host: host, port: 0).first)
        let listener = try ListeningSocket(address)
        #expect(try #require(listener.address.port) != 0)
        guard case .wouldBlock = try listener.accept() else {
            Issue.record("accepted a connection that nobody made")
            return
        }
        let client = socket(host == "::1" ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        #expect(listener.address.withKernelForm { connect(client, $0, $1) } == 0)
        guard case .done(let accepted) = try listener.accept() else {
            Issue.record("did not accept")
            return
        }
        #expect(accepted.peer.host == host)
        let descriptor = Descriptor(owning: accepted.number)
        #expect(fcntl(descriptor.number, F_GETFD) & FD_CLOEXEC != 0)
        #expect(fcntl(descriptor.number, F_GETFL) & O_NONBLOCK != 0)
        var (noDelay, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        getsockopt(descriptor.number, Int32(CLINUX_IPPROTO_TCP), Int32(CLINUX_TCP_NODELAY), &noDelay, &length)
        #expect(noDelay != 0)
    }

    @Test("an address that somebody listens on is not free, even for those who would share it")
    func reserving() throws {
        let loopback = try #require(try SocketAddress.resolve(host: "127.0.0.1", port: 0).first)
        let holder = try ListeningSocket(loopback, sharesPort: true)
        let error = #expect(throws: SystemError.self) { try ListeningSocket.reserve(holder.address) }
        #expect(error?.number == EADDRINUSE)
        let sharer = try ListeningSocket(holder.address, sharesPort: true)
        #expect(sharer.address == holder.address)
    }

    @Test("a Unix-domain socket's stale file is replaced, a live one and an ordinary file are not")
    func unixSockets() throws {
        let path = "/tmp/reactor-test-\(getpid()).sock"
        defer { unlink(path) }
        let address = SocketAddress.unix(path: path)
        // A socket that was bound and closed without its file being removed is what a crash leaves behind.
        let crashed = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(address.withKernelForm { bind(crashed, $0, $1) } == 0)
        close(crashed)
        do {
            let listener = try ListeningSocket(address)
            #expect(listener.address == address)
            #expect(throws: SystemError.self) { try ListeningSocket.reserve(address) }
            #expect(access(path, F_OK) == 0)
            _ = listener.descriptor.number
        }
        #expect(access(path, F_OK) != 0)
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        #expect(throws: SystemError.self) { try ListeningSocket.reserve(address) }
        #expect(access(path, F_OK) == 0)
    }

    @Test(
        "a Unix-domain socket has the permissions that it is given, whatever the umask",
        arguments: [mode_t(0), 0o22, 0o777])
    func permissions(mask: mode_t) throws {
        let path = "/tmp/reactor-mode-\(getpid())-\(mask).sock"
        defer { unlink(path) }
        for permissions: UInt32 in [0o600, 0o660, 0o666] {
            // The umask belongs to the whole process; other tests make their files closed or not at all.
            let before = umask(mask)
            defer { umask(before) }
            let listener = try ListeningSocket(.unix(path: path), permissions: permissions)
            var status = stat()
            #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == permissions)
            _ = listener.descriptor.number
        }
    }

    @Test("a path that is too long for a Unix-domain socket is an error, not cut off")
    func longPath() {
        let path = "/tmp/" + String(repeating: "x", count: 200)
        let error = #expect(throws: SystemError.self) { try ListeningSocket.reserve(.unix(path: path)) }
        #expect(error?.number == ENAMETOOLONG)
    }

    @Test("writing to a peer that is gone is an error, not a signal")
    func brokenPipe() throws {
        let (number, peer) = try socketPair()
        let descriptor = Descriptor(owning: number)
        close(peer)
        let bytes: [UInt8] = [1]
        let error = #expect(throws: SystemError.self) {
            try bytes.withUnsafeBytes { _ = try descriptor.send($0) }
        }
        #expect(error?.number == EPIPE)
    }

    @Test(
        "addresses are written as in RFC 5952",
        arguments: [
            (SocketAddress.ipv6(0, 1, scope: 0, port: 80), "[::1]:80"),
            (.ipv6(0, 0, scope: 0, port: 80), "[::]:80"),
            (.ipv6(0x2001_0db8_0000_0000, 0x0001_0000_0000_0001, scope: 0, port: 1), "[2001:db8::1:0:0:1]:1"),
            (.ipv6(0x2001_0db8_0000_0001, 0x0001_0001_0001_0001, scope: 0, port: 1), "[2001:db8:0:1:1:1:1:1]:1"),
            (.ipv6(0xfe80_0000_0000_0000, 0, scope: 0, port: 1), "[fe80::]:1"),
            (.ipv4(0x7f00_0001, port: 8080), "127.0.0.1:8080"),
            (.unix(path: "/run/x.sock"), "unix:/run/x.sock"),
        ])
    func texts(address: SocketAddress, expected: String) {
        #expect(address.description == expected)
    }

    @Test("an unknown host is an error that names it")
    func unknownHost() {
        let error = #expect(throws: SystemError.self) {
            try SocketAddress.resolve(host: "no such host.invalid", port: 1)
        }
        #expect(error?.description.contains("no such host.invalid") == true)
    }

    @Test("raising the descriptor limit is idempotent and never lowers it")
    func descriptorLimit() throws {
        var before = rlimit()
        clinux_get_descriptor_limit(&before)
        let raised = try DescriptorLimit.raise()
        #expect(raised >= before.rlim_cur)
        #expect(try DescriptorLimit.raise() == raised)
    }
}
