/// How a stack shows a row: its margins, its separator and its colours (ScrollStackController's `ScrollStackRow`).
///
/// A director of the kind `stack` has one for all rows, a cell adapter one for those of its model, a row one of its own.
/// ``ListDelegate/style(at:)`` puts the three together. A member that is nil says nothing.
public struct RowStyle: Sendable, Hashable {
    /// The margins around the row.
    public var rowInsets: EdgeDistances?
    /// The margins around the row's content, inside of the row.
    public var rowPadding: EdgeDistances?
    /// The line that divides the row from the next one.
    public var separator: RowSeparator?
    /// The row's colour: `#RRGGBB`, `#RRGGBBAA` or the name of one that the app knows.
    public var backgroundColor: String?
    /// The row's colour while it is touched, in the same forms.
    public var highlightColor: String?

    /// Makes a style that says nothing.
    public init() {}

    /// The style with what it leaves open taken from another one; of two separators, member by member.
    public func over(_ other: RowStyle) -> RowStyle {
        var style = self
        style.rowInsets = rowInsets ?? other.rowInsets
        style.rowPadding = rowPadding ?? other.rowPadding
        style.separator = separator.map { $0.over(other.separator ?? RowSeparator()) } ?? other.separator
        style.backgroundColor = backgroundColor ?? other.backgroundColor
        style.highlightColor = highlightColor ?? other.highlightColor
        return style
    }
}

/// The line below a row of a stack, or beside it where the stack is horizontal (ScrollStackController's
/// `ScrollStackSeparator`).
public struct RowSeparator: Sendable, Hashable {
    /// The line's colour, in the forms of ``RowStyle/backgroundColor``.
    public var color: String?
    /// How thick the line is, in points.
    public var thickness: Double?
    /// The distances of the line's ends from the row's edges.
    public var insets: EdgeDistances?
    /// Whether there is no line.
    public var hidden: Bool?
    /// Whether there is no line behind the last row of the list.
    public var hidesLast: Bool?

    /// Makes a separator that says nothing.
    public init() {}

    func over(_ other: RowSeparator) -> RowSeparator {
        var separator = self
        separator.color = color ?? other.color
        separator.thickness = thickness ?? other.thickness
        separator.insets = insets ?? other.insets
        separator.hidden = hidden ?? other.hidden
        separator.hidesLast = hidesLast ?? other.hidesLast
        return separator
    }
}

/// Distances from the four edges, in points.
public struct EdgeDistances: Sendable, Hashable {
    /// The distance from the upper edge.
    public var top: Double
    /// The distance from the left edge.
    public var left: Double
    /// The distance from the lower edge.
    public var bottom: Double
    /// The distance from the right edge.
    public var right: Double

    /// Makes distances.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
}

extension RowStyle {
    /// Reads the members that a director's properties, an adapter, a row or an element has; nil where there are none.
    init?(_ reader: JSONReader) throws(RepresentationError) {
        self.init()
        rowInsets = try reader.optional("rowInsets").map(EdgeDistances.init)
        rowPadding = try reader.optional("rowPadding").map(EdgeDistances.init)
        separator = try reader.optional("separator").map(RowSeparator.init)
        backgroundColor = try reader.optional("backgroundColor")?.string()
        highlightColor = try reader.optional("highlightColor")?.string()
        if self == RowStyle() { return nil }
    }

    /// The members as the wire has them.
    public var members: JSONObject {
        var object = JSONObject()
        object["rowInsets"] = rowInsets?.json
        object["rowPadding"] = rowPadding?.json
        object["separator"] = separator?.json
        object["backgroundColor"] = backgroundColor.map { .string($0) }
        object["highlightColor"] = highlightColor.map { .string($0) }
        return object
    }
}

extension RowSeparator {
    fileprivate init(_ reader: JSONReader) throws(RepresentationError) {
        color = try reader.optional("color")?.string()
        thickness = try reader.optional("thickness")?.number()
        insets = try reader.optional("insets").map(EdgeDistances.init)
        hidden = reader.value["hidden"]?.boolValue
        hidesLast = reader.value["hidesLast"]?.boolValue
    }

    fileprivate var json: JSON {
        var object = JSONObject()
        object["color"] = color.map { .string($0) }
        object["thickness"] = thickness.flatMap { JSONNumber($0) }.map { .number($0) }
        object["insets"] = insets?.json
        object["hidden"] = hidden.map { .bool($0) }
        object["hidesLast"] = hidesLast.map { .bool($0) }
        return .object(object)
    }
}

extension EdgeDistances {
    fileprivate init(_ reader: JSONReader) throws(RepresentationError) {
        self.init(
            top: try reader.optional("top")?.number() ?? 0, left: try reader.optional("left")?.number() ?? 0,
            bottom: try reader.optional("bottom")?.number() ?? 0, right: try reader.optional("right")?.number() ?? 0)
    }

    fileprivate var json: JSON {
        var object = JSONObject()
        for (name, distance) in [("top", top), ("left", left), ("bottom", bottom), ("right", right)] {
            object[name] = JSONNumber(distance).map { .number($0) }
        }
        return .object(object)
    }
}
