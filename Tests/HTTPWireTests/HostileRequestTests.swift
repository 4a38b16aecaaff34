import HTTPTestSupport
import Testing

@testable import HTTPWire

@Suite("Hostile requests")
struct HostileRequestTests {
    static let small = HostileRequests.all(HostileLimits(smallLimits))
    static let large = HostileRequests.all()

    @Test("the table has at least 80 requests, each under a name of its own")
    func tableIsLarge() {
        #expect(Self.small.count >= 80)
        #expect(Set(Self.small.map(\.name)).count == Self.small.count)
    }

    @Test("is refused with its status at every split, and nothing after it is read", arguments: small)
    func isRefused(_ request: HostileRequest) {
        let splits = 0...request.bytes.count + HostileRequest.smuggled.count
        #expect(departure(request, limits: smallLimits, splits: splits) == nil)
    }

    @Test("is refused with its status under the default limits", arguments: large)
    func isRefusedByDefault(_ request: HostileRequest) {
        #expect(departure(request, limits: WireLimits(), splits: [request.bytes.count]) == nil)
    }

    @Test("is refused after a good request, which is still understood", arguments: small)
    func isRefusedInPipeline(_ request: HostileRequest) throws {
        let stream = HostileRequest.smuggled + request.bytes + HostileRequest.smuggled
        let transcript = Transcript.of(stream, cutAt: [], limits: smallLimits)
        #expect(transcript.failure?.status.code == request.status)
        #expect(transcript.messages.first?.isComplete == true)
        #expect(transcript.messages.dropFirst().allSatisfy { !$0.isComplete })
        #expect(Transcript.of(stream, cutAt: 0..<stream.count, limits: smallLimits) == transcript)
    }

    @Test("an error is final: every further call throws it again and consumes all")
    func errorIsFinal() throws {
        var parser = RequestParser()
        let bytes = Array("GET / HTTP/9.9\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        for _ in 0..<3 {
            var cursor = 0
            #expect(throws: WireError.self) { try parser.next(in: bytes.span, cursor: &cursor) }
            #expect(parser.failure?.status.code == 505)
            #expect(parser.isFinished)
        }
    }

    @Test("the reason of every error is one sentence without the client's bytes")
    func reasonsAreSentences() {
        for request in Self.small {
            let reason = Transcript.of(request.bytes, cutAt: [], limits: smallLimits).failure?.reason ?? ""
            #expect(reason.hasSuffix(".") && reason.utf8.allSatisfy { (0x20..<0x7f).contains($0) }, "\(request.name)")
        }
    }

    @Test("after an error the method is known, if it was read, so that HEAD is answered without content")
    func methodOfRefused() {
        var parser = RequestParser()
        var cursor = 0
        let bytes = Array("HEAD / HTTP/1.1\r\nA : b\r\n\r\n".utf8)
        #expect(throws: WireError.self) { try parser.next(in: bytes.span, cursor: &cursor) }
        #expect(parser.requestMethod == .head)
        #expect(ResponseWriter(refusing: parser.requestMethod).isHead)
    }
}
