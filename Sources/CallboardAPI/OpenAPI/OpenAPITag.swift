/// The groups that the operations of the OpenAPI document are in, in the order of the document.
enum OpenAPITag: String, CaseIterable {
    case directors = "Directors"
    case sections = "Sections"
    case elements = "Elements"
    case rows = "Rows"
    case adapters = "Adapters"
    case variables = "Variables"
    case publishing = "Publishing"
    case events = "Events"
    case access = "Access"
    case service = "Service"

    /// The group of a path: it follows from the path's fixed segments.
    init(of path: PathTemplate) {
        let words = path.description.split(whereSeparator: { "/:".contains($0) }).filter { !$0.hasPrefix("{") }
        let groups: [(words: Set<Substring>, tag: OpenAPITag)] = [
            (["events", "scroll-events", "hooks", "deliveries"], .events),
            (["tokens", "issuers", "session", "stream-tickets"], .access),
            (["reload", "operations", "content", "refresh", "scroll", "changesets", "streams"], .publishing),
            (["adapters", "header-footer-adapters"], .adapters), (["variables"], .variables),
            (["elements"], .elements), (["rows"], .rows), (["sections"], .sections), (["directors"], .directors),
        ]
        self = groups.first { !$0.words.isDisjoint(with: words) }?.tag ?? .service
    }

    /// What the group is about.
    var summary: String {
        switch self {
        case .directors: "Named lists, and what a whole list has: its kind and properties."
        case .sections: "The sections of a list, in order."
        case .elements: "The elements of sections and of model rows."
        case .rows: "Rows with conditions: shown or hidden by variables and values."
        case .adapters: "Which cell shows a model, and which view a header or a footer."
        case .variables: "Values that conditions of rows read."
        case .publishing: "Reloads, batches of operations, changesets, and the streams that carry them."
        case .events: "Hooks: what is sent to their targets, and what is answered; and deliveries of notifications."
        case .access: "Tokens, sessions and tickets."
        case .service: "Probes, metrics, nodes, this document and the files for web pages."
        }
    }
}
