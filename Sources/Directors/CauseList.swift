import Notation

/// Names that clients have given their mutations, so that they know them again in the changeset that shows them.
///
/// Each name is there once, at the place of the last mutation that has it; of more than ``limit`` the newest are kept.
package struct CauseList: Sendable, Hashable {
    /// The most names that are kept.
    package static let limit = 100
    /// The most bytes of a name.
    package static let maxLength = 64

    /// The names, oldest first.
    package private(set) var names: [String] = []

    /// Makes an empty list.
    package init() {}

    /// Makes a list of names, oldest first.
    package init(_ names: some Sequence<String>) {
        for name in names { append(name) }
    }

    /// Makes a list of what several lists have, the newest list first.
    ///
    /// - Complexity: O(*n*) in the names that are looked at; the newest ``limit`` are enough.
    package init(newestFirst lists: some Sequence<CauseList>) {
        var seen: Set<Name> = []
        var found: [String] = []
        for list in lists where found.count < Self.limit {
            for name in list.names.reversed() where seen.insert(Name(name)).inserted { found.append(name) }
        }
        names = found.prefix(Self.limit).reversed()
    }

    /// Whether there are none.
    package var isEmpty: Bool { names.isEmpty }

    /// The memory that the names take, estimated.
    package var memory: Int {
        names.isEmpty
            ? 0 : MemoryEstimate.block(32 + 16 * names.count) + names.reduce(0) { $0 + MemoryEstimate.string($1) }
    }

    /// The most bytes that the names take as JSON.
    var textEstimate: Int { names.reduce(0) { $0 + 2 * $1.utf8.count + 3 } }

    /// Adds a name as the newest one.
    ///
    /// - Complexity: O(*n*) in the number of names, which ``limit`` bounds.
    package mutating func append(_ name: String) {
        if let place = names.firstIndex(of: name) {
            names.remove(at: place)
        } else if names.count == Self.limit {
            names.removeFirst()
        }
        names.append(name)
    }

    /// Whether a text can name a mutation: 1 to ``maxLength`` visible ASCII characters.
    package static func isWellFormed(_ name: String) -> Bool {
        (1...maxLength).contains(name.utf8.count) && name.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }
}

extension Director {
    /// Names a mutation that has been accepted. The name waits in the working state for the next version, which shows the
    /// mutation.
    package mutating func note(cause: String) {
        working.causes.append(cause)
    }
}
