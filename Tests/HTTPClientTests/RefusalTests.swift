import HTTPServer
import HTTPTypes
import Reactor
import Testing

@testable import HTTPClient

@Suite("Targets inside of the network")
struct RefusalTests {
    @Test(
        "an address that nothing allows gets no connection, however it is spelt and whatever the port",
        arguments: [
            "http://169.254.169.254", "http://169.254.169.254/latest/meta-data/", "http://[::ffff:10.0.0.1]",
            "http://127.0.0.1", "https://127.0.0.1:8443", "http://0x7f.1", "http://2130706433:80",
            "http://017700000001",
            "http://127.1:65535", "http://0", "http://[::1]:22", "http://[::]", "http://[64:ff9b::a00:1]",
            "http://[2002:a00:1::]", "http://[::7f00:1]", "http://[::ffff:0:10.0.0.1]", "http://[fd00:ec2::254]",
            "http://100.100.100.200", "http://10.0.0.1.", "http://224.0.0.1", "http://[ff02::1]", "http://[fe80::1]",
        ])
    func literals(text: String) async throws {
        let url = try HTTPURL(text)
        try await withTransport(allowing: []) { fixture in
            guard case .refused(let refusal)? = await fixture.failure(url) else {
                Issue.record("\(text) was not refused")
                return
            }
            #expect(.address(refusal.address) == url.target.host)
            #expect(refusal.description.hasSuffix("(hooks.allow does not name it)"))
            #expect(fixture.transport.statistics.connectionsOpened == 0)
        }
    }

    @Test("this machine by its name is refused where loopback is not allowed", arguments: ["localhost", "LOCALHOST."])
    func localhost(host: String) async throws {
        try await HTTPReceiver.run { receiver in
            let url = try receiver.url(host: host)
            try await withTransport(allowing: []) { fixture in
                guard case .refused(let refusal)? = await fixture.failure(url) else {
                    Issue.record("was not refused")
                    return
                }
                #expect(refusal.kind == "a loopback address")
                #expect(refusal.host == "localhost")
            }
            try await withTransport { #expect(await $0.send(url).value?.status == 204) }
            #expect(receiver.received.count == 1)
        }
    }

    @Test("a name that stands for a forbidden address on its second look-up is refused then")
    func rebinding() async throws {
        let resolver = try ScriptedResolver(["hook.example": [["127.0.0.1"], ["10.0.0.1"]]])
        try await HTTPReceiver.run { receiver in
            try await withTransport(resolver: resolver) {
                $0.resolutionLifetime = .zero
            } _: { fixture in
                let url = try receiver.url(host: "hook.example")
                #expect(await fixture.send(url).value?.status == 204)
                #expect(receiver.received.first?.authority == "hook.example:\(receiver.port)")
                let failure = await fixture.failure(url)
                #expect(
                    failure?.description
                        == "hook.example has the address 10.0.0.1, which is a private address (hooks.allow does not name it)"
                )
                #expect(resolver.names == ["hook.example", "hook.example"])
            }
        }
    }

    @Test("one forbidden address among several refuses the name, wherever it stands")
    func mixed() async throws {
        let resolver = try ScriptedResolver([
            "first.example": [["10.0.0.1", "127.0.0.1"]], "last.example": [["127.0.0.1", "::1", "::ffff:10.0.0.1"]],
        ])
        try await HTTPReceiver.run { receiver in
            try await withTransport(resolver: resolver) { fixture in
                for host in ["first.example", "last.example"] {
                    guard case .refused? = await fixture.failure(try receiver.url(host: host)) else {
                        Issue.record("\(host) was not refused")
                        continue
                    }
                }
            }
            #expect(receiver.received.isEmpty)
        }
    }

    @Test("a name is looked up once for a while, by all requests at once, and connected to where it was found")
    func pinning() async throws {
        let clock = ManualClock()
        let resolver = try ScriptedResolver(["hook.example": [["127.0.0.1"]]])
        try await HTTPReceiver.run { receiver in
            try await withTransport(resolver: resolver, clock: clock) { fixture in
                let url = try receiver.url(host: "hook.example")
                let statuses = await withTaskGroup(of: Int?.self) { group in
                    for _ in 0..<30 { group.addTask { await fixture.send(url).value?.status } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses == Array(repeating: 204, count: 30))
                #expect(resolver.names == ["hook.example"])
                clock.advance(by: .seconds(29), waking: [fixture.loop])
                #expect(await fixture.send(url).value?.isConnectionReused == true)
                #expect(resolver.names.count == 1)
                clock.advance(by: .seconds(1), waking: [fixture.loop])
                #expect(await fixture.send(url).value?.isConnectionReused == true)
                #expect(resolver.names.count == 2)
            }
        }
    }

    @Test("of several addresses the one that answers is used")
    func severalAddresses() async throws {
        let resolver = try ScriptedResolver(["hook.example": [["::1", "127.0.0.2", "127.0.0.1"]]])
        try await HTTPReceiver.run { receiver in
            let url = try receiver.url(host: "hook.example")
            try await withTransport(resolver: resolver) { #expect(await $0.send(url).value?.status == 204) }
        }
    }

    @Test("a name that nobody knows is a failure with its reason")
    func unknownNames() async throws {
        let resolver = try ScriptedResolver(["empty.example": [[]]])
        try await withTransport(resolver: resolver) { fixture in
            let unknown = await fixture.failure(try HTTPURL("http://unknown.example/"))
            #expect(unknown?.description == "unknown.example could not be looked up: no such name")
            let empty = await fixture.failure(try HTTPURL("http://empty.example/"))
            #expect(empty?.description == "empty.example could not be looked up: it has no address")
            // A failure is not remembered.
            _ = await fixture.failure(try HTTPURL("http://unknown.example/"))
            #expect(resolver.names.filter { $0 == "unknown.example" }.count == 2)
        }
    }

    @Test("the system's resolver finds this machine, and says when there is no such name")
    func systemResolver() async throws {
        let resolver = SystemResolver()
        let addresses = try await resolver.resolve("localhost")
        #expect(addresses.contains { $0 == .v4(0x7f00_0001) || $0 == .v6(0, 1) })
        #expect(Set(addresses).count == addresses.count)
        let error = await #expect(throws: ResolutionError.self) { try await resolver.resolve("unknown.invalid") }
        #expect(error?.description.isEmpty == false)
    }
}
