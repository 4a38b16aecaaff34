import HTTPTestSupport
import HTTPTypes
import Testing

@testable import HTTPWire

@Suite("Requests that HTTP/1.1 and HTTP/2 treat alike, over HTTP/1.1")
struct RequestCaseTests {
    @Test("the table has at least 80 requests, each under a name of its own")
    func tableIsLarge() {
        #expect(RequestCases.all.count >= 80)
        #expect(Set(RequestCases.all.map(\.name)).count == RequestCases.all.count)
    }

    @Test("is served or refused as the table says", arguments: RequestCases.all)
    func outcome(_ request: RequestCase) {
        #expect(request.departure(Self.result(of: request.http1)) == nil)
    }

    /// What a machine makes of a request and of nothing else. The content comes behind the head, so that a client that
    /// waits for 100 (Continue) is told.
    private static func result(of request: (head: [UInt8], content: [UInt8])) -> RequestCase.Result {
        var machine = HTTP1Machine()
        let readers = RequestReaders()
        var input: [UInt8] = []
        var interim: [UInt8] = []
        for piece in [request.head, request.content] {
            input += piece
            var cursor = 0
            receiving: while machine.stage == .receiving {
                switch machine.receive(input.span, cursor: &cursor, with: readers, output: &interim) {
                case .needMore: break receiving
                case .contentBegins, .contentProgressed: continue
                case .refused(_, let error): return .refused(error.status.code)
                case .request(let request): return .served(seen(request, isInterim: !interim.isEmpty))
                }
            }
            input.removeFirst(cursor)
        }
        return .nothing
    }

    private static func seen(_ request: HTTP1Machine.ReceivedRequest, isInterim: Bool) -> RequestCase.Seen {
        let head = request.head
        return RequestCase.Seen(
            method: head.method.rawValue, target: head.target, authority: head.authority,
            fields: head.fields.map { ($0.name.canonicalName, $0.value) }, content: Array(request.content),
            interim: isInterim)
    }
}
