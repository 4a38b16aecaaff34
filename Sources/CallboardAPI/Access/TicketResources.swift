import Access
import Directors
import JSONValues
import Notation

extension Application {
    /// `POST /v1/stream-tickets`: makes a ticket that opens streams of some directors.
    ///
    /// - Throws: 404 for a director that may not be read, 422 where the body is wrong or the credential too long.
    func createTicket(_ call: Call) throws(Problem) {
        let directors = try directors(of: try call.document().root)
        if let hidden = directors.first(where: { !call.principal.grants.allow(.read, on: $0) }) {
            throw .hidden(hidden)
        }
        // A ticket is good no longer than what it was made with.
        let end = min(access.now + Self.ticketLifetime, call.principal.expiresAt ?? .max)
        let ticket = access.ticketKey.seal(
            StreamTicket(credential: try token(of: call), directors: directors, expiresAt: end))
        // The target has to hold the path and other parameters besides.
        guard ticket.utf8.count <= configuration.server.limits.maxTarget / 2 else {
            throw .unprocessable(
                "The ticket would have \(ticket.utf8.count) bytes, more than half of what an address may have here "
                    + "(server.maxTarget). Name fewer directors, or have the token's issuer leave something out.")
        }
        let answer = TicketAnswer(ticket: ticket, expiresAt: WallTime(seconds: end))
        call.answer(Reply(status: .created, body: answer.encoded, isStorable: false))
    }

    /// Seconds in which a ticket opens streams; they go on after that.
    static let ticketLifetime = 60

    /// The token that the request was made with; nil where there was none.
    private func token(of call: Call) throws(Problem) -> String? {
        guard !access.isOpen else { return nil }
        return switch try PresentedCredential(of: call.exchange.head) {
        case .field(let field): try PresentedCredential.token(in: field)
        case .session(let token): token
        case .ticket, nil: nil
        }
    }

    private func directors(of node: JSONNode) throws(Problem) -> [String] {
        let limit = configuration.feed.maxDirectorsPerStream
        guard node.kind == .object else { throw Self.invalid("", "expected an object with directors") }
        for member in node.members where member.name != "directors" {
            throw Self.invalid(member.value.pointer.description, "a ticket has no such member; it has: directors")
        }
        guard let list = node["directors"], list.kind == .array else {
            throw Self.invalid("/directors", "expected an array of directors' names")
        }
        var names: [String] = []
        for element in list.elements {
            guard let name = element.string, (1...256).contains(name.utf8.count) else {
                throw Self.invalid(element.pointer.description, "expected a director's name: 1 to 256 bytes")
            }
            if !names.contains(where: name.isVerbatim) { names.append(name) }
            guard names.count <= limit else { break }
        }
        guard (1...limit).contains(names.count) else {
            throw Self.invalid("/directors", "expected 1 to \(limit) directors, as many as one stream carries")
        }
        return names
    }

    private static func invalid(_ pointer: String, _ detail: String) -> Problem {
        .unprocessable("The ticket is not valid.", faults: [.init(pointer: pointer, detail: detail)])
    }
}

/// A ticket that was made, and when it ends.
struct TicketAnswer: AnswerObject {
    let ticket: String
    let expiresAt: WallTime

    static let form = AnswerForm<Self>(AnswerField("ticket") { $0.ticket }, AnswerField("expiresAt") { $0.expiresAt })
}
