/// A change to a list, as one request would bring it.
enum ListChange: CaseIterable {
    case update
    case insert
    case delete
    case move
    case firstToEnd
    case scatteredUpdates
    case swapSections

    /// How many elements the scattered updates change.
    static let scattered = 100

    /// What results call it.
    var name: String {
        switch self {
        case .update: "one update"
        case .insert: "one insert"
        case .delete: "one delete"
        case .move: "one move"
        case .firstToEnd: "first to the end"
        case .scatteredUpdates: "\(ListChange.scattered) scattered updates"
        case .swapSections: "a swap of two sections"
        }
    }

    /// Whether it is a single change, which has a time of its own to stay in.
    var isSingle: Bool {
        self != .scatteredUpdates
    }
}

/// How a change says where.
enum Addressing: String, CaseIterable {
    case position
    case identifier
}
