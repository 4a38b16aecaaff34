import Access
import HTTPClient
import HTTPServer
import HTTPTypes
import HTTPWire
import Reactor
import Testing

@testable import CallboardAPI
@testable import CallboardServer
@testable import Directors

/// Stands in for a connection; drops every answer.
private final class SilentOwner: ExchangeOwner {
    func answer(_ answer: ExchangeAnswer, to ticket: UInt64) {}
    func wakeStream(_ ticket: UInt64) {}
    func closeStream(_ ticket: UInt64) {}
}

@Suite("What nodes say to each other is signed as a whole")
struct NodeEnvelopeTests {
    private static let secret = "0123456789abcdef0123456789abcdef"
    private static let body = Array(#"{"name":"Ada"}"#.utf8)

    /// A message on its way: what is changed, and who reads it.
    private struct Wire {
        let group: EventLoopGroup
        let owner = SilentOwner()
        let keys: NodeKeys

        init(secret: String = NodeEnvelopeTests.secret) throws {
            group = try EventLoopGroup(count: 1)
            keys = NodeKeys(try #require(SharedSecret(secret)))
        }

        func exchange(
            _ fields: [HeaderField], _ body: [UInt8], method: HTTPRequest.Method = .post,
            target: String = ForwardedRequest.path
        ) -> Exchange {
            var head = RequestHead(method: method, target: target)
            head.fields = HTTPFields(
                fields.compactMap { field in
                    HTTPField.Name(field.name).map { HTTPField(name: $0, value: field.value) }
                })
            return Exchange(
                head: head, body: body, loop: group.loops[0], peer: .unix(path: ""), id: 1, owner: owner, ticket: 1)
        }

        func read(
            _ fields: [HeaderField], _ body: [UInt8], method: HTTPRequest.Method = .post,
            target: String = ForwardedRequest.path
        ) -> Result<NodeEnvelope, NodeRefusal> {
            do throws(NodeRefusal) {
                return .success(
                    try NodeEnvelope.read(exchange(fields, body, method: method, target: target), with: keys).0)
            } catch {
                return .failure(error)
            }
        }

        func refusal(_ fields: [HeaderField], _ body: [UInt8] = NodeEnvelopeTests.body) -> NodeRefusal? {
            guard case .failure(let refusal) = read(fields, body) else { return nil }
            return refusal
        }

        func message(_ fields: [HTTPField] = []) -> NodeEnvelope {
            var head = RequestHead(method: .patch, target: "/v1/directors/menu?reload=true")
            head.fields = HTTPFields(fields)
            let exchange = Exchange(
                head: head, body: [], loop: group.loops[0], peer: .unix(path: ""), id: 1, owner: owner, ticket: 2)
            let claims = Array(#"{"sub":"ada","tables":[1,"zwölf"]}"#.utf8)
            let principal = Principal(
                source: .node(name: "ada", claims: claims), grants: .everything, expiresAt: 7)
            return NodeEnvelope(
                request: ForwardedRequest(exchange, principal), from: 1, to: 2, sender: "s", epoch: "e", number: 3,
                time: 4)
        }
    }

    @Test("every member comes as it was sent, and of the fields those that are read")
    func whole() async throws {
        let wire = try Wire()
        let fields = ForwardedFields.names.map { HTTPField(name: $0, value: "é \"\($0)\"\t\\") }
        let further = [HTTPField(name: .authorization, value: "secret"), HTTPField(name: .origin, value: "x")]
        let sent = wire.message(fields + further)
        let message = try wire.read(sent.signed(Self.body, with: wire.keys).fields, Self.body).get()
        #expect(message.encoded([]) == sent.encoded([]))
        #expect(message.request.fields == fields && message.request.text == "PATCH /v1/directors/menu?reload=true")
        #expect(message.request.principal.name == "ada" && message.request.principal.expiresAt == 7)
        #expect(message.request.principal.grants == .everything)
        #expect(message.request.principal.claims?.text == #"{"sub":"ada","tables":[1,"zwölf"]}"#)
        #expect([message.from, message.to, message.number, message.time] == [1, 2, 3, 4])
        #expect(message.sender == "s" && message.epoch == "e")
        await wire.group.stop()
    }

    @Test("a request that carries a message is read by the message alone")
    func added() async throws {
        let wire = try Wire()
        let sent = wire.message([HTTPField(name: .ifMatch, value: "\"1\"")])
        let further = ["If-Match", "Idempotency-Key", "Callboard-Request", "Callboard-Principal", "X-Request-Id"]
        let fields = sent.signed(Self.body, with: wire.keys).fields + further.map { HeaderField($0, "forged") }
        let outer = wire.exchange(fields, Self.body)
        let (message, _) = try NodeEnvelope.read(outer, with: wire.keys)
        let request = try #require(message.request.exchange(carriedBy: outer) { $0 })
        #expect(request.head.fields == [.ifMatch: "\"1\""])
        #expect(request.head.method == .patch && request.head.target == "/v1/directors/menu?reload=true")
        request.respond(Response(status: .noContent))
        await wire.group.stop()
    }

    @Test("each bit of the message, of its signature and of the content counts")
    func bits() async throws {
        let wire = try Wire()
        let signed = wire.message().signed(Self.body, with: wire.keys).fields
        #expect(wire.refusal(signed) == nil)
        for (index, field) in signed.enumerated() {
            let bytes = try #require(Base64.decode(field.value))
            for bit in 0..<bytes.count * 8 {
                var (changed, fields) = (bytes, signed)
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                fields[index].value = Base64.encode(changed)
                #expect(wire.refusal(fields) == .unsigned, "bit \(bit) of \(field.name)")
            }
        }
        for bit in 0..<Self.body.count * 8 {
            var changed = Self.body
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(wire.refusal(signed, changed) == .unsigned, "bit \(bit) of the content")
        }
        for changed in [[], Array(Self.body.dropLast()), Array(Self.body.dropFirst()), Self.body + [0]] {
            #expect(wire.refusal(signed, changed) == .unsigned)
        }
        await wire.group.stop()
    }

    @Test("a field that is left out, doubled, or of another message is refused, and so are another key and address")
    func fields() async throws {
        let wire = try Wire()
        let signed = wire.message().signed(Self.body, with: wire.keys).fields
        let other = wire.message([HTTPField(name: .ifMatch, value: "*")]).signed(Self.body, with: wire.keys).fields
        #expect(wire.refusal(Array(signed.dropFirst())) == .unsigned && wire.refusal([signed[0]]) == .unsigned)
        #expect(wire.refusal([signed[0], other[1]]) == .unsigned && wire.refusal([other[0], signed[1]]) == .unsigned)
        #expect(wire.refusal(signed + [signed[0]]) == .unsigned && wire.refusal(signed + [signed[1]]) == .unsigned)
        #expect(throws: NodeRefusal.unsigned) { try wire.read(signed, Self.body, method: .put).get() }
        #expect(throws: NodeRefusal.unsigned) { try wire.read(signed, Self.body, target: "/forward?x").get() }
        let stranger = try Wire(secret: String(Self.secret.reversed()))
        #expect(stranger.refusal(signed) == .unsigned)
        await stranger.group.stop()
        await wire.group.stop()
    }

    @Test("a message of another version is told as such")
    func versions() async throws {
        let wire = try Wire()
        let earlier = ["Callboard-Request", "Callboard-Principal", "Callboard-Timestamp", "Callboard-Signature"]
        #expect(wire.refusal(earlier.map { HeaderField($0, "x") }) == .version)
        let text = String(decoding: wire.message().encoded(Self.body), as: UTF8.self).replacing(
            "\"version\":2", with: "\"version\":3")
        let later = Array(text.utf8)
        let code = wire.keys.requests.code(of: later)
        let fields = [
            HeaderField("Callboard-Message", Base64.encode(later)),
            HeaderField("Callboard-Signature", Base64.encode(code)),
        ]
        #expect(wire.refusal(fields) == .version)
        #expect(NodeRefusal.version.problem.detail.contains("nodes of different versions"))
        await wire.group.stop()
    }

    @Test("an answer is read where nothing of it was changed, by whoever has sent the message that it answers")
    func answers() throws {
        let keys = NodeKeys(try #require(SharedSecret(Self.secret)))
        let (signature, other) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        let response = NodeAnswer.signed(
            Response(status: .created, fields: [.eTag: "\"1\"", .location: "/v1"], body: .bytes(Self.body)),
            to: signature,
            with: keys)
        func answer(_ fields: HTTPFields, _ body: [UInt8] = Self.body, to signature: [UInt8] = signature) -> NodeAnswer?
        {
            let fields = fields.map { HeaderField($0.name.canonicalName, $0.value) }
            return NodeAnswer(ClientResponse(status: 200, body: body, fields: fields), to: signature, with: keys)
        }
        let read = try #require(answer([.eTag: "forged", .retryAfter: "9"] + response.fields))
        #expect(read.status == 201 && read.value(of: "etag") == "\"1\"" && read.value(of: "location") == "/v1")
        #expect(read.value(of: "retry-after") == nil && read.refusal == nil)
        #expect(answer(response.fields, to: other) == nil)
        #expect(answer(response.fields, Self.body + [0]) == nil)
        for name in [HTTPField.Name.callboardAnswer, .callboardSignature] {
            let bytes = try #require(response.fields[name].flatMap { Base64.decode($0) })
            for bit in 0..<bytes.count * 8 {
                var (changed, fields) = (bytes, response.fields)
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                fields[name] = Base64.encode(changed)
                #expect(answer(fields) == nil, "bit \(bit) of \(name)")
            }
            var fields = response.fields
            fields[name] = nil
            #expect(answer(fields) == nil)
        }
    }

    @Test(
        "a refusal and its epoch come as they were signed",
        arguments: [NodeRefusal.addressee, .clock, .epoch("e"), .repeated])
    func refusals(_ refusal: NodeRefusal) throws {
        let keys = NodeKeys(try #require(SharedSecret(Self.secret)))
        let response = NodeAnswer.signed(Response(status: .unauthorized), to: [1], refusal: refusal, with: keys)
        let fields = response.fields.map { HeaderField($0.name.canonicalName, $0.value) }
        let answer = NodeAnswer(ClientResponse(status: 401, fields: fields), to: [1], with: keys)
        #expect(answer?.refusal == refusal)
    }

    @Test("each field that a route reads, by its description, goes to the owner with the request")
    func carried() throws {
        let document = String(decoding: try #require(OpenAPIDocument.served.forms.last).bytes, as: UTF8.self)
        let names = document.matches(of: #/"name":\s*"([^"]+)",\s*"in":\s*"header"/#).map { String($0.1).lowercased() }
            // Of what the server sends itself.
            .filter { !$0.hasPrefix("webhook-") }
        #expect(Set(names).count >= 4)
        #expect(Set(names).isSubset(of: ForwardedFields.names.map(\.canonicalName)), "\(Set(names))")
    }
}
