import JSONValues
import Notation

/// How a stack shows a row: its margins, its separator and its colours (ScrollStackController's `ScrollStackRow`).
///
/// A stack's director says it for all rows, a cell adapter for those of its model, a row for itself; what is said closer to
/// the row wins, member by member. An object that does not change: the rows that say nothing take no memory for it.
package final class RowStyle: Sendable {
    /// The style's values; ``fields`` says what each means.
    package struct Values: Hashable, Sendable {
        package var rowInsets: EdgeInsets?
        package var rowPadding: EdgeInsets?
        package var separator: RowSeparator?
        @Verbatim package var backgroundColor: String? = nil
        @Verbatim package var highlightColor: String? = nil

        /// Says nothing.
        package init() {}
    }

    let values: Values

    /// Makes a style; nil where it says nothing.
    init?(_ values: Values) {
        guard values != Values() else { return nil }
        self.values = values
    }
}

extension RowStyle: Hashable {
    /// Compares all that is said.
    package static func == (left: RowStyle, right: RowStyle) -> Bool {
        left === right || left.values == right.values
    }

    /// Feeds all that is said.
    package func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

/// The line below a row of a stack, or beside it where the stack is horizontal.
package struct RowSeparator: Hashable, Sendable {
    @Verbatim package var color: String? = nil
    package var thickness: Double?
    package var insets: EdgeInsets?
    package var hidden: Bool?
    package var hidesLast: Bool?
}

extension RowSeparator {
    /// The members of a separator.
    package static let fields = Fields<RowSeparator>("a separator") {
        Field("color", \.color, .optional(.color), "The line's colour.")
        Field("thickness", \.thickness, .optional(.length), "How thick the line is, in points.")
        Field("insets", \.insets, .optional(.insets), "The distances of the line's ends from the row's edges.")
        Field("hidden", \.hidden, .optional(.boolean), "Whether there is no line.")
        Field(
            "hidesLast", \.hidesLast, .optional(.boolean), "Whether there is no line behind the last row of the list.")
    }
}

extension RowStyle {
    /// The members of a style.
    package static let fields = Fields<Values>("a row's style") {
        Field("rowInsets", \.rowInsets, .optional(.insets), "The margins around the row.")
        Field(
            "rowPadding", \.rowPadding, .optional(.insets), "The margins around the row's content, inside of the row.")
        Field("separator", \.separator, .optional(.separator), "The line that divides the row from the next one.")
        Field("backgroundColor", \.backgroundColor, .optional(.color), "The row's colour.")
        Field("highlightColor", \.highlightColor, .optional(.color), "The row's colour while it is touched.")
    }

    /// The members of a style as those of what has one.
    ///
    /// - Parameters:
    ///   - kinds: The only kinds of directors whose resources have them; none for all.
    ///   - get: Reads the style.
    ///   - set: Writes the style.
    static func fields<Root>(
        only kinds: [DirectorKind] = [], get: @escaping @Sendable (Root) -> RowStyle?,
        set: @escaping @Sendable (inout Root, RowStyle?) -> Void
    ) -> [Field<Root>] {
        fields.all.map { field in
            Field(
                field, get: { get($0)?.values ?? Values() }, set: { set(&$0, RowStyle($1)) }, only: kinds,
                since: ContentVersion.views)
        }
    }

    /// Reads the members that an object has, of stored or published elements; nil where it has none.
    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> RowStyle? {
        var values = Values()
        for field in fields.all {
            if let member = node[field.member.name] { field.decode(member, &values, &faults) }
        }
        return RowStyle(values)
    }
}

extension FieldType<RowSeparator> {
    /// A separator.
    fileprivate static let separator = FieldType(
        .reference("RowSeparator"), decode: { RowSeparator.fields.decode($0, into: RowSeparator(), &$1) },
        encode: { RowSeparator.fields.encode($0, to: &$1) })
}

extension FieldType<String> {
    /// A colour, as a number or by a name that clients know.
    fileprivate static let color = FieldType(
        .reference("Color"),
        decode: { node, faults in
            node.checkColor(&faults)
            return node.string
        }, encode: { $1.string($0) }, text: { $0 })
}
