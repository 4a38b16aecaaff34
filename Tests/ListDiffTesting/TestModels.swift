import ListDiff

/// An element with a content apart from its identity, and with a detail that it does not show.
struct Item: Differentiable, Hashable, Sendable, CustomStringConvertible {
    var id: Int
    var content = 0
    var detail = 0

    var differenceIdentifier: Int { id }

    func isContentEqual(to source: Self) -> Bool {
        content == source.content
    }

    func isValueEqual(to source: Self) -> Bool {
        self == source
    }

    var description: String {
        (content == 0 ? "\(id)" : "\(id)'\(content)") + (detail == 0 ? "" : "+\(detail)")
    }
}

extension Item: SizedListItem {
    var bytes: Int { 100 }

    func bytesNotShared(with newer: Self) -> Int { self == newer ? 0 : bytes }
}

/// A section with a content apart from its identity.
struct Group: DifferentiableSection, Hashable, Sendable, CustomStringConvertible {
    var id: Int
    var content = 0
    var elements: [Item]

    init(_ id: Int, _ elements: [Item], content: Int = 0) {
        self.id = id
        self.content = content
        self.elements = elements
    }

    init(_ id: Int, ids: [Int], content: Int = 0) {
        self.init(id, ids.map { Item(id: $0) }, content: content)
    }

    init(copying section: Self, elements: [Item]) {
        self.init(section.id, elements, content: section.content)
    }

    var differenceIdentifier: Int { id }

    func isContentEqual(to source: Self) -> Bool {
        content == source.content
    }

    var description: String {
        "#\(id)" + (content == 0 ? "" : "'\(content)") + "\(elements)"
    }
}

/// Pairs of lists: the state that is shown, and the one that is to be shown.
struct Pair: CustomStringConvertible, Sendable {
    var source: [Group]
    var target: [Group]

    var description: String {
        "\(source) -> \(target)"
    }
}
