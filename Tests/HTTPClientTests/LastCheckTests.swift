import CCurl
import Reactor
import Testing
import Webhooks

@testable import HTTPClient

/// One transfer of libcurl's without a transport around it, so that it can be told other addresses than were looked up.
private actor LoneTransfer: CurlDriver {
    nonisolated let loop: EventLoop
    private(set) lazy var multi = CurlMulti(loop: loop, owner: self)
    private var continuation: CheckedContinuation<CURLcode, Never>?

    init(loop: EventLoop) { self.loop = loop }

    func failure(of url: HTTPURL, checked: [IPAddress], policy: AddressPolicy) async throws -> ClientFailure? {
        let request = ClientRequest(
            url: url, body: Array("{}".utf8), urgency: .question, sender: "", timeout: .seconds(20))
        let transfer = AnswerTransfer(
            target: url.target, addresses: checked, rules: policy, maxAnswerBytes: 1000, on: multi)
        let easy = CurlEasy()
        #expect(
            easy.prepare(
                CurlOptions(request, to: checked, HTTPClientConfiguration(version: "1")), for: transfer))
        let code = await withCheckedContinuation { continuation in
            self.continuation = continuation
            multi.add(easy)
        }
        multi.remove(easy)
        multi.close()
        guard case .failure(let failure) = transfer.outcome(code, of: easy) else { return nil }
        return failure
    }

    func take(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) {
        continuation?.resume(returning: code)
        continuation = nil
    }

    func transfersWereTaken() {}

    nonisolated func ready(_ readiness: Readiness, token: UInt64) { socketIsReady(readiness, token: token) }
}

@Suite("The check at the moment of connecting")
struct LastCheckTests {
    private func failure(
        of url: HTTPURL, checked: [String], allowing rules: [String]
    ) async throws -> ClientFailure? {
        let loop = try EventLoop(name: "last-check")
        let policy = AddressPolicy(allowing: try rules.map { try AddressRule($0) })
        let failure = try await LoneTransfer(loop: loop).failure(
            of: url, checked: checked.map { try #require(IPAddress($0)) }, policy: policy)
        await loop.stopAndWait()
        return failure
    }

    @Test("an address that was not checked before, or is forbidden, is not connected to, whatever led there")
    func refusing() async throws {
        try await HTTPReceiver.run { receiver in
            let literal = try receiver.url()
            let other = try await failure(of: literal, checked: ["127.0.0.9"], allowing: ["loopback"])
            #expect(other?.description.contains("an address that was not looked up for it") == true)
            let forbidden = try await failure(of: literal, checked: ["127.0.0.1"], allowing: [])
            #expect(forbidden?.description.contains("127.0.0.1 is a loopback address") == true)
            let mixed = try await failure(
                of: try receiver.url(host: "hook.example"), checked: ["127.0.0.1"], allowing: ["10.0.0.0/8"])
            #expect(mixed?.description.contains("hook.example has the address 127.0.0.1") == true)
            #expect(receiver.received.isEmpty)
            #expect(try await failure(of: literal, checked: ["127.0.0.1"], allowing: ["loopback"]) == nil)
            #expect(receiver.received.count == 1)
        }
    }
}
