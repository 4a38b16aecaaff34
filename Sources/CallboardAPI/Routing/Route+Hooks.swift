import Directors
import HTTPTypes

extension Route {
    private static let director = "/v1/directors/{director}"

    /// Event hooks at every level, what UIs report, and what is being delivered.
    static let hooks: [Route] =
        hooks(
            at: director + "/adapters/{model}/events", name: "AdapterEvent", of: "a cell adapter"
        ) { call, _ in .cell(call.parameters[1]) }
        + hooks(
            at: director + "/header-footer-adapters/{view}/events", name: "HeaderFooterEvent",
            of: "a header/footer adapter"
        ) { call, _ in .headerFooter(call.parameters[1]) }
        + hooks(at: director + "/events", name: "Event", of: "the director") { _, _ in .director }
        + hooks(at: director + "/scroll-events", name: "ScrollEvent", of: "the director's scroll view") { _, _ in
            .scroll
        }
        + hooks(
            at: director + "/sections/{section}/rows/{row}/events", name: "RowEvent", of: "a row"
        ) { call, context throws(Problem) in
            let (section, row) = try context.rowNames(call, in: context.director.working.list)
            return .row(section: section, row: row)
        }
        + hooks(
            at: director + "/sections/{section}/events", name: "SectionEvent", of: "a section"
        ) { call, context throws(Problem) in .section(try context.sectionName(call, in: context.director.working.list))
        }
        + [list, report] + deliveries

    private static func hooks(
        at path: String, name: String, of owner: String,
        level: @escaping @Sendable (Call, any DirectorContext) throws(Problem) -> HookLevel
    ) -> [Route] {
        [
            Route(
                method: .get, path: PathTemplate(path), requires: .right(.hooks), operationID: "list\(name)s",
                summary: "Lists the event hooks of \(owner).",
                answers: [.json(200, "The hooks, by their events' names.", "EventHookList")], scope: .owner,
                action: .read { call, reading throws(Problem) in
                    try reading.listHooks(call, at: reading.placed(try level(call, reading)))
                }),
            Route(
                method: .put, path: PathTemplate(path + "/{event}"), requires: .right(.hooks),
                operationID: "put\(name)",
                summary: "Registers the target of an event of \(owner), in place of the one that it has.",
                details: "Without a `url` a question is answered with the hook's `default`, and nobody is called. A "
                    + "hook with a `url` and without a secret gets one, and this answer alone shows it whole. A target "
                    + "inside the network that the setting `hooks.allow` does not name is refused here, where the URL "
                    + "names an address, or when it is called, where it names a host.",
                query: [.reload], body: .json("EventHookInput"),
                answers: [
                    .json(200, "The event had one.", "EventHook"), .json(201, "It is new.", "EventHook"), .minimal,
                ],
                action: .change { call, mutation throws(Problem) in
                    try mutation.putHook(call, at: mutation.placed(try level(call, mutation)))
                }),
            Route(
                method: .get, path: PathTemplate(path + "/{event}"), requires: .right(.hooks),
                operationID: "read\(name)",
                summary: "Reads an event hook of \(owner), with how its target is doing.",
                answers: [.json(200, "The hook; secrets are masked.", "EventHook")], scope: .owner,
                action: .read { call, reading throws(Problem) in
                    try reading.readHook(call, at: reading.placed(try level(call, reading)))
                }),
            Route(
                method: .delete, path: PathTemplate(path + "/{event}"), requires: .right(.hooks),
                operationID: "remove\(name)",
                summary: "Removes an event hook of \(owner); what waits for it is given up.", query: [.reload],
                answers: [.empty(204, "It is gone.")],
                action: .change { call, mutation throws(Problem) in
                    try mutation.removeHook(call, at: mutation.placed(try level(call, mutation)))
                }),
        ]
    }

