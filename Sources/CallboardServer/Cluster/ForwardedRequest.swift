import Access
import CallboardAPI
import HTTPServer
import HTTPTypes
import HTTPWire
import JSONValues
import Journal
import Notation
import Reactor

/// A request on its way from the node that took it to the director's owner: what was asked, and who asks.
///
/// All of it but the content is a part of the ``NodeEnvelope``: nothing else of the HTTP request that carries it is read.
struct ForwardedRequest: Sendable {
    /// The path of forwarded requests on the internal listener.
    static let path = "/forward"

    /// The method, and the target behind a space.
    let text: String
    /// Who asks.
    let principal: Principal
    /// From where.
    let address: String
    /// The header fields, of ``ForwardedFields/names`` one of each.
    let fields: [HTTPField]

    /// Makes a request that a node passes on.
    ///
    /// - Parameter target: The path and query in place of the request's own; nil for those.
    init(_ exchange: Exchange, _ principal: Principal, target: String? = nil) {
        text = "\(exchange.head.method.rawValue) \(target ?? exchange.head.target)"
        self.principal = principal
        address = exchange.remoteAddress
        fields = ForwardedFields.names.compactMap { name in
            exchange.head.fields.value(of: name).map { HTTPField(name: name, value: $0) }
        }
    }

    /// Makes a request of a node's own.
    init(_ text: String) {
        self.text = text
        principal = .everybody
        address = "127.0.0.1"
        fields = []
    }

    /// Makes the exchange of the request as the client has sent it.
    ///
    /// - Parameter wrap: Makes of an answer the one that is sent.
    /// - Returns: Nil where the request has no method.
    func exchange(carriedBy outer: Exchange, wrap: @escaping @Sendable (Response) -> Response) -> Exchange? {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let method = HTTPRequest.Method(String(parts[0])) else { return nil }
        var head = outer.head
        head.method = method
        head.target = String(parts[1])
        head.fields = HTTPFields(fields)
        let peer = (try? SocketAddress.resolve(host: address, port: 0).first) ?? outer.peer
        return Exchange(carriedBy: outer, head: head, peer: peer, wrap: wrap)
    }

    // MARK: As it travels

    /// Writes the request's members.
    func write(to writer: inout JSONWriter) {
        writer.member("request", text)
        writer.member("name", principal.name)
        writer.member("grants", GrantCoding.encode(principal.grants))
        if let end = principal.expiresAt { writer.member("expiresAt", end) }
        if let claims = principal.claims {
            writer.key("claims")
            writer.value(claims)
        }
        writer.member("address", address)
        writer.key("fields")
        writer.object { writer in
            for field in fields { writer.member(field.name.canonicalName, field.value) }
        }
    }

    /// Reads what ``write(to:)`` has written; nil for anything else.
    init?(_ root: JSONNode) {
        guard let text = root["request"]?.string, let name = root["name"]?.string, let grants = root["grants"]?.string,
            let grants = GrantCoding.decode(grants), let address = root["address"]?.string, let fields = root["fields"]
        else { return nil }
        self.text = text
        principal = Principal(
            authenticatedByNode: name, grants: grants, expiresAt: root["expiresAt"]?.int, claims: root["claims"]?.value)
        self.address = address
        self.fields = ForwardedFields.names.compactMap { name in
            fields[name.canonicalName]?.string.map { HTTPField(name: name, value: $0) }
        }
    }
}
