import Foundation
import ListDiff
import Notation

/// The rows of a stack, which are kept by their elements over changes of the list, and which of them are in sight.
package struct StackRows<Row: AnyObject> {
    /// An element of a section; of several with the same identity, one by its number; and what its row is made by.
    private struct Key: Hashable {
        let section: Name
        let identity: RemoteElement.Identity
        let number: Int
        let identifier: String
    }

    /// The rows, in the order of the list.
    package private(set) var rows: [Row] = []
    private var paths: [ObjectIdentifier: ElementPath] = [:]
    private var known: [Key: (element: RemoteElement, row: Row)] = [:]
    private var inSight: Set<ObjectIdentifier> = []

    /// Makes rows of no list.
    package init() {}

    /// The place of a row; nil where it has gone.
    package func path(of row: Row) -> ElementPath? { paths[ObjectIdentifier(row)] }

    /// The row at a place of the list that was taken last.
    package func row(at path: ElementPath) -> Row? { rows.first { paths[ObjectIdentifier($0)] == path } }

    /// Takes a list: rows whose elements stay are kept, others are made.
    ///
    /// - Parameters:
    ///   - sections: The list.
    ///   - identifier: What the row at a path is made by; an element of which it changes gets another row.
    ///   - make: Makes the row at a path.
    /// - Returns: The rows that have gone, and those that are new or show another value than before.
    package mutating func take(
        _ sections: [RemoteSection], identifier: (ElementPath) -> String, make: (ElementPath) -> Row
    ) -> (gone: [Row], changed: [Row]) {
        let before = (rows: rows, known: known)
        var changed: [Row] = []
        (rows, paths, known) = ([], [:], [:])
        for (index, section) in sections.enumerated() {
            var numbers: [RemoteElement.Identity: Int] = [:]
            for (place, element) in section.elements.enumerated() {
                let path = ElementPath(section: index, element: place)
                let number = numbers[element.differenceIdentifier, default: 0]
                numbers[element.differenceIdentifier] = number + 1
                let key = Key(
                    section: Name(section.id), identity: element.differenceIdentifier, number: number,
                    identifier: identifier(path))
                let row = before.known[key]?.row ?? make(path)
                if before.known[key]?.element != element { changed.append(row) }
                known[key] = (element, row)
                rows.append(row)
                paths[ObjectIdentifier(row)] = path
            }
        }
        let gone = before.rows.filter { paths[ObjectIdentifier($0)] == nil }
        inSight.subtract(gone.map { ObjectIdentifier($0) })
        return (gone, changed)
    }

    /// The rows in sight whose elements another list has no more.
    package func leaving(for sections: [RemoteSection]) -> [Row] {
        let staying = Set(
            sections.flatMap { section in section.elements.map { Pair(Name(section.id), $0.differenceIdentifier) } })
        return known.filter { key, value in
            inSight.contains(ObjectIdentifier(value.row)) && !staying.contains(Pair(key.section, key.identity))
        }.map(\.value.row)
    }

    private struct Pair: Hashable {
        let section: Name
        let identity: RemoteElement.Identity

        init(_ section: Name, _ identity: RemoteElement.Identity) {
            (self.section, self.identity) = (section, identity)
        }
    }

    /// Takes note of which rows are in sight.
    ///
    /// - Returns: The rows that have come into sight, and those that have gone out of it.
    package mutating func look(_ isInSight: (Row) -> Bool) -> (coming: [Row], leaving: [Row]) {
        let before = inSight
        inSight = Set(rows.filter(isInSight).map { ObjectIdentifier($0) })
        return (
            rows.filter { inSight.contains(ObjectIdentifier($0)) && !before.contains(ObjectIdentifier($0)) },
            rows.filter { before.contains(ObjectIdentifier($0)) && !inSight.contains(ObjectIdentifier($0)) }
        )
    }
}

extension ScrollCommand.Position {
    /// The offset of a scroll view that brings a row to the position, as far as the content goes.
    ///
    /// - Parameters:
    ///   - row: Where the row begins and ends in the content.
    ///   - offset: Where the visible part begins now.
    ///   - window: How long the visible part is.
    ///   - content: How long the content is.
    package func offset(
        showing row: ClosedRange<CGFloat>, from offset: CGFloat, window: CGFloat, content: CGFloat
    ) -> CGFloat {
        let (first, last) = (row.lowerBound, row.upperBound - window)
        let wanted: CGFloat =
            switch self {
            // A row that is longer than the window shows its beginning.
            case .none: min(max(offset, min(last, first)), first)
            case .top: first
            case .middle: (first + last) / 2
            case .bottom: last
            }
        return min(max(wanted, 0), max(content - window, 0))
    }
}
