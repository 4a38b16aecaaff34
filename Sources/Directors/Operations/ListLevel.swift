import ListDiff

/// One list of a state, and the rules of its items: how they are made of drafts, what tells them apart, how many there may
/// be. Its errors have pointers into the edit's JSON form.
protocol ListLevel {
    associatedtype Draft: DraftForm
    associatedtype Item: Addressable

    /// What errors call an item.
    static var member: DirectorError.Member { get }

    /// The list as it is.
    func list(in state: ListState) throws(DirectorError) -> PersistentList<Item>
    /// Changes the list where it stands.
    func change(_ state: inout ListState, _ change: (inout PersistentList<Item>) -> Void)
    /// Whether it is the same list.
    func isSame(as other: Self) -> Bool

    /// Puts items in place of all.
    func set(_ drafts: [Draft], in state: inout ListState, _ context: OperationContext) throws(DirectorError)
    /// Makes items that are to be added.
    func make(_ drafts: [Draft], for state: ListState, _ context: OperationContext) throws(DirectorError) -> [Item]
    /// Refuses new items that would pass a limit, or are there already.
    func check(adding items: [Item], to state: ListState, _ context: OperationContext) throws(DirectorError)

    /// Refuses a draft that is put where it cannot be.
    func check(
        putting draft: Draft, at address: Address, in state: ListState, _ context: OperationContext)
        throws(DirectorError)
    /// Makes the item of a draft that is put under an identifier that no other has.
    func make(
        new draft: Draft, named identifier: String, for state: ListState, _ context: OperationContext
    ) throws(DirectorError) -> Item
    /// Puts an item in the place of another one.
    func replace(
        _ current: Item, at position: Int, with draft: Draft, in state: inout ListState, _ context: OperationContext
    ) throws(DirectorError)
    /// Applies a merge patch to an item.
    func patch(
        _ current: Item, at position: Int, with patch: ValueDraft, in state: inout ListState,
        _ context: OperationContext
    ) throws(DirectorError)

    /// Finds the list that an item is moved to.
    func target(_ destination: Draft.Destination, in state: ListState) throws(DirectorError) -> Self
    /// Refuses an item of another list.
    func check(moving item: Item, to state: ListState) throws(DirectorError)
}

extension ListState {
    /// Performs an edit of one list, or throws without having changed anything.
    ///
    /// A list is looked at in an expression of its own each time: one that is held while its state changes would be copied.
    ///
    /// - Complexity: O(log *n*) for each item that comes in, changes, moves or goes; `set` compares all.
    /// - Returns: The position of the item that was put or patched; nil for other edits.
    mutating func apply<Level: ListLevel>(
        _ edit: ListEdit<Level.Draft>, at level: Level, _ context: OperationContext
    ) throws(DirectorError) -> Int? {
        switch edit {
        case .set(let drafts):
            try level.set(drafts, in: &self, context)
        case .add(let drafts, let place):
            let position = try level.list(in: self).insertion(place, of: Level.member, pointer: "/at")
            let items = try level.make(drafts, for: self, context)
            try level.check(adding: items, to: self, context)
            level.change(&self) { $0.insert(items, at: position) }
        case .put(let address, let draft, let place):
            return try put(draft, at: address, place.map(Level.Draft.address), at: level, context)
        case .patch(let address, let patch):
            let (position, current) = try level.item(at: address, in: self)
            try level.patch(current, at: position, with: patch, in: &self, context)
            return position
        case .remove(let address):
            let position = try level.item(at: address, in: self).position
            level.change(&self) { $0.remove(at: position) }
        case .removeSeveral(let addresses):
            let positions = try level.list(in: self).positions(addresses, of: Level.member)
            level.change(&self) { $0.remove(at: positions) }
        case .removeAll:
            _ = try level.list(in: self)
            level.change(&self) { $0 = [] }
        case .move(let from, let to, let destination):
            try move(from, to, into: destination, at: level)
        case .swap(let one, let other):
            let first = try level.movable(one, in: self, pointer: "/at")
            let second = try level.movable(other, in: self, pointer: "/with")
            if first != second { level.change(&self) { $0.swapAt(first, second) } }
        }
        return nil
    }

    private mutating func put<Level: ListLevel>(
        _ draft: Level.Draft, at address: Address, _ place: Address?, at level: Level, _ context: OperationContext
    ) throws(DirectorError) -> Int {
        try level.check(putting: draft, at: address, in: self, context)
        if case .identifier(let identifier) = address, try level.lacks(address, in: self) {
            let position = try level.list(in: self).insertion(place, of: Level.member, pointer: "/at")
            let item = try level.make(new: draft, named: identifier, for: self, context)
            try level.check(adding: [item], to: self, context)
            level.change(&self) { $0.insert(item, at: position) }
            return position
        }
        let (position, current) = try level.item(at: address, in: self)
        try level.replace(current, at: position, with: draft, in: &self, context)
        return position
    }

    private mutating func move<Level: ListLevel>(
        _ from: Address, _ to: Address, into destination: Level.Draft.Destination?, at level: Level
    ) throws(DirectorError) {
        _ = try level.list(in: self)
        var target = level
        if let destination { target = try level.target(destination, in: self) }
        let position = try level.movable(from, in: self, pointer: "/from")
        if target.isSame(as: level) {
            let place = try level.movable(to, in: self, pointer: "/to")
            if place != position { level.change(&self) { $0.move(from: position, to: place) } }
            return
        }
        let place = try target.list(in: self).insertion(to, of: Level.member, pointer: "/to")
        let item = try level.list(in: self)[position]
        try target.check(moving: item, to: self)
        level.change(&self) { $0.remove(at: position) }
        target.change(&self) { $0.insert(item, at: place) }
    }
}

extension ListLevel {
    /// The item at an address.
    fileprivate func item(
        at address: Address, in state: ListState
    ) throws(DirectorError) -> (position: Int, item: Item) {
        let list = try list(in: state)
        let position = try list.position(address, of: Self.member, pointer: Self.member.pointer)
        return (position, list[position])
    }

    /// Whether no item has an identifier.
    fileprivate func lacks(_ address: Address, in state: ListState) throws(DirectorError) -> Bool {
        try list(in: state).existing(address, of: Self.member, pointer: Self.member.pointer) == nil
    }

    /// The position of an item that is to be moved, or the one that it is to have afterwards.
    fileprivate func movable(_ address: Address, in state: ListState, pointer: String) throws(DirectorError) -> Int {
        try list(in: state).movable(address, of: Self.member, pointer: pointer)
    }
}

extension PersistentList {
    /// Inserts items from a position on; a single item takes a quicker way.
    fileprivate mutating func insert(_ items: [Element], at position: Int) {
        if items.count == 1 { insert(items[0], at: position) } else { insert(contentsOf: items, at: position) }
    }
}
