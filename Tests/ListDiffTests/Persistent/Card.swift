import ListDiff

/// An element that is measured, and that shares its hash with others.
struct Card: ListItem, Hashable, Sendable, CustomStringConvertible {
    var id: Int
    var content = 0

    var differenceIdentifier: Int { id }

    /// Two identifiers have the same hash, and the hashes are spread over all numbers.
    var identityHash: Int { (id / 2) &* 0x1E37_79B9_7F4A_7C15 }

    var measure: Weight { Weight(count: 1, content: content) }

    func isContentEqual(to source: Self) -> Bool {
        content == source.content
    }

    var description: String {
        content == 0 ? "\(id)" : "\(id)'\(content)"
    }
}

/// How many cards there are, and what their contents add up to.
struct Weight: ListMeasure {
    var count = 0
    var content = 0

    init() {}

    init(count: Int, content: Int) {
        self.count = count
        self.content = content
    }

    static func += (left: inout Weight, right: Weight) {
        left.count += right.count
        left.content += right.content
    }

    static func -= (left: inout Weight, right: Weight) {
        left.count -= right.count
        left.content -= right.content
    }
}
