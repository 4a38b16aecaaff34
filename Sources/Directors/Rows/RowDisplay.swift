import JSONValues
import Notation

/// The members of a row for subscribers, beside each of its elements, with every expression evaluated.
///
/// Elements that show the same share one object, by way of the adapter that they refer to.
package final class RowDisplay: Sendable {
    /// The members; their texts are those of the wire.
    struct Values: Equatable, Sendable {
        @Verbatim var row: String
        @Verbatim var cell: String
        @Verbatim var reuseIdentifier: String
        var height: JSONValue?
        var estimatedHeight: JSONValue?
        var config: JSONValue?
        var afterSelection: SelectionAction?
        var style: RowStyle?
    }

    let values: Values

    /// The members before the element's value, its model among them, and those behind it; as they are written.
    let prefix: [UInt8]
    let suffix: [UInt8]

    init(_ values: Values, model: String?) {
        self.values = values
        var start = JSONWriter()
        start.beginObject()
        start.member("row", values.row)
        start.member("cell", values.cell)
        start.member("reuseIdentifier", values.reuseIdentifier)
        if let model { start.member("model", model) }
        prefix = [UInt8(ascii: ",")] + start.bytes.dropFirst() + Array(",\"value\":".utf8)
        var end = JSONWriter()
        end.beginObject()
        for (name, value) in RowDisplay.evaluated(values) {
            end.key(name)
            end.value(value)
        }
        if let action = values.afterSelection { end.member("afterSelection", action.rawValue) }
        if let style = values.style { RowStyle.fields.encodeMembers(of: style.values, to: &end) }
        suffix = end.bytes.count > 1 ? [UInt8(ascii: ",")] + end.bytes.dropFirst() : []
    }

    /// The members that expressions give, with their names.
    private static func evaluated(_ values: Values) -> [(String, JSONValue)] {
        [("height", values.height), ("estimatedHeight", values.estimatedHeight), ("config", values.config)]
            .compactMap { name, value in value.map { (name, $0) } }
    }

    /// The row's identifier.
    package var row: String { values.row }

    /// The name of the cell.
    package var cell: String { values.cell }

    /// The reuse identifier of the cell.
    package var reuseIdentifier: String { values.reuseIdentifier }

    /// The height in points; nil where the row says none.
    package var height: JSONValue? { values.height }

    /// The estimated height in points; nil where the row says none.
    package var estimatedHeight: JSONValue? { values.estimatedHeight }
}

extension RowDisplay: Equatable {
    /// Compares what is told.
    package static func == (left: RowDisplay, right: RowDisplay) -> Bool {
        left === right || left.values == right.values
    }
}

extension RowDisplay {
    /// The members that an element of a row has besides those of any element.
    package static let members =
        [
            MemberDescription(
                "row", .string(), body: .any, use: .leftAside, presence: .sometimes,
                "The row that it comes from, where its section has rows."),
            MemberDescription(
                "cell", .string(), body: .any, use: .leftAside, presence: .sometimes, "The name of a row's cell."),
            MemberDescription(
                "reuseIdentifier", .string(), body: .any, use: .leftAside, presence: .sometimes,
                "The identifier by which the client dequeues a row's cell."),
            MemberDescription(
                "height", .reference("Length"), body: .any, use: .leftAside, presence: .sometimes,
                "A row's height, evaluated."),
            MemberDescription(
                "estimatedHeight", .reference("Length"), body: .any, use: .leftAside, presence: .sometimes,
                "A row's estimated height, evaluated."),
            MemberDescription(
                "config", .reference("AnyObject"), body: .any, use: .leftAside, presence: .sometimes,
                "A row's additional configuration, evaluated."),
            MemberDescription(
                "afterSelection", FieldType<SelectionAction>.choice.schema, body: .any, use: .leftAside,
                presence: .sometimes, "The client's action on the selection of a row's cell, where the row sets it."),
        ] + RowStyle.fields.members.map(\.told)
}

extension CellAdapter {
    /// The adapter as elements of a row refer to it.
    ///
    /// - Parameter display: The row's members for subscribers.
    func showing(_ display: RowDisplay) -> CellAdapter {
        CellAdapter(self, row: display)
    }

    /// Tells whether elements with this adapter show the same of their row as those with another one.
    func showsSameRow(as other: CellAdapter) -> Bool {
        row === other.row || row == other.row
    }

    /// Tells whether elements with this adapter belong to the same row as those with another one, or none to any.
    func isOfSameRow(as other: CellAdapter) -> Bool {
        if row === other.row { return true }
        guard let row, let other = other.row else { return false }
        return row.row.utf8.elementsEqual(other.row.utf8)
    }
}
