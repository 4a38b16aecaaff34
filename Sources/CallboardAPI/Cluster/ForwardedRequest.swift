import Access
import Directors
import HTTPServer
import HTTPTypes
import HTTPWire
import JSONValues
import Journal
import Notation
import Reactor
import Webhooks

/// A request on its way from the node that took it to the director's owner: what was asked, and who asks.
///
/// It travels as a POST of the same content, with the end-to-end fields of the request and four of its own. What it is
/// about is signed with the nodes' secret, as notifications are (Standard Webhooks 1.0); it is good for five minutes.
struct ForwardedRequest {
    /// The path of forwarded requests on the internal listener.
    static let path = "/forward"

    private enum Field {
        static let request = "callboard-request"
        static let principal = "callboard-principal"
        static let timestamp = "callboard-timestamp"
        static let signature = "callboard-signature"
        static let head = "callboard-head"
    }

    /// Fields that belong to one connection, or that the node which took the request has dealt with.
    private static let dropped: Set = [
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade", "authorization", "cookie", "origin", "referer", "accept-encoding",
        "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest",
        Field.request, Field.principal, Field.timestamp, Field.signature, Field.head,
    ]

    /// The key that nodes sign with.
    static func key(of secret: SharedSecret) throws -> HookSecret {
        try HookSecret(Base64.encode(secret.key(for: "forwarding")))
    }

    /// The fields of a request that is passed on.
    static func fields(
        _ exchange: Exchange, _ principal: Principal, target: String? = nil, key: HookSecret
    ) -> [WebhookField] {
        signed(
            "\(exchange.head.method.rawValue) \(target ?? exchange.head.target)", exchange.body,
            encode(principal, address: exchange.remoteAddress), key: key)
            + exchange.head.fields.compactMap { field in
                dropped.contains(field.name.canonicalName) ? nil : WebhookField(field.name.rawName, field.value)
            }
    }

    /// The fields of a request that a node makes by itself.
    static func fields(_ request: String, _ body: [UInt8], key: HookSecret) -> [WebhookField] {
        signed(request, body, encode(.everybody, address: "127.0.0.1"), key: key)
    }

    private static func signed(
        _ request: String, _ body: [UInt8], _ principal: [UInt8], key: HookSecret
    ) -> [WebhookField] {
        let name = Base64.encode(principal)
        let now = StoreClock.now()
        func sign(_ part: String, _ body: [UInt8]) -> String {
            WebhookSignature.sign(id: "\(part)\(request)\n\(name)", timestamp: now, body: body, secrets: [key])
        }
        return [
            WebhookField(Field.request, request), WebhookField(Field.principal, name),
            WebhookField(Field.timestamp, "\(now)"), WebhookField(Field.signature, sign("", body)),
            WebhookField(Field.head, sign(headPart, [])),
        ]
    }

    /// What the head's signature begins with, so that it is none of a request without content.
    private static let headPart = "head\n"

    /// Whether the head of a request was signed by a node: its content is read then, which has a signature of its own.
    static func isSigned(_ head: RequestHead, key: HookSecret) -> Bool {
        func value(_ name: String) -> String { HTTPField.Name(name).flatMap { head.fields.value(of: $0) } ?? "" }
        do {
            try WebhookSignature.verify(
                id: "\(headPart)\(value(Field.request))\n\(value(Field.principal))", timestamp: value(Field.timestamp),
                signature: value(Field.head), body: [], secrets: [key], now: StoreClock.now())
            return head.method == .post && head.target == path
        } catch {
            return false
        }
    }

    /// Reads a request that another node has passed on.
    ///
    /// - Returns: The request as the client has sent it, and who asks; nil where it is not signed by a node.
    static func read(_ exchange: Exchange, key: HookSecret) -> (exchange: Exchange, principal: Principal)? {
        func value(_ name: String) -> String? { HTTPField.Name(name).flatMap { exchange.head.fields.value(of: $0) } }
        guard exchange.head.method == .post, exchange.head.target == path, let request = value(Field.request),
            let name = value(Field.principal), let timestamp = value(Field.timestamp),
            let signature = value(Field.signature), let space = request.firstIndex(of: " "),
            let method = HTTPRequest.Method(String(request[..<space])), let bytes = Base64.decode(name[...]),
            let (principal, address) = decode(bytes)
        else { return nil }
        do {
            try WebhookSignature.verify(
                id: "\(request)\n\(name)", timestamp: timestamp, signature: signature, body: exchange.body,
                secrets: [key], now: StoreClock.now())
        } catch {
            return nil
        }
        var head = exchange.head
        head.method = method
        head.target = String(request[request.index(after: space)...])
        var fields = HTTPFields()
        for field in exchange.head.fields
        where !field.name.canonicalName.hasPrefix("callboard-")
            || field.name == .callboardCause
        {
            fields.append(field)
        }
        head.fields = fields
        let peer = (try? SocketAddress.resolve(host: address, port: 0).first) ?? exchange.peer
        return (Exchange(carriedBy: exchange, head: head, peer: peer), principal)
    }

    // MARK: Who asks

    private static func encode(_ principal: Principal, address: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("name", principal.name)
            writer.member("grants", GrantCoding.encode(principal.grants))
            if let end = principal.expiresAt { writer.member("expiresAt", end) }
            writer.member("address", address)
        }
        return writer.bytes
    }

    private static func decode(_ bytes: [UInt8]) -> (Principal, address: String)? {
        guard let root = try? JSONDocument(bytes).root, let name = root["name"]?.string,
            let text = root["grants"]?.string, let grants = GrantCoding.decode(text),
            let address = root["address"]?.string
        else { return nil }
        return (Principal(source: .node(name: name), grants: grants, expiresAt: root["expiresAt"]?.int), address)
    }
}
