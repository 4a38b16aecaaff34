/// What somebody may do.
package enum Right: String, CaseIterable, Hashable, Sendable {
    /// Read a director: snapshots, streams, every `GET` below it.
    case read
    /// Report and ask events: `POST …/events`.
    case report
    /// Change the list: sections, rows, elements, variables, reload, operations, refresh, scroll.
    case mutate
    /// Create, redefine and delete directors; adapters and properties.
    case define
    /// Register, read and remove webhook targets, and read what was delivered to them.
    case hooks
    /// Operate the server: tokens, metrics, readiness. It opens no director's content.
    case operate

    /// The bit that stands for the right in ``Rights``.
    var bit: UInt8 {
        switch self {
        case .read: 1
        case .report: 2
        case .mutate: 4
        case .define: 8
        case .hooks: 16
        case .operate: 32
        }
    }
}

/// A set of rights in one byte.
package struct Rights: Hashable, Sendable, ExpressibleByArrayLiteral {
    private var bits: UInt8 = 0

    /// A set of these rights.
    package init(_ rights: some Sequence<Right>) {
        for right in rights { bits |= right.bit }
    }

    /// A set of these rights.
    package init(arrayLiteral rights: Right...) {
        self.init(rights)
    }

    /// Every right.
    package static let all = Rights(Right.allCases)

    /// Whether the set has the right.
    package func contains(_ right: Right) -> Bool {
        bits & right.bit != 0
    }

    /// Adds the rights of another set.
    package mutating func formUnion(_ other: Rights) {
        bits |= other.bits
    }

    /// Whether there is no right.
    package var isEmpty: Bool { bits == 0 }

    /// The rights in the order of their declaration.
    package var sorted: [Right] { Right.allCases.filter(contains) }
}
