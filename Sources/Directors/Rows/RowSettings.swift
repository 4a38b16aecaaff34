import JSONValues
import Notation

/// A row's settings besides its elements (TableViewConfigurator's `RowConfiguration`).
///
/// Settings do not change; the states of a row share them, and that they are the same object tells that nothing has to
/// be evaluated again.
@dynamicMemberLookup
package final class RowSettings: Sendable {
    /// A row's values; ``fields`` has the meaning of each.
    package struct Values: Equatable, Sendable {
        @Verbatim package var identifier = ""
        package var kind = RowKind.constant
        @Verbatim package var cell: String? = nil
        @Verbatim package var reuseIdentifier: String? = nil
        package var value: JSONValue?
        @Verbatim package var model: String? = nil
        package var hideWhen: RowRule?
        package var height: RowRule?
        package var estimatedHeight: RowRule?
        package var additionalConfig: ConfigTemplate?
        package var afterSelection: SelectionAction?
        package var style: RowStyle?
    }

    let values: Values

    /// The inputs of all expressions together; a constant row has no element as an input.
    let reads: RowReads

    /// The adapter of a constant row's element, which is of no model; nil for a model row, whose model has one.
    let constantAdapter: CellAdapter?

    /// The memory that the settings take, estimated.
    let bytes: Int

    init(_ values: Values) {
        self.values = values
        var reads = RowReads()
        for rule in [values.hideWhen, values.height, values.estimatedHeight] {
            if let rule { reads.formUnion(rule.reads) }
        }
        if let config = values.additionalConfig { reads.formUnion(config.reads) }
        self.reads = values.kind == .constant ? reads.withoutElement : reads
        constantAdapter =
            values.kind == .constant
            ? CellAdapter(.init(cell: values.cell ?? "", reuseIdentifier: values.reuseIdentifier ?? "")) : nil
        bytes = RowSettings.size(of: values)
    }

    /// The row's value of one field.
    package subscript<Value>(dynamicMember path: KeyPath<Values, Value>) -> Value {
        values[keyPath: path]
    }

    /// Whether an expression is asked for each element: it reads one, and is a model row's.
    func asksEach(_ own: RowReads) -> Bool {
        reads.readsElement && own.readsElement
    }

    /// An estimate: a compiled expression takes some twelve times its text.
    private static func size(of values: Values) -> Int {
        let expressions = [values.hideWhen?.source, values.height?.source, values.estimatedHeight?.source]
            .reduce(values.additionalConfig?.source.bytes.count ?? 0) { $0 + ($1?.bytes.count ?? 0) }
        return MemoryEstimate.block(MemoryEstimate.objectHeader + MemoryLayout<Values>.stride + 96)
            + fields.sum(ofTextsIn: values) { MemoryEstimate.string($0) }
            + (values.value.map { MemoryEstimate.bytes($0.bytes) } ?? 0) + 12 * expressions
    }
}

/// The two kinds of rows (TableViewConfigurator's `ConstantRowConfiguration` and `ModelRowConfiguration`).
package enum RowKind: String, CaseIterable, Sendable {
    /// One cell.
    case constant
    /// A cell for each element of one model.
    case model
}

extension RowSettings {
    /// The members of a row besides its `elements`.
    package static let fields = Fields<Values>("a row") {
        Field(
            "id", \.identifier, .rowIdentifier,
            "The row's identifier, unique in its section; a random UUID for a new row without one.")
        Field("type", \.kind, .choice, isRequired: true, "Whether it is one cell, or one for each element of a model.")
        Field("cell", \.cell, .optional(.name), "The name of the cell; a model row's adapter says it unless given.")
        Field(
            "reuseIdentifier", \.reuseIdentifier, .optional(.name),
            "The identifier by which the client dequeues the cell; the cell's name, or the adapter's, unless given.")
        Field(
            "value", \.value, .optional(.anyValue, keepingNull: true),
            "The value that a constant row's cell shows, any JSON; null unless given.")
        Field("model", \.model, .optional(.name), "The model of a model row's elements.")
        Field(
            "hideWhen", \.hideWhen, .optional(.condition),
            "When the row is hidden: a boolean or an expression; one that reads `model` is asked for each element.")
        Field("height", \.height, .optional(.lengthRule), "The height: a number or an expression.")
        Field(
            "estimatedHeight", \.estimatedHeight, .optional(.lengthRule), "The estimate: a number or an expression.")
        Field(
            "additionalConfig", \.additionalConfig, .optional(.config),
            "Further settings of the cell; `{\"$logic\": …}` stands for an expression's value.")
        Field(
            "afterSelection", \.afterSelection, .optional(.choice), since: ContentVersion.views,
            "The client's action on the cell's selection once it has reported it; the adapter's, unless given."
        )
        RowStyle.fields(only: [.stack], get: { $0.style }, set: { $0.style = $1 })
    }

    /// The most bytes of a row's identifier.
    package static let maximumIdentifierLength = IdentifierTemplate.maximumIdentifierLength

    /// The fault of a row's identifier; nil without one.
    static func fault(inIdentifier identifier: String) -> String? {
        if identifier.isEmpty { return "a row's id cannot be empty" }
        // Clients take these for steps of a path, and never ask for what they name.
        if identifier == "." || identifier == ".." { return "a row's id cannot be \(identifier.quoted)" }
        return identifier.utf8.count > maximumIdentifierLength
            ? "a row's id has at most \(maximumIdentifierLength) bytes" : nil
    }
}

extension FieldType<String> {
    /// The identifier of a row; null is as good as leaving it out.
    static let rowIdentifier = FieldType(
        .string(), body: .nullable(.string(minLength: 1, maxLength: RowSettings.maximumIdentifierLength)),
        decode: { node, faults in
            guard !node.isNull, let identifier = node.decodeString(&faults) else { return nil }
            guard let detail = RowSettings.fault(inIdentifier: identifier) else { return identifier }
            faults.append(node, detail)
            return nil
        },
        // A draft that is to take the identifier of the row that it replaces has none yet.
        encode: { $0.isEmpty ? $1.null() : $1.string($0) }, text: { $0 })
}

extension RowSettings: Equatable {
    /// Compares all that a row says.
    package static func == (left: RowSettings, right: RowSettings) -> Bool {
        left === right || left.values == right.values
    }
}
