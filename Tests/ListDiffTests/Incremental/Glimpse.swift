import ListDiff

/// An element of which content equality looks at a part only.
struct Glimpse: ListItem, Hashable, Sendable {
    var id: Int
    /// What is shown.
    var content = 0
    /// What is not.
    var detail = 0
    /// What does not matter at all: how the value is written.
    var spelling = 0

    var differenceIdentifier: Int { id }

    func isContentEqual(to source: Self) -> Bool {
        content == source.content
    }

    func isValueEqual(to source: Self) -> Bool {
        content == source.content && detail == source.detail
    }
}

/// A section of such elements.
struct GlimpseShelf: PersistentSection, Hashable, Sendable {
    typealias Element = Glimpse

    var id: Int
    var title = 0
    var detail = 0
    var content: PersistentList<Glimpse>

    init(_ id: Int, _ content: PersistentList<Glimpse>) {
        self.id = id
        self.content = content
    }

    init(copying section: Self, content: PersistentList<Glimpse>) {
        self = section
        self.content = content
    }

    var differenceIdentifier: Int { id }

    func isContentEqual(to source: Self) -> Bool {
        title == source.title
    }

    static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.title == right.title && left.detail == right.detail && left.content == right.content
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}
