import JSONValues

/// The right to open event streams of some directors for a short while: what a page puts into an address where it can set
/// no field.
///
/// It holds the requesting client's credential: a stream ends with that credential. As text it is sealed by a
/// ``TicketKey``.
package struct StreamTicket: Hashable, Sendable {
    /// The credential; nil where none was presented.
    package let credential: String?
    /// The directors that may be followed, by name.
    package let directors: [String]
    /// The first second since 1970 at which it opens no stream any more.
    package let expiresAt: Int

    /// Makes a ticket.
    package init(credential: String?, directors: [String], expiresAt: Int) {
        self.credential = credential
        self.directors = directors
        self.expiresAt = expiresAt
    }

    /// The ticket as it is sealed.
    var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            if let credential { writer.member("credential", credential) }
            writer.key("directors")
            writer.array { for director in directors { $0.string(director) } }
            writer.member("expiresAt", expiresAt)
        }
        return writer.bytes
    }

    /// Reads what ``encoded`` is; nil for anything else.
    init?(encoded bytes: [UInt8]) {
        guard let root = try? JSONDocument(bytes).root, let expiresAt = root["expiresAt"]?.int,
            let directors = root["directors"], directors.kind == .array
        else { return nil }
        self.init(
            credential: root["credential"]?.string, directors: directors.elements.compactMap(\.string),
            expiresAt: expiresAt)
    }
}

/// Why a text opens no stream.
package enum TicketFault: Error, Hashable, Sendable {
    /// No key that is known has sealed it: it was changed, made up, or made before the server was started.
    case unknown
    /// Its time is over.
    case expired
}

extension TicketFault: CustomStringConvertible {
    /// A sentence without its full stop; nothing in it is secret.
    package var description: String {
        switch self {
        case .unknown: "the ticket is not known: it was not made by this server since it was started"
        case .expired: "the ticket has expired: ask for another one with POST /v1/stream-tickets"
        }
    }
}
