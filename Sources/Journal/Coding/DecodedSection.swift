import Directors
import ListDiff

/// A section of a snapshot: copied pieces of an earlier section, and parts of its own that are being made.
struct DecodedSection {
    private enum Piece {
        /// Elements of the source.
        case copy(Range<Int>)
        /// The number of a part, and of its elements.
        case part(Int, count: Int)

        var count: Int {
            switch self {
            case .copy(let range): range.count
            case .part(_, let count): count
            }
        }
    }

    /// The number of elements.
    private(set) var count = 0

    private let identifier: String
    private let attributes: SectionAttributes
    private let source: Section?
    private let isWhole: Bool
    private var pieces: [Piece] = []
    private var rows: [(draft: RowDraft, elements: DecodedSection)]?

    /// Begins without elements.
    ///
    /// - Parameters:
    ///   - draft: The section as it was stored, its elements and rows left aside.
    ///   - identifier: Its identifier.
    ///   - source: The section that elements are copied from.
    init(_ draft: SectionDraft, identifier: String, source: Section?) {
        self.identifier = identifier
        attributes = draft.attributes
        self.source = source
        isWhole = false
        if draft.rows != nil { rows = [] }
    }

    /// A section of the earlier list as it is.
    init(_ section: Section) {
        identifier = section.identifier
        attributes = section.attributes
        rows = nil
        source = section
        isWhole = true
    }

    mutating func append(copyOf range: Range<Int>) {
        guard !range.isEmpty else { return }
        pieces.append(.copy(range))
        count += range.count
    }

    /// Adds a row of a section of rows, whose elements were decoded as those of a section; false for a section of elements.
    mutating func append(_ row: RowDraft, elements: DecodedSection) -> Bool {
        rows?.append((row, elements))
        return rows != nil
    }

    mutating func append(part: Int, of count: Int) {
        pieces.append(.part(part, count: count))
        self.count += count
    }

    /// Makes the section.
    ///
    /// - Parameter parts: All parts by their numbers, each made for the position where it is appended.
    /// - Complexity: O(*n*) in the number of elements, little more than O(log *n*) for each piece of a section that
    ///   differs from its source in few places.
    func makeSection(_ parts: [PersistentListPart<Element>]) -> Section {
        if isWhole, let source { return source }
        let rows = rows?.map { Row(restoring: $0.draft, elements: $0.elements.makeList(parts)) }
        return Section(restoring: identifier, attributes: attributes, list: makeList(parts), rows: rows)
    }

    private func makeList(_ parts: [PersistentListPart<Element>]) -> PersistentList<Element> {
        var own: [PersistentListPart<Element>] = []
        var copied = 0
        for piece in pieces {
            switch piece {
            case .copy(let range): copied += range.count
            case .part(let part, _): own.append(parts[part])
            }
        }
        guard copied > 0, let source = source?.list else { return PersistentList(joining: own) }
        return edited(source, parts) ?? copy(source, parts)
    }

    /// The source with few elements replaced; nil where they are many or not in its order.
    private func edited(
        _ source: PersistentList<Element>, _ parts: [PersistentListPart<Element>]
    ) -> PersistentList<Element>? {
        var hunks: [(old: Range<Int>, new: [Element])] = []
        var (next, changes) = (0, 0)
        var new: [Element] = []
        for piece in pieces + [.copy(source.count..<source.count)] {
            switch piece {
            case .part(let part, let count):
                changes += count
                guard changes <= source.count / 16 else { return nil }
                new += parts[part].elements
            case .copy(let range):
                guard range.lowerBound >= next else { return nil }
                if range.lowerBound > next || !new.isEmpty { hunks.append((next..<range.lowerBound, new)) }
                changes += range.lowerBound - next
                next = range.upperBound
                new = []
            }
        }
        guard changes <= source.count / 16 else { return nil }
        var list = source
        for hunk in hunks.reversed() {
            list.removeSubrange(hunk.old)
            list.insert(contentsOf: hunk.new, at: hunk.old.lowerBound)
        }
        return list
    }

    private func copy(
        _ source: PersistentList<Element>, _ parts: [PersistentListPart<Element>]
    ) -> PersistentList<Element> {
        let all = Array(source)
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for piece in pieces {
            switch piece {
            case .copy(let range): elements += all[range]
            case .part(let part, _): elements += parts[part].elements
            }
        }
        return source.adopting(elements) { $0 === $1 }
    }
}
