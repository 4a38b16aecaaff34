import JSONValues
import Notation

/// Pairs a model with a cell, and says how an element's identity and content are read from its value (FlowKit's
/// `CellAdapter`).
///
/// An adapter does not change: registering one with another content replaces it.
@dynamicMemberLookup
package final class CellAdapter: Sendable {
    /// An adapter's values; ``fields`` has the meaning of each.
    package struct Values: Hashable, Sendable {
        @Verbatim package var model = ""
        @Verbatim package var cell = ""
        @Verbatim package var reuseIdentifier = ""
        package var viewSource = ViewSource.storyboard
        package var identifier = IdentifierTemplate.default
        package var content: [JSONPointer]?
        package var unique: Bool?
        package var preview: CellPreview?
        package var afterSelection: SelectionAction?
        package var style: RowStyle?
    }

    /// The most pointers that content equality looks at.
    package static let maximumContentPointers = 64

    let values: Values

    /// The pointers that content equality compares, without the pointers below another one of them.
    let contentPointers: [JSONPointer]?

    /// The cost of reading the identifier and the content of one element.
    let readingUnits: Int

    /// The row's members beside the elements that have this adapter; nil for a registered adapter.
    package let row: RowDisplay?

    init(_ values: Values) {
        var values = values
        if values.reuseIdentifier.isEmpty { values.reuseIdentifier = values.cell }
        if values.unique == false { values.unique = nil }
        self.values = values
        row = nil
        contentPointers = values.content.map(CellAdapter.outermost)
        readingUnits = BatchWork.units(reading: values.identifier, contentPointers ?? [])
    }

    /// Makes the adapter that elements of a row refer to.
    init(_ adapter: CellAdapter, row: RowDisplay) {
        values = adapter.values
        contentPointers = adapter.contentPointers
        readingUnits = adapter.readingUnits
        self.row = row
    }

    /// The same adapter with the identifier and the content of another one.
    func reading(as other: CellAdapter) -> CellAdapter {
        var values = values
        (values.identifier, values.content, values.unique) = (
            other.values.identifier, other.values.content, other.values.unique
        )
        return CellAdapter(values)
    }

    /// The pointers without repetitions, and without pointers into a part that another pointer covers.
    private static func outermost(_ pointers: [JSONPointer]) -> [JSONPointer] {
        guard pointers.count > 1 else { return pointers }
        let all = Set(pointers.map(\.tokens.utf8Tokens))
        var kept = Set<[[UInt8]]>()
        return pointers.filter { pointer in
            let tokens = pointer.tokens.utf8Tokens
            let isInside = tokens.indices.contains { all.contains(Array(tokens[..<$0])) }
            return !isInside && kept.insert(tokens).inserted
        }
    }

    /// Makes an adapter; the names are taken as they are.
    package convenience init(
        model: String, cell: String, identifier: IdentifierTemplate = .default, content: [JSONPointer]? = nil
    ) {
        self.init(Values(model: model, cell: cell, identifier: identifier, content: content))
    }

    /// The adapter's value of one field.
    package subscript<Value>(dynamicMember path: KeyPath<Values, Value>) -> Value {
        values[keyPath: path]
    }
}

extension CellAdapter {
    /// The members of a cell adapter.
    package static let fields = Fields<Values>("a cell adapter", others: [.events]) {
        Field("model", \.model, .elsewhere(.name), "The name of the model; the path's, where it is given.")
        Field("cell", \.cell, .name, isRequired: true, "The name of the cell.")
        Field(
            "reuseIdentifier", \.reuseIdentifier, .nullable(.name),
            "The identifier by which the client dequeues the cell; the cell's name unless given.")
        Field("viewSource", \.viewSource, .elsewhere(.viewSource), "The source from which the client loads the cell.")
        Field(
            "identifier", \.identifier, .template,
            "How an element's identifier is read from its value: a template over members or JSON pointers, such as "
                + "`{firstName}_{lastName}`.")
        Field(
            "content", \.content, .pointers, "JSON pointers that content equality looks at; null for the whole value.")
        Field(
            "unique", \.unique, .optional(.boolean),
            "Whether two elements of the model cannot have the same identifier, wherever in the director; what would "
                + "bring in a second one is refused with 409. Left out where they can.")
        Field(
            "preview", \.preview, .optional(.preview), since: ContentVersion.views,
            "How a row of the model looks where its cell is not there: templates over the value, such as "
                + "`{\"title\": \"{name}\", \"subtitle\": \"{role}\"}`. The console guesses where none is given.")
        Field(
            "afterSelection", \.afterSelection, .optional(.choice), since: ContentVersion.views,
            "The client's action on a cell's selection once it has reported it: keep it, or end it. A row's own wins."
        )
        RowStyle.fields(only: [.stack], get: { $0.style }, set: { $0.style = $1 })
    }
}

extension CellAdapter {
    /// The version that a program has to know in order to read the adapter; see ``ContentVersion``.
    package var contentVersion: Int { CellAdapter.fields.contentVersion(of: values) }
}

extension [String] {
    /// The bytes of the texts: strings are compared by more than these.
    fileprivate var utf8Tokens: [[UInt8]] { map { text in [UInt8](text.utf8) } }
}

extension CellAdapter.Values {
    /// The place of a pointer of `content` that is longer than so many bytes; nil where none is. A template has a bound of
    /// its own.
    func longPointer(limit: Int) -> String? {
        guard let index = content?.firstIndex(where: { $0.length > limit }) else { return nil }
        return "/content/\(index)"
    }
}

extension CellAdapter: Equatable {
    /// Compares all that an adapter says, and what a row tells beside it.
    package static func == (left: CellAdapter, right: CellAdapter) -> Bool {
        left === right || left.values == right.values && left.row == right.row
    }
}

/// The source of an adapter's view for a client.
package enum ViewSource: Sendable {
    /// A prototype in the storyboard.
    case storyboard
    /// The view's class.
    case `class`
    /// An interface file; the bundle is the client's main one where none is named.
    case xib(name: String, bundle: String?)
}

extension ViewSource: Hashable {
    /// Compares the names of files and bundles by their bytes.
    package static func == (left: ViewSource, right: ViewSource) -> Bool {
        switch (left, right) {
        case (.storyboard, .storyboard), (.class, .class): true
        case (.xib(let name, let bundle), .xib(let otherName, let otherBundle)):
            name.isVerbatim(otherName) && bundle.isVerbatim(otherBundle)
        default: false
        }
    }

    /// Feeds the names.
    package func hash(into hasher: inout Hasher) {
        guard case .xib(let name, let bundle) = self else { return hasher.combine(self == .class) }
        name.hashVerbatim(into: &hasher)
        bundle.hashVerbatim(into: &hasher)
    }
}
