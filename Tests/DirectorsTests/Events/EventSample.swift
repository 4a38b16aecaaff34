import JSONValues
import ListDiff

@testable import Directors

/// A report of an event at a place that it is fired at, with the parameters that it needs, and a director to report to.
struct EventSample {
    let event: EventDefinition
    /// The director; the hooks that a test needs are registered with it.
    var director: Director

    /// Two sections with elements of the models `A` and `B`, with views, titles in the index and a version 1.
    init(_ event: EventDefinition, properties: DirectorProperties? = nil) throws {
        self.event = event
        let kind = DirectorKind.table.has(event) ? .table : DirectorKind.stack.has(event) ? .stack : DirectorKind.flow
        let isTable = kind == .table
        director = Director(
            name: "contacts", epoch: "k3f9", properties: properties ?? DirectorProperties(defaultsOf: kind))
        try director.register(CellAdapter(model: "A", cell: "ACell"))
        try director.register(CellAdapter(model: "B", cell: "BCell"))
        try director.register(HeaderFooterAdapter(view: "Head"))
        try director.register(HeaderFooterAdapter(view: "Foot"))
        let drafts = ["A", "B", "A"].enumerated().map { index, model in
            ElementDraft(model: model, value: JSONValue(string: "e\(index)"))
        }
        // Only a table has an index.
        let attributes = SectionAttributes {
            $0.headerTitle = "One"
            $0.headerView = "Head"
            $0.footerView = "Foot"
            $0.indexTitle = isTable ? "O" : nil
        }
        try director.perform([
            .sections(
                .set([
                    SectionDraft(identifier: "one", attributes: attributes, elements: drafts),
                    SectionDraft(
                        identifier: "two",
                        attributes: SectionAttributes {
                            $0.headerTitle = "Two"
                            $0.indexTitle = isTable ? "T" : nil
                        },
                        elements: Array(drafts.prefix(1))),
                ]))
        ])
        _ = try director.reload()
    }

    /// Where a hook on the event goes: the adapter of the element `[0, 1]`, or of the first section's view.
    var level: HookLevel {
        switch event.source {
        case .tableCell, .collectionCell, .stackCell: .cell("B")
        case .tableHeaderFooter, .collectionHeaderFooter, .stackHeaderFooter:
            .headerFooter(event.place == .footer ? "Foot" : "Head")
        case .tableDirector, .collectionDirector, .stackDirector: .director
        case .scroll: .scroll
        case .section: .section("one")
        }
    }

    /// The member of the report that says where.
    var place: String {
        switch event.place {
        case .element: #""indexPath":[0,1]"#
        case .header, .headerOrFooter: #""header":0"#
        case .footer: #""footer":0"#
        case .list: ""
        }
    }

    /// Values for all parameters.
    var parameters: String {
        let members = event.parameters.map { parameter in
            let own = ["index": "1", "title": #""T""#][parameter.name]
            return "\(parameter.name.debugDescription):\(own ?? EventSample.value(of: parameter.type))"
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    /// The report's body.
    var body: String {
        let members = [#""event":"\#(event.name)""#, place, #""version":1"#, #""parameters":\#(parameters)"#]
        return "{" + members.filter { !$0.isEmpty }.joined(separator: ",") + "}"
    }

    func resolved() throws -> [ResolvedEvent] {
        try director.resolve(try EventReport.decode(node(body)), in: director.published)
    }

    /// A value of a type, never that of a default.
    static func value(of type: AnswerType) -> String {
        switch type {
        case .boolean: "true"
        case .number: "2.5"
        case .height: "44.5"
        case .integer: "1"
        case .string, .optionalString: #""text""#
        case .size: #"{"width":10,"height":20.5}"#
        case .point: #"{"x":1,"y":2}"#
        case .insets: #"{"top":1,"left":2,"bottom":3,"right":4}"#
        case .indexPath: "[1,0]"
        case .optionalIndexPath: "[0,2]"
        case .editStyle: #""insert""#
        case .actions: ##"[{"title":"Delete","style":"destructive","backgroundColor":"#FF0000","identifier":"d"}]"##
        case .swipeActions: #"{"actions":[{"title":"Archive"}],"performsFirstActionWithFullSwipe":false}"#
        case .dragItems: #"[{"text":"Ada","type":"public.utf8-plain-text","localObject":{"id":1}}]"#
        case .dropProposal: #"{"operation":"move","intent":"insertAtDestinationIndexPath"}"#
        }
    }

    /// A hook that is signed with a secret of its own.
    static func hook(_ url: String = "https://example.com/hook") throws -> EventHook {
        EventHook(url: try HookURL(parsing: url), secrets: [.random()])
    }
}

extension DirectorKind {
    /// Whether a director of the kind has an event.
    func has(_ event: EventDefinition) -> Bool { EventSource.all(of: self).contains(event.source) }
}

extension EventCatalog {
    /// The events that UIs report or ask.
    static let forUIs = all.filter(\.isForUIs)
}
