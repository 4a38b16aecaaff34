import Foundation
import ListDiff

/// The calls that bring a table's rows through one stage, with the indexes that they have in this order.
///
/// `NSTableView` carries out each call at once, so that the indexes of a call are those after the calls before it. The
/// removals come first, then the moves one by one, then the insertions. Updated rows are loaded anew at the end.
struct RowChanges {
    /// The rows that go or come by one kind of operation.
    typealias Rows = (rows: IndexSet, operation: ChangesetOperation)

    let removals: [Rows]
    let moves: [(from: Int, to: Int)]
    let insertions: [Rows]
    let reloaded: IndexSet

    /// Finds the calls for what becomes of the rows.
    ///
    /// - Complexity: O(*n* + *k* log *n*) for *n* rows of which *k* change.
    init(_ changes: RowOrigins) {
        var (going, isMoving): ([ChangesetOperation: IndexSet], [Bool]) = ([:], [])
        // For each row before the stage, its number among those that are kept.
        var numbers: [Int] = []
        for (row, fate) in changes.fates.enumerated() {
            numbers.append(isMoving.count)
            switch fate {
            case .goes(let operation): going[operation, default: []].insert(row)
            case .moves: isMoving.append(true)
            case .stays: isMoving.append(false)
            }
        }
        var (coming, reloaded): ([ChangesetOperation: IndexSet], IndexSet) = ([:], [])
        var order: [Int] = []
        for (row, origin) in changes.origins.enumerated() {
            switch origin {
            case .arrives(let operation): coming[operation, default: []].insert(row)
            case .row(let before):
                order.append(numbers[before])
                if changes.isUpdated[before] { reloaded.insert(row) }
            }
        }
        // Elements go, and come, before sections: the rows of these stand lower when they go, and are not there yet
        // when elements come.
        let (lost, won) = (going[.elementDeleted] ?? [], coming[.sectionInserted] ?? [])
        removals = [
            (lost, .elementDeleted), (Self.rows(going[.sectionDeleted] ?? [], without: lost), .sectionDeleted),
        ]
        insertions = [
            (Self.rows(coming[.elementInserted] ?? [], without: won), .elementInserted), (won, .sectionInserted),
        ]
        moves = Self.moves(to: order, isMoving)
        self.reloaded = reloaded
    }

    /// The indexes of rows in a table without some other rows.
    private static func rows(_ rows: IndexSet, without others: IndexSet) -> IndexSet {
        guard !others.isEmpty else { return rows }
        var result = IndexSet()
        for range in rows.rangeView {
            // None of the others stands inside the range.
            let shift = others.count(in: 0..<range.lowerBound)
            result.insert(integersIn: (range.lowerBound - shift)..<(range.upperBound - shift))
        }
        return result
    }

    /// The moves, one by one, that bring rows into an order. The rows that do not move have that order among them already.
    ///
    /// Rows are moved in the order of their targets, each behind the row that it is to follow. A row whose turn has not come
    /// stands between the same two unmoved rows as before, behind the rows that were moved between them.
    private static func moves(to order: [Int], _ isMoving: [Bool]) -> [(from: Int, to: Int)] {
        guard isMoving.contains(true) else { return [] }
        let staying = order.filter { !isMoving[$0] }
        // For each row, how many that stay stand in front of it.
        var (stayingBefore, count) = ([Int](), 0)
        for isMoving in isMoving {
            stayingBefore.append(count)
            count += isMoving ? 0 : 1
        }
        // For each number of rows that stay, how many are moved in front of the next.
        var (movedBefore, total) = ([Int](), 0)
        for row in order {
            if isMoving[row] { total += 1 } else { movedBefore.append(total) }
        }
        movedBefore.append(total)

        var waiting = PrefixCounts(isMoving)
        var (moves, passed, moved) = ([(from: Int, to: Int)](), 0, 0)
        for row in order {
            guard isMoving[row] else {
                passed += 1
                continue
            }
            let gap = stayingBefore[row]
            let from = gap + min(moved, movedBefore[gap]) + waiting.count(below: row)
            waiting.remove(row)
            let to = passed + moved + (passed == 0 ? 0 : waiting.count(below: staying[passed - 1]))
            moved += 1
            if from != to { moves.append((from, to)) }
        }
        return moves
    }
}
