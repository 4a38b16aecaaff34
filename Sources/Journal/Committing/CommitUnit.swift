import Directors

/// The unit that one commit stores whole or not at all: a life's record, or changes of deliveries or tokens.
package enum CommitUnit: Sendable {
    /// A record of a director's life.
    case record(EncodedRecord)
    /// Changes of deliveries, in their order; they belong to no life.
    case deliveries([DeliveryChange])
    /// Changes of tokens, in their order; they belong to no life.
    case tokens([TokenChange])

    /// The name of the director whose results must come in order; empty for units of no life.
    package var director: String {
        switch self {
        case .record(let record): record.place.director
        case .deliveries, .tokens: ""
        }
    }

    /// The bytes that storing it takes, for the bound of the queue.
    package var size: Int {
        switch self {
        case .record(let record): record.size
        case .deliveries(let changes): changes.reduce(256) { $0 + $1.size }
        case .tokens(let changes): changes.reduce(256) { $0 + $1.size }
        }
    }

    /// The record, where it has a row in the log.
    package var logged: EncodedRecord? {
        guard case .record(let record) = self, record.place.step != nil else { return nil }
        return record
    }
}
