import ListDiff
import Notation

/// An element of a list as the server shows it.
///
/// An element that a row configuration shows names its row and its cell besides; in an ordinary element ``row``,
/// ``cell``, ``reuseIdentifier``, ``height``, ``estimatedHeight``,
/// ``afterSelection`` and ``config`` are nil and take no memory.
public struct RemoteElement: Sendable {
    /// The identifier that the element's adapter makes from the value, or the name of a constant row; usually unique in
    /// its section, but not enforced.
    public let id: String
    /// The name of the element's model, which picks its cell; nil for the element of a constant row.
    public let model: String?
    private let content: Content

    private enum Content: Sendable, Hashable {
        case ordinary(JSON)
        indirect case row(JSON, RowMembers)
    }

    /// Makes an element without a row.
    public init(id: String, model: String, value: JSON) {
        self.id = id
        self.model = model
        content = .ordinary(value)
    }

    /// Makes an element of a row.
    ///
    /// - Parameters:
    ///   - id: its identifier.
    ///   - row: the row's name in its section.
    ///   - cell: the name of the cell that shows it.
    ///   - reuseIdentifier: what the cell is dequeued by.
    ///   - model: nil where the row is constant.
    ///   - value: what the cell shows.
    ///   - height: the row's height; nil where the row says none.
    ///   - estimatedHeight: the row's estimated height; nil where the row says none.
    ///   - afterSelection: the name of what becomes of the row's selection; nil where the row says none.
    ///   - config: what the row's `additionalConfig` came to.
    ///   - style: how a stack shows the row; nil where the row says nothing of it.
    public init(
        id: String, row: String, cell: String, reuseIdentifier: String, model: String? = nil, value: JSON,
        height: Double? = nil, estimatedHeight: Double? = nil, afterSelection: String? = nil,
        config: JSONObject? = nil, style: RowStyle? = nil
    ) {
        self.init(
            id: id, model: model, value: value,
            members: RowMembers(
                row: row, cell: cell, reuseIdentifier: reuseIdentifier, height: height,
                estimatedHeight: estimatedHeight, afterSelection: afterSelection, config: config,
                style: style))
    }

    init(id: String, model: String?, value: JSON, members: RowMembers) {
        self.id = id
        self.model = model
        content = .row(value, members)
    }

    /// The element's value, as it was written.
    public var value: JSON {
        switch content {
        case .ordinary(let value), .row(let value, _): value
        }
    }

    var members: RowMembers? {
        if case .row(_, let members) = content { members } else { nil }
    }

    /// The name of the row that shows the element.
    public var row: String? { members?.row }
    /// The name of the cell that the row shows the element in.
    public var cell: String? { members?.cell }
    /// The identifier that the row's cells are reused by.
    public var reuseIdentifier: String? { members?.reuseIdentifier }
    /// The cell's height where the row sets one.
    public var height: Double? { members?.height }
    /// The cell's estimated height where the row sets one.
    public var estimatedHeight: Double? { members?.estimatedHeight }
    /// The name of what becomes of the row's selection once the user has selected it; nil where the row says none.
    public var afterSelection: String? { members?.afterSelection }
    /// How a stack shows the row, as far as the row says it itself.
    public var style: RowStyle? { members?.style }
    /// The additional data for the cell: the row's `additionalConfig`, with its expressions evaluated.
    public var config: JSONObject? { members?.config }
}

extension RemoteElement: Hashable {
    /// Whether both have the same names, by their bytes, and equal values, and their rows show them alike.
    public static func == (left: Self, right: Self) -> Bool {
        left.id.isVerbatim(right.id) && left.model.isVerbatim(right.model) && left.content == right.content
    }

    /// Feeds the names and what is shown.
    public func hash(into hasher: inout Hasher) {
        id.hashVerbatim(into: &hasher)
        model.hashVerbatim(into: &hasher)
        hasher.combine(content)
    }
}

extension RemoteElement.Identity: Hashable {
    /// Compares the bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.id.isVerbatim(right.id) && left.model.isVerbatim(right.model) && left.row.isVerbatim(right.row)
    }

    /// Feeds the bytes.
    public func hash(into hasher: inout Hasher) {
        id.hashVerbatim(into: &hasher)
        model.hashVerbatim(into: &hasher)
        row.hashVerbatim(into: &hasher)
    }
}

extension RemoteElement: Differentiable {
    /// An element's row and model with its identifier: together they say which element of a section it is.
    public struct Identity: Sendable {
        /// The name of the row; nil for an ordinary element.
        public let row: String?
        /// The name of the model; nil for the element of a constant row.
        public let model: String?
        /// The identifier within the row and the model.
        public let id: String
    }

    /// The identity by which a changeset knows the element.
    public var differenceIdentifier: Identity { Identity(row: row, model: model, id: id) }

    /// Whether both have equal values, and their rows show them alike: the cell, its heights and its config.
    public func isContentEqual(to source: Self) -> Bool { content == source.content }
}

extension RemoteElement: CustomStringConvertible {
    /// The element as the wire has it.
    public var description: String { json.text }
}
