import Directors

/// How one list of elements is put together from another one and from elements of its own.
///
/// The lists of one director share their elements, as objects. So a list is encoded as runs of another one that was
/// encoded before, and only the other elements are written out.
struct ListCopy {
    /// A part of the list.
    enum Piece {
        /// Elements of the other list.
        case copy(Range<Int>)
        /// Elements of its own, as positions in the list itself.
        case own(Range<Int>)
    }

    private(set) var pieces: [Piece] = []

    /// How many elements of both lists are compared before a table of the other list is made.
    private static let window = 4

    /// Finds the pieces.
    ///
    /// - Complexity: O(*n*) in the number of elements of both; no more than comparisons of references where few of them
    ///   differ.
    init(_ target: [Element], from source: [Element]) {
        var table: [ObjectIdentifier: Int]?
        var (position, next) = (0, 0)
        while position < target.count {
            if next < source.count, target[position] === source[next] {
                let start = next
                while position < target.count, next < source.count, target[position] === source[next] {
                    position += 1
                    next += 1
                }
                pieces.append(.copy(start..<next))
            } else if let (own, skipped) = Self.meeting(target, position, source, next) {
                for offset in 0..<own { append(own: position + offset) }
                position += own
                next += skipped
            } else {
                let positions = table ?? Self.makeTable(source)
                table = positions
                if let found = positions[ObjectIdentifier(target[position])] {
                    next = found
                } else {
                    append(own: position)
                    position += 1
                }
            }
        }
    }

    /// How many elements of each list have to be skipped until they match again; nil where that is not near.
    private static func meeting(
        _ target: [Element], _ position: Int, _ source: [Element], _ next: Int
    ) -> (own: Int, skipped: Int)? {
        for sum in 1...(2 * window) {
            for own in max(0, sum - window)...min(sum, window) {
                let (one, other) = (position + own, next + sum - own)
                if one < target.count, other < source.count, target[one] === source[other] { return (own, sum - own) }
            }
        }
        return nil
    }

    private mutating func append(own position: Int) {
        if case .own(let range)? = pieces.last, range.upperBound == position {
            pieces[pieces.count - 1] = .own(range.lowerBound..<(position + 1))
        } else {
            pieces.append(.own(position..<(position + 1)))
        }
    }

    private static func makeTable(_ source: [Element]) -> [ObjectIdentifier: Int] {
        var table: [ObjectIdentifier: Int] = [:]
        table.reserveCapacity(source.count)
        for (position, element) in source.enumerated() { table[ObjectIdentifier(element)] = position }
        return table
    }
}
