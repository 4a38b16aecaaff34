import HTTP2Engine
import HTTPTestSupport
import HTTPTypes
import Testing

@Suite("Requests that HTTP/1.1 and HTTP/2 treat alike, over HTTP/2")
struct RequestCaseTests {
    @Test("is served or refused as the table says, and the connection goes on", arguments: RequestCases.all)
    func outcome(_ request: RequestCase) throws {
        let link = try Link.begun()
        let result = Self.result(of: request, over: link)
        #expect(request.departure(result) == nil)
        let served = link.requests.count
        link.feed(.headers(3, Frame.get))
        #expect(link.failure == nil && link.requests.count == served + 1)
    }

    private static func result(of request: RequestCase, over link: Link) -> RequestCase.Result {
        link.feed(headers(request.http2, ends: request.content == nil))
        // A client that waits for 100 (Continue) sends nothing before.
        var frames = link.takeFrames()
        let interim = frames.contains { $0.kind == 1 && $0.stream == 1 } && link.refused.isEmpty
        if let content = request.content {
            let endsHere = request.trailers.isEmpty
            link.feed(Frame(.data, endsHere ? Frame.endStream : 0, 1, Array(content.utf8)))
            if !endsHere { link.feed(headers(request.trailers, ends: true)) }
        }
        if let refused = link.refused.first { return .refused(refused.error.status.code) }
        if let seen = link.requests.first {
            return .served(
                RequestCase.Seen(
                    method: seen.head.method.rawValue, target: seen.head.target, authority: seen.head.authority,
                    fields: seen.head.fields.map { ($0.name.canonicalName, $0.value) }, content: seen.content,
                    interim: interim))
        }
        frames += link.takeFrames()
        return frames.contains { $0.kind == 3 && $0.stream == 1 && $0.number() == 1 } ? .malformed : .nothing
    }

    /// A field section on stream 1, in as many frames as it takes.
    private static func headers(_ fields: [Frame.Field], ends: Bool) -> [UInt8] {
        let block = Frame.block(fields)
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: block.count, by: 16_384) {
            let end = min(start + 16_384, block.count)
            let flags = (end == block.count ? Frame.endHeaders : 0) | (ends && start == 0 ? Frame.endStream : 0)
            bytes += Frame(start == 0 ? .headers : .continuation, flags, 1, Array(block[start..<end])).bytes
        }
        return bytes
    }
}
