// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// The declarations are AppKit's, and have its documentation.

import Foundation

@MainActor
public protocol NSTableViewDataSource: AnyObject {
    func numberOfRows(in tableView: NSTableView) -> Int
}

@MainActor
public protocol NSTableViewDelegate: AnyObject {
    func tableView(_ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int) -> NSView?
}

@MainActor
public final class NSTableColumn: NSObject {}

/// A table that a test drives. It carries out each call at once on a list of the rows' views, and all are in sight.
@MainActor
open class NSTableView: NSView {
    public struct AnimationOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let effectFade = AnimationOptions(rawValue: 1)
        public static let effectGap = AnimationOptions(rawValue: 2)
        public static let slideUp = AnimationOptions(rawValue: 16)
        public static let slideDown = AnimationOptions(rawValue: 32)
        public static let slideLeft = AnimationOptions(rawValue: 48)
        public static let slideRight = AnimationOptions(rawValue: 64)
    }

    public weak var dataSource: (any NSTableViewDataSource)?
    public weak var delegate: (any NSTableViewDelegate)?
    public private(set) var tableColumns: [NSTableColumn] = []

    /// What AppKit would have raised an exception for.
    public private(set) var violations: [String] = []
    /// How many updates there have been, not counting those inside others.
    public private(set) var updates = 0
    /// How many rows have been moved.
    public private(set) var moves = 0
    /// How many times everything was loaded anew.
    public private(set) var reloads = 0
    /// The animations of the rows that came and went, in the order of the calls.
    public private(set) var animations: [AnimationOptions] = []

    /// The views of a row, by column; none are there where the row has not been asked for.
    private var rows: [[NSView?]] = []
    private var depth = 0

    public func addTableColumn(_ tableColumn: NSTableColumn) { tableColumns.append(tableColumn) }

    public var numberOfRows: Int { rows.count }

    public func view(atColumn column: Int, row: Int, makeIfNecessary: Bool) -> NSView? {
        guard rows.indices.contains(row), rows[row].indices.contains(column) else { return nil }
        return rows[row][column]
    }

    public func reloadData() {
        if depth > 0 { violations.append("reloadData inside an update") }
        reloads += 1
        rows = Array(repeating: [], count: dataSource?.numberOfRows(in: self) ?? 0)
        load()
    }

    // MARK: Changes

    public func beginUpdates() {
        if depth == 0 { compare("before") }
        depth += 1
    }

    public func endUpdates() {
        guard depth > 0 else { return violations.append("an update ends that has not begun") }
        depth -= 1
        guard depth == 0 else { return }
        updates += 1
        if compare("after") { load() }
    }

    public func insertRows(at indexes: IndexSet, withAnimation animationOptions: AnimationOptions = []) {
        animations.append(animationOptions)
        // As `insert(_:at:)` of mutable arrays: each index is one of the rows as they come out.
        for row in indexes {
            guard row <= rows.count else { return violations.append("row \(row) is inserted among \(rows.count)") }
            rows.insert([], at: row)
        }
    }

    public func removeRows(at indexes: IndexSet, withAnimation animationOptions: AnimationOptions = []) {
        animations.append(animationOptions)
        for row in indexes.reversed() {
            guard row < rows.count else { return violations.append("row \(row) of \(rows.count) is removed") }
            rows.remove(at: row)
        }
    }

    public func moveRow(at oldIndex: Int, to newIndex: Int) {
        moves += 1
        guard rows.indices.contains(oldIndex), rows.indices.contains(newIndex) else {
            return violations.append("row \(oldIndex) of \(rows.count) is moved to \(newIndex)")
        }
        rows.insert(rows.remove(at: oldIndex), at: newIndex)
    }

    public func reloadData(forRowIndexes rowIndexes: IndexSet, columnIndexes: IndexSet) {
        for row in rowIndexes {
            guard row < rows.count else { return violations.append("row \(row) of \(rows.count) is reloaded") }
            for column in columnIndexes {
                guard column < tableColumns.count else { return violations.append("there is no column \(column)") }
                if column < rows[row].count { rows[row][column] = view(column, row) }
            }
        }
    }

    @discardableResult
    private func compare(_ time: String) -> Bool {
        let answer = dataSource?.numberOfRows(in: self) ?? 0
        if answer != rows.count { violations.append("\(rows.count) rows \(time) an update, and \(answer) in the data") }
        return answer == rows.count
    }

    /// Asks for the views of the rows that have none.
    private func load() {
        for row in rows.indices where rows[row].isEmpty {
            rows[row] = tableColumns.indices.map { view($0, row) }
        }
    }

    private func view(_ column: Int, _ row: Int) -> NSView? {
        delegate?.tableView(self, viewFor: tableColumns[column], row: row)
    }
}
