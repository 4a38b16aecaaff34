/// A row of what is stored of a life that goes on, as a look finds it.
package struct LifeRow: Sendable, Hashable {
    /// The life's number in the journal.
    package let id: Int
    /// The director and its epoch.
    package let name: LifeName
    /// The node that writes it.
    package let owner: Int
    /// Which ownership it is.
    package let term: Int
    /// The number of its newest record.
    package let head: Int

    /// Makes a row.
    package init(id: Int, name: LifeName, owner: Int, term: Int, head: Int) {
        self.id = id
        self.name = name
        self.owner = owner
        self.term = term
        self.head = head
    }
}

/// A node's progress in a life that it writes: its newest acknowledged record, and its ownership.
package struct OwnWriting: Sendable, Hashable {
    /// The number of the newest record that is acknowledged to it.
    package let number: Int
    /// The ownership that it writes under; nil while its first commit of a life is under way, or one is in doubt.
    package let term: Int?

    /// Makes a node's progress.
    package init(number: Int, term: Int?) {
        self.number = number
        self.term = term
    }
}
