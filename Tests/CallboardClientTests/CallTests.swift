import Foundation
import ListDiff
import Testing

@testable import CallboardClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Calls")
struct CallTests {
    private func client(_ transport: TestTransport, server: String = "http://localhost:8080/") throws -> Callboard {
        try Callboard(server: server, transport: transport)
    }

    @Test("a path and a query are encoded, and @ addresses stay readable")
    func encoding() async throws {
        let transport = TestTransport([.status(204, fields: ["ETag": "\"k3f9-r7\""], body: "")])
        let director = try client(transport).director("a b/ü")
        let revision = try await director.addElements(
            [ElementDraft("x", model: "M")], in: "@home", at: 3,
            WriteOptions(reload: true, ifMatch: Revision(epoch: "k3f9", number: 6), cause: "drag-7"))
        let request = try #require(transport.requests.first)
        #expect(
            request.url?.absoluteString
                == "http://localhost:8080/v1/directors/a%20b%2F%C3%BC/sections/@@home/elements?at=3&reload=true")
        #expect(request.httpMethod == "POST")
        #expect(request.value(forHTTPHeaderField: "If-Match") == "\"k3f9-r6\"")
        #expect(request.value(forHTTPHeaderField: "Callboard-Cause") == "drag-7")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(request.httpBody.map { String(decoding: $0, as: UTF8.self) } == #"[{"model":"M","value":"x"}]"#)
        #expect(revision == Revision(epoch: "k3f9", number: 7))
    }

    @Test(
        "an adapter's draft says that identifiers are unique only where it is asked to", arguments: [nil, true, false])
    func unique(_ unique: Bool?) {
        let draft = CellAdapterDraft(model: "M", cell: "C", unique: unique)
        #expect(draft.json.objectValue?["unique"] == unique.map { .bool($0) })
    }

    @Test("the versions of directors on a heartbeat are told apart by the bytes of their names")
    func versions() {
        let (one, other) = ("caf\u{E9}", "cafe\u{301}")
        let data = #"{"versions":{"\#(one)":1,"\#(other)":2}}"#
        guard case .heartbeat(let heartbeat) = StreamEvent(ServerSentEvent(name: "heartbeat", data: data)) else {
            Issue.record("no heartbeat")
            return
        }
        #expect(heartbeat.versions.map(\.version) == [1, 2] && Set(heartbeat.versions).count == 2)
    }

    @Test("a cause goes with batches and reloads too, and one that is none is not sent")
    func causes() async throws {
        let body = #"{"epoch":"e","from":1,"version":2,"causes":["a","b"],"stages":[]}"#
        let transport = TestTransport((0..<2).map { _ in .status(200, fields: [:], body: body) })
        let director = try client(transport).director("d")
        #expect(try await director.reload(cause: "a").causes == ["a", "b"])
        let result = try await director.perform([.removeSection(.first)], WriteOptions(reload: true, cause: "b"))
        #expect(result.changeset?.causes == ["a", "b"])
        #expect(transport.requests.map { $0.value(forHTTPHeaderField: "Callboard-Cause") } == ["a", "b"])
        for cause in ["", "a b", "a\r\nX: y", "é", String(repeating: "x", count: 65)] {
            await #expect(throws: ClientError.invalidCause(cause)) {
                try await director.setVariable("v", to: 1, WriteOptions(cause: cause))
            }
        }
        #expect(transport.requests.count == 2)
    }

    @Test("a refusal becomes an error with the server's words and places")
    func problem() async throws {
        let body = #"{"type":"t","title":"T","status":422,"detail":"D","errors":[{"pointer":"/0","detail":"bad"}]}"#
        let transport = TestTransport([.status(422, fields: ["content-type": "application/problem+json"], body: body)])
        let director = try client(transport).director("d")
        let error = await #expect(throws: ClientError.self) { try await director.removeSection(.last) }
        #expect(error?.status == 422)
        #expect(error?.problem?.errors == [Problem.Fault(pointer: "/0", detail: "bad")])
        #expect(error?.description == "D; /0: bad (422)")
        #expect(transport.requests.first?.url?.path.hasSuffix("/sections/@last") == true)
    }

    @Test("an answer that is not what it should be is said to be so")
    func unexpected() async throws {
        let transport = TestTransport([.status(200, fields: [:], body: "<html>"), .failure("refused")])
        let client = try client(transport)
        await #expect(throws: ClientError.self) { try await client.directors() }
        await #expect(throws: ClientError.unreachable(url: "http://localhost:8080/", reason: "refused")) {
            try await client.directors()
        }
    }

    @Test("a list of directors is read to its end")
    func paging() async throws {
        func page(_ names: [String], offset: Int) -> TestTransport.Answer {
            let items = names.map { #"{"name":"\#($0)","kind":"table","revision":1,"version":2,"epoch":"e"}"# }
            let body = #"{"directors":[\#(items.joined(separator: ","))],"offset":\#(offset),"limit":2,"total":3}"#
            return .status(200, fields: [:], body: body)
        }
        let transport = TestTransport([page(["a", "b"], offset: 0), page(["c"], offset: 2)])
        #expect(try await client(transport).allDirectors().map(\.name) == ["a", "b", "c"])
        #expect(transport.requests.last?.url?.query == "offset=2&limit=1000")
    }

    @Test("a batch says what it wants, and its changeset is read")
    func batch() async throws {
        let answer =
            #"{"director":"d","epoch":"e","from":1,"version":2,"stages":[{"sectionDeleted":[0]}],"counts":{"sections":0,"elements":0}}"#
        let transport = TestTransport([.status(200, fields: ["ETag": "\"k3f9-r3-v1\""], body: answer)])
        let result = try await client(transport).director("d").perform(
            [.removeSection(.first), .moveElement(in: "s", from: 0, to: 1, ofSection: "@t")], dryRun: true,
            animations: [.sectionDeleted: .fade])
        #expect(result.changeset?.stages.stages.first?.sectionDeleted == [0])
        #expect(result.revision == Revision(epoch: "k3f9", number: 3))
        #expect(
            transport.requests.first?.httpBody.map { String(decoding: $0, as: UTF8.self) }
                == #"{"operations":[{"op":"removeSection","section":"@first"},{"op":"moveElement","section":"s","from":0,"to":1,"toSection":"@@t"}],"dryRun":true,"animations":{"sectionDeleted":"fade"}}"#
        )
    }

    @Test(
        "an address that no request can go to is refused at once",
        arguments: ["", "localhost", "ftp://x", "http://", "http://x?a=b"])
    func invalidServer(address: String) {
        #expect(throws: ClientError.self) { try Callboard(server: address) }
    }
}
