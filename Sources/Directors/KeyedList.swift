/// Something that can be found by its identifier.
protocol Identified: Sendable {
    var identifier: String { get }
    var identifierHash: Int { get }
}

/// A list whose items can be found by position and by identifier.
///
/// Beside the items stands a list of short hashes, which a look-up runs over: four bytes for each item, no index to
/// keep in step. Both are copy-on-write.
struct KeyedList<Item: Identified>: Sendable {
    private(set) var items: [Item]
    private var keys: [UInt32]

    init(_ items: [Item] = []) {
        self.items = items
        keys = items.map(KeyedList.key)
    }

    var count: Int { items.count }

    private static func key(_ item: Item) -> UInt32 {
        UInt32(truncatingIfNeeded: item.identifierHash)
    }

    /// What a look-up by identifier finds.
    enum Match {
        case none
        case one(Int)
        case several([Int])
    }

    /// Finds the items of an identifier.
    ///
    /// - Complexity: O(*n*) in the number of items, four bytes of each.
    func match(_ identifier: String) -> Match {
        let key = UInt32(truncatingIfNeeded: identifier.hashValue)
        var found: [Int] = []
        var first: Int?
        var from = 0
        while let position = keys[from...].firstIndex(of: key) {
            from = position + 1
            guard items[position].identifier.utf8.elementsEqual(identifier.utf8) else { continue }
            if let first, found.isEmpty { found = [first] }
            if first == nil { first = position } else { found.append(position) }
        }
        guard let first else { return .none }
        return found.isEmpty ? .one(first) : .several(found)
    }

    mutating func replace(at position: Int, with item: Item) {
        items[position] = item
        keys[position] = KeyedList.key(item)
    }

    /// Changes an item where it stands, without a copy of what it holds.
    mutating func update<Failure: Error>(
        at position: Int, _ change: (inout Item) throws(Failure) -> Void
    ) throws(Failure) {
        try change(&items[position])
        keys[position] = KeyedList.key(items[position])
    }

    mutating func insert(_ new: [Item], at position: Int) {
        items.insert(contentsOf: new, at: position)
        keys.insert(contentsOf: new.map(KeyedList.key), at: position)
    }

    mutating func remove(at position: Int) {
        items.remove(at: position)
        keys.remove(at: position)
    }

    /// Removes the items at several positions.
    ///
    /// - Complexity: O(*n*) in the number of items.
    mutating func remove(at positions: Set<Int>) {
        guard positions.count > 1 else {
            if let position = positions.first { remove(at: position) }
            return
        }
        let kept = items.indices.filter { !positions.contains($0) }
        items = kept.map { items[$0] }
        keys = kept.map { keys[$0] }
    }

    /// Takes an item out and puts it back where it then has the position given.
    mutating func move(from: Int, to: Int) {
        guard from != to else { return }
        items.insert(items.remove(at: from), at: to)
        keys.insert(keys.remove(at: from), at: to)
    }

    mutating func swap(_ one: Int, _ other: Int) {
        items.swapAt(one, other)
        keys.swapAt(one, other)
    }
}

extension Element: Identified {}
