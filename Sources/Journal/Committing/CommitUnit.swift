import Directors

/// The unit that one commit stores whole or not at all: a life's record, the records of two lives that belong together, or
/// changes of deliveries or tokens.
package enum CommitUnit: Sendable {
    /// A record of a director's life.
    case record(EncodedRecord)
    /// Records of two directors' lives, which both go on.
    indirect case pair(EncodedRecord, EncodedRecord)
    /// Changes of deliveries, in their order; they belong to no life.
    case deliveries([DeliveryChange])
    /// Changes of tokens, in their order; they belong to no life.
    case tokens([TokenChange])

    /// The name of the director whose results must come in order; empty for units of no life.
    package var director: String {
        switch self {
        case .record(let record), .pair(let record, _): record.place.director
        case .deliveries, .tokens: ""
        }
    }

    /// The name of the other director whose results must come in order; nil for units of one life or none.
    package var partner: String? {
        if case .pair(_, let record) = self { record.place.director } else { nil }
    }

    /// The bytes that storing it takes, for the bound of the queue.
    package var size: Int {
        switch self {
        case .record(let record): record.size
        case .pair(let first, let second): first.size + second.size
        case .deliveries(let changes): changes.reduce(256) { $0 + $1.size }
        case .tokens(let changes): changes.reduce(256) { $0 + $1.size }
        }
    }
}
