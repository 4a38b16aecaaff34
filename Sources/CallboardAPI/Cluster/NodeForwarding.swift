import HTTPServer
import HTTPTypes
import Hosting
import Journal

/// The way to the other nodes of a cluster: passes requests on to them. Any thread.
package protocol NodeForwarding: AnyObject, Sendable {
    /// Passes a request on.
    ///
    /// - Parameters:
    ///   - exchange: The request.
    ///   - principal: Who makes it.
    ///   - target: The path and query in place of the request's own; nil for those.
    ///   - asksHooks: Whether a hook's target may have to be asked, which takes longer than a change.
    ///   - node: The node.
    ///   - completion: Called once, on any thread.
    func forward(
        _ exchange: Exchange, of principal: Principal, target: String?, asksHooks: Bool, to node: JournalNode,
        completion: @escaping @Sendable (ForwardOutcome) -> Void)
}

/// The outcome of a forwarded request.
package enum ForwardOutcome: Sendable {
    /// The owner's answer.
    case answered(Reply)
    /// The node does not own the director, or not any more: nothing has happened.
    case moved
    /// The node could not be reached: nothing has happened. A sentence without its full stop.
    case unreachable(String)
    /// There is no answer, and the request may have been carried out.
    case unanswered(String)
}

extension NodeForwarding {
    /// Passes a call on.
    func forward(
        _ call: Call, target: String? = nil, to node: JournalNode,
        completion: @escaping @Sendable (ForwardOutcome) -> Void
    ) {
        let asksHooks =
            switch call.route.action {
            case .report, .prepare: true
            default: false
            }
        forward(
            call.exchange, of: call.principal, target: target, asksHooks: asksHooks, to: node, completion: completion)
    }
}

/// The header fields that go to another node with a request: the receiving node reads these, and no others.
package enum ForwardedFields {
    /// Their names.
    package static let names: [HTTPField.Name] = [
        .accept, .callboardCause, .contentEncoding, .contentType, .idempotencyKey, .ifMatch, .ifNoneMatch, .lastEventID,
        .prefer, .requestID,
    ]
}

extension Reply {
    /// Fields that this node writes by itself.
    private static let own: Set = [
        "content-type", "etag", "location", "content-length", "date", "connection", "keep-alive", "transfer-encoding",
        "x-request-id", "x-content-type-options", "vary", "cache-control", "callboard-outcome",
    ]

    /// The answer of another node, to be given as this one's; nil where the node has passed the request back.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The header fields, their names in lower case.
    ///   - body: The content.
    package init?(ofNode status: Int, fields: [(name: String, value: String)], body: [UInt8]) {
        func value(of name: String) -> String? { fields.first { $0.name == name }?.value }
        guard value(of: HTTPField.Name.callboardMoved.canonicalName) == nil else { return nil }
        self.init(
            status: HTTPResponse.Status(code: status), body: body,
            contentType: value(of: "content-type") ?? "application/json", etag: value(of: "etag"),
            location: value(of: "location"), isStorable: value(of: "cache-control") != "no-store",
            // The node that has carried it out has left out what is not to be told.
            telling: .nothing)
        let told = value(of: HTTPField.Name.callboardOutcome.canonicalName)
        outcome = told.flatMap { .init(rawValue: $0) } ?? .done
        furtherFields = fields.compactMap { field in
            guard !Self.own.contains(field.name), !field.name.hasPrefix("access-control-"),
                let name = HTTPField.Name(field.name)
            else { return nil }
            return HTTPField(name: name, value: field.value)
        }
    }

    /// Whether another node has done what it was told, for which there is no content.
    package var isNoContent: Bool { status == .noContent }
}
