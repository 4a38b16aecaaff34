import Access
import Directors
import JSONValues
import ListDiff
import Metrics
import Views
import Webhooks

extension OpenAPISchemas {
    /// The schemas that follow from the declarations of resources' fields.
    static let resources: String = {
        var writer = JSONWriter()
        for (name, schema) in properties + content + adapterSchemas + operationSchemas + lists + changes + others {
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
        ("StackProperties", .object(StackProperties.fields.members, side: .body)),
        ("RowSeparator", .object(RowSeparator.fields.members, side: .body)),
        ("Color", .string(maxLength: AnswerType.maximumTextLength)),
        ("CollectionLayout", .object(CollectionLayout.fields.members, side: .body)),
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
        ("CellPreview", .object(CellPreview.fields.members, side: .body)),
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
            ("ElementTransfer", ElementTransfer.schema),
            ("OperationsBody", .object(OperationBatch.fields.members, side: .body)),
            ("ReloadBody", .object(ReloadRequest.fields.members, side: .body)),
            ("Animations", .object(Animations.members, side: .body)),
            ("Animation", .choice(Animation.allCases.map(\.rawValue))),
        ]

    /// Answers with a list, and answers with one thing or a list of things.
    private static let lists: [(String, JSONSchema)] = [
        ("DirectorList", ListForm.directors.schema),
        ("SectionList", ListForm.sections.schema),
        ("SectionOrList", either("Section", "SectionList")),
        ("RowList", ListForm.rows.schema),
        ("RowOrList", either("PlacedRow", "RowList")),
        ("PlacedElementList", ListForm.placedElements.schema),
        ("ElementList", ListForm.elements.schema),
        ("ElementOrList", either("PlacedElement", "ElementList")),
        ("IndexPathList", IndexPathList.schema),
        ("CellAdapterList", ListForm.cellAdapters.schema),
        ("ViewAdapterList", ListForm.viewAdapters.schema),
        ("EventHookList", ListForm.eventHooks.schema),
        ("EventAnswerList", ListForm.answers.schema),
        ("EventOutcomeList", ListForm.outcomes.schema),
        ("HookList", ListForm.hooks.schema),
        ("DeliveryList", ListForm.deliveries.schema),
        ("TokenList", ListForm.tokens.schema),
        ("IssuerList", ListForm.issuers.schema),
        ("NodeList", ListForm.nodes.schema),
        ("StreamList", ListForm.streams.schema),
        ("ViewInstanceList", ListForm.instances.schema),
        ("ChangesetList", ListForm.changesets.schema),
    ]

    /// Changesets and what a change answers.
    private static let changes: [(String, JSONSchema)] = [
        ("ElementAt", placed("element", "Element", at: .reference("IndexPath"))),
        ("SectionAt", placed("section", "Section", at: .integer())),
        ("Changeset", .object(PublishedChange.members, side: .answer)),
        ("CountedChangeset", .object(PublishedChange.countedMembers, side: .answer)),
        ("ChangesetOrList", either("Changeset", "ChangesetList")),
        ("ReloadResult", either("Changeset", "CountedChangeset")),
        ("OperationsResult", either("Director", "Changeset")),
        ("ContentResult", ContentResult.schema),
    ]

    /// The answers that are single things.
    private static let others: [(String, JSONSchema)] = [
        ("Director", Director.schema),
        ("View", .object(ViewDefinition.fields.members, side: .answer)),
        ("ViewInput", .object(ViewDefinition.fields.members, side: .body)),
        ("ViewInstance", ShownInstance.schema),
        ("ViewFaults", ShownInstance.faultsSchema),
        ("Kind", .choice(DirectorKind.allCases.map(\.rawValue))),
        ("Properties", either("TableProperties", "CollectionProperties", "FlowProperties")),
        ("Counts", .object(ListCounts.members, side: .answer)),
        ("HookHealth", HookHealth.schema),
        ("Delivery", ShownDelivery.schema),
        ("Token", TokenEntry.schema),
        ("NewToken", NewToken.schema),
        ("Session", Principal.schema),
        ("StreamTicket", TicketAnswer.schema),
        ("Stream", ShownStream.schema),
        ("MetricsHistory", MetricsHistory.Excerpt.schema),
    ]

    private static func either(_ names: String...) -> JSONSchema { .anyOf(names.map { .reference($0) }) }

    private static func placed(_ name: String, _ schema: String, at place: JSONSchema) -> JSONSchema {
        .object([MemberDescription("at", place), MemberDescription(name, .reference(schema))], side: .answer)
    }
}