    private static let list = Route(
        method: .get, path: PathTemplate("/v1/hooks"), requires: .filtered(.hooks), operationID: "listHooks",
        summary: "Lists the event hooks of all directors, by director and then by where they are registered.",
        query: [
            QueryParameter(name: "director", kind: .text, summary: "Only those of a director."), .offset, .limit,
        ],
        answers: [.json(200, "A page of hooks; secrets are masked.", "HookList")],
        scope: .everyNode(Gathered(list: .hooks, order: "director", isOfAll: true)),
        action: .service { call, application in application.listHooks(call) })

    private static let report = Route(
        method: .post, path: PathTemplate(director + "/events"), requires: .right(.report), operationID: "reportEvent",
        summary: "Reports notifications, or asks questions, about what is published.",
        details: "A notification is stored and delivered later, at least once and in order. A question is answered by "
            + "the hook's target or, without a good answer in time, by the hook's default or UIKit's. The `webhooks` "
            + "member of this document has every event. At a view, or with a selection, its places are those of that list. "
            + "Several `events` are taken in their order, and each has its outcome.",
        query: QueryParameter.selection + [.selectionLimit], body: .json("EventReports"),
        answers: [
            .json(200, "The answer to a question, or the outcomes of several events.", "EventAnswers"),
            .json(202, "The notification is stored, or there is no hook that wants it.", "EventAccepted"),
        ], failures: [fullQueue, noRoom],
        action: .report { call, host, key throws(Problem) in try EventReports.report(call, host, key) })

    private static let fullQueue = Answer.empty(
        429, "Too many notifications wait already; `Retry-After` says for how long.")
    private static let noRoom = Answer.empty(507, "There is no room to store that.")

    private static let deliveries: [Route] = [
        Route(
            method: .get, path: PathTemplate("/v1/deliveries"), requires: .filtered(.hooks),
            operationID: "listDeliveries",
            summary: "Lists the notifications that wait or were given up, oldest first.",
            query: [
                QueryParameter(name: "director", kind: .text, summary: "Only those of a director."),
                QueryParameter(name: "event", kind: .text, summary: "Only those of events of a name."),
                QueryParameter(
                    name: "status", kind: .choice(Delivery.State.allCases.map(\.word)),
                    summary: "Only those that wait, or those that were given up."),
                .offset, .limit,
            ],
            answers: [.json(200, "A page of deliveries.", "DeliveryList")],
            scope: .everyNode(Gathered(list: .deliveries, order: "created")),
            action: .service { call, application throws(Problem) in try application.listDeliveries(call) }),
        Route(
            method: .get, path: PathTemplate("/v1/deliveries/{delivery}"), requires: .filtered(.hooks),
            operationID: "readDelivery",
            summary: "Reads a notification that waits or was given up, with what is sent.",
            answers: [.json(200, "The delivery.", "Delivery")], scope: .oneNode,
            action: .service { call, application throws(Problem) in try application.readDelivery(call) }),
        Route(
            method: .post, path: PathTemplate("/v1/deliveries/{delivery}:retry"), requires: .filtered(.hooks),
            operationID: "retryDelivery",
            summary:
                "Tries a notification again: at once where it waits, as the last of its hook where it was given up.",
            answers: [.json(202, "It waits.", "Delivery")], failures: [fullQueue, noRoom], scope: .oneNode,
            action: .service { call, application throws(Problem) in try application.retryDelivery(call) }),
        Route(
            method: .delete, path: PathTemplate("/v1/deliveries/{delivery}"), requires: .filtered(.hooks),
            operationID: "removeDelivery",
            summary: "Removes a notification that was given up, for good; one that still waits is 409.",
            answers: [.empty(204, "It is gone.")],
            failures: [.empty(409, "It still waits."), noRoom], scope: .oneNode,
            action: .service { call, application throws(Problem) in try application.removeDelivery(call) }),
    ]
}

extension Delivery.State {
    /// The state as the API names it.
    var word: String {
        switch self {
        case .pending: "pending"
        case .dead: "dead"
        }
    }
}
