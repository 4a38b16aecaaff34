import Access
import Directors
import Foundation
import HTTPServer
import HTTPTypes
import Hosting
import JSONValues
import Journal

/// A line of the audit log: a request, or what a hook's target, the server by itself or a command has brought about.
package struct AuditEntry: Sendable {
    /// The subject of a line, as a member of it.
    struct Subject: Sendable {
        /// The member: `director`, or what a path names, such as `token`.
        let kind: String
        /// Its name.
        let name: String
    }

    /// What came of it.
    enum Outcome: String, Sendable {
        case done
        /// Nothing this time: it is the answer to an earlier request with the same `Idempotency-Key`.
        case repeated
        /// Nothing: it was a dry run.
        case tried
        case refused
        /// The change may have been made: the database has not said.
        case unknown
    }

    private let principal: String
    private var request: (address: String, method: String)?
    private let operation: String?
    private let subject: Subject?
    private var target: Subject?
    private var status: HTTPResponse.Status?
    private var etag: String?
    private let outcome: Outcome

    /// A request that was answered.
    ///
    /// - Parameters:
    ///   - principal: The principal of the request; nil if it was not found out.
    ///   - exchange: The request.
    ///   - route: The requested route; nil if it was not found out.
    ///   - subject: The request's subject.
    ///   - target: The other director that the request changes; nil for none.
    ///   - status: The answer's status.
    ///   - etag: The entity tag of the resulting state.
    ///   - outcome: The outcome if the status is below 400; a 504 is noted as `unknown`, other statuses as `refused`.
    init(
        principal: Principal?, exchange: Exchange, route: Route?, subject: Subject?, target: Subject? = nil,
        status: HTTPResponse.Status, etag: String? = nil, outcome: Outcome = .done
    ) {
        self.principal = principal?.name ?? "unknown"
        request = (exchange.remoteAddress, exchange.head.method.rawValue)
        operation = route?.operationID
        self.subject = subject
        self.target = target
        self.status = status
        self.etag = etag
        self.outcome = status == .gatewayTimeout ? .unknown : status.code < 400 ? outcome : .refused
    }

    /// An attempt of a hook's target to change a director by its answer, with the outcome; the hook is the principal.
    init(_ deed: HookDeed) {
        principal = "hook \(deed.address.path)"
        operation = deed.kind.rawValue
        subject = Subject(kind: "director", name: deed.address.director)
        switch deed.change {
        case .done(let tag):
            etag = tag
            outcome = .done
        case .inDoubt: outcome = .unknown
        case .none, .refused: outcome = .refused
        }
    }

    /// A change without a request: by a command, or by the server itself.
    private init(by principal: String, _ operation: String, _ subject: Subject) {
        self.principal = principal
        self.operation = operation
        self.subject = subject
        outcome = .done
    }

    /// A token that a command has made.
    package static func made(_ token: TokenEntry, by user: String) -> AuditEntry {
        AuditEntry(by: user, "createToken", Subject(token))
    }

    /// A token that a command has revoked.
    package static func revoked(_ token: TokenEntry, by user: String) -> AuditEntry {
        AuditEntry(by: user, "revokeToken", Subject(token))
    }

    /// The token that the server has made by itself, since nobody had one.
    package static func first(_ token: TokenEntry) -> AuditEntry {
        AuditEntry(by: "server", "createToken", Subject(token))
    }

    /// A damaged row that was moved out of the way.
    package static func setAside(_ row: JournalDamage) -> AuditEntry {
        AuditEntry(by: "server", "setAside", Subject(kind: "row", name: "\(row.place)"))
    }

    /// The line as JSON, with its end.
    var line: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 256)
        func member(_ name: String, _ text: String) { writer.member(name, text.shownInLogs) }
        writer.beginObject()
        writer.member("time", WallTime.now().description)
        member("principal", principal.cut(toBytes: 1024))
        if let request {
            member("address", request.address)
            member("method", request.method)
        }
        if let operation { writer.member("operation", operation) }
        for subject in [subject, target].compactMap(\.self) { member(subject.kind, subject.name.cut(toBytes: 256)) }
        if let etag { member("etag", etag) }
        if let status { writer.member("status", status.code) }
        writer.member("outcome", outcome.rawValue)
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}

extension AuditEntry.Subject {
    /// The object that the first parameter of a path names; nil for a path without parameters.
    init?(_ route: Route, _ parameters: [String]) {
        guard let kind = route.path.parameterNames.first, let name = parameters.first else { return nil }
        self.init(kind: kind, name: name)
    }

    /// The director that a request moves an element to, as its body names it; nil for every other request.
    init?(targetOf call: Call) {
        guard case .transfer = call.route.action, let document = try? JSONDocument(call.exchange.body),
            let name = document.root["toDirector"]?.string
        else { return nil }
        self.init(kind: "toDirector", name: name)
    }

    /// A token, by its identifier.
    init(_ token: TokenEntry) {
        self.init(kind: "token", name: token.id)
    }
}
