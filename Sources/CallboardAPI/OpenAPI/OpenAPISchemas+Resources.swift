import Directors
import JSONValues

extension OpenAPISchemas {
    /// The schemas that follow from the declarations of resources' fields.
    static let resources: String = {
        var writer = JSONWriter()
        for (name, schema) in properties + content + adapterSchemas + operationSchemas {
            writer.key(name)
            schema.encode(to: &writer)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }()

    /// Those of directors' properties. Bodies and answers share them, so nothing is required that a body can leave out.
    private static let properties: [(String, JSONSchema)] = [
        ("TableProperties", .object(TableProperties.fields.members, side: .body)),
        ("CollectionProperties", .object(CollectionProperties.fields.members, side: .body)),
        ("FlowProperties", .object(FlowProperties.fields.members, side: .body)),
        ("HeightPolicy", SizePolicy<Double>.schema(of: .reference("Length"))),
        ("SizePolicy", SizePolicy<LayoutSize>.schema(of: .reference("Size"))),
        ("Length", .number(0...1_000_000_000)),
        ("Size", .object(LayoutSize.fields.members, side: .body)),
        ("Insets", .object(EdgeInsets.fields.members, side: .body)),
        ("Inset", .number(-1_000_000_000...1_000_000_000)),
    ]

    /// The schemas of sections, rows and elements.
    private static let content: [(String, JSONSchema)] = [
        ("Element", .object(Element.members, side: .answer)),
        ("ElementInput", .object(Element.placedMembers, side: .body)),
        ("PlacedElement", .object(Element.placedMembers, side: .answer)),
        ("Section", .object(Section.members, side: .answer)),
        ("SectionInput", .object(Section.members, side: .body)),
        ("Row", .object(Row.members, side: .answer)),
        ("RowInput", .object(Row.members, side: .body)),
        ("RowPatch", .object(Row.members.map(\.patched), side: .body)),
        ("PlacedRow", .object(Row.members, side: .answer)),
    ]

    /// The schemas of adapters and of event hooks.
    private static let adapterSchemas: [(String, JSONSchema)] = [
        ("CellAdapter", .object(CellAdapter.fields.members, side: .answer)),
        ("CellAdapterInput", .object(CellAdapter.fields.members, side: .body)),
        ("ViewAdapter", .object(HeaderFooterAdapter.fields.members, side: .answer)),
        ("ViewAdapterInput", .object(HeaderFooterAdapter.fields.members, side: .body)),
        ("EventHook", .object(HookMembers.fields.members, side: .answer)),
        ("EventHookInput", .object(HookMembers.fields.members, side: .body)),
    ]

    /// The schemas of operations, in a batch and with a path of their own.
    private static let operationSchemas: [(String, JSONSchema)] =
        Operation.schemas.map { ($0.name, $0.schema) } + [
            ("Operation", Operation.schema),
            ("Move", Operation.bodySchema(of: .move, .sections)),
            ("Swap", Operation.bodySchema(of: .swap, .sections)),
            ("RowMove", Operation.bodySchema(of: .move, .rows(of: .first))),
            ("ElementMove", Operation.bodySchema(of: .move, .elements(of: .section(.first)))),
            ("OperationsBody", .object(OperationBatch.fields.members, side: .body)),
            ("ReloadBody", .object(ReloadRequest.fields.members, side: .body)),
            ("Animations", .object(Animations.members, side: .body)),
            ("Animation", .choice(Animation.allCases.map(\.rawValue))),
        ]
}
