import Notation

/// The parts of the data that an expression may read.
///
/// Whatever stands elsewhere can change without changing the value, or the error, that the expression gives; only the
/// limit of steps may be met earlier or later, since members that are passed on a path count. More may be named than is
/// read, never less.
package struct LogicReads: Sendable, Hashable {
    /// The paths from the whole data to what is read, each with all that is inside; none leads into another.
    package let paths: Set<[String]>

    /// How many steps of a path are kept; what is read further inside counts as the whole of that.
    static let longestPath = 16

    /// Takes the shortest of the paths.
    ///
    /// - Complexity: O(*n*) in the number of paths.
    init(_ paths: Set<[String]>) {
        let cut = Set(paths.map { Array($0.prefix(LogicReads.longestPath)) })
        self.paths = cut.filter { path in
            !path.indices.contains { cut.contains(Array(path[..<$0])) }
        }
    }

    /// Whether all of the data may be read, because a path is computed or the whole is asked for.
    package var isEverything: Bool {
        paths.contains([])
    }

    /// Whether the value can depend on what is at a path, inside it, or around it.
    ///
    /// - Parameter path: Names of members and positions of elements from the whole data inwards.
    /// - Complexity: O(*n*) in the number of paths.
    package func mayRead(_ path: [String]) -> Bool {
        paths.contains { read in zip(read, path).allSatisfy { $0.isVerbatim($1) } }
    }
}
