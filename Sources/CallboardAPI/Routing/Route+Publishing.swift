import Feed
import HTTPTypes

extension Route {
    private static let path = "/v1/directors/{director}"
    private static let streamQuery = [
        QueryParameter(
            name: "lastEventId", kind: .text, summary: "As `Last-Event-ID`, for clients that can set no fields."),
        QueryParameter(
            name: "snapshot", kind: .choice(SubscriptionTerms.Snapshot.allCases.map(\.rawValue)),
            summary: "The form of the first event of a stream: `full` unless given."),
        QueryParameter(
            name: "catchup", kind: .choice(SubscriptionTerms.CatchUp.allCases.map(\.rawValue)),
            summary: "How missed versions come: as `one` changeset unless given, or `each`."),
        .ticket,
    ]

    /// Reloads, batches, announcements, changesets and streams.
    static let publishing: [Route] = [
        Route(
            method: .post, path: PathTemplate(path + "/reload"), requires: .right(.mutate), operationID: "reload",
            summary: "Publishes the working state and answers the changeset; without stages where nothing changed.",
            details: "Before that, sources (hooks on the event `models`) without `every` are asked for the elements of "
                + "their sections and model rows, all at once. What fails, or does not answer within its time, leaves "
                + "the elements as they are. With `If-Match` no source is asked.",
            query: [
                QueryParameter(
                    name: "elements", kind: .boolean,
                    summary: "`false` answers how many operations of each kind there are in place of the changeset, "
                        + "which may be as long as the list.")
            ],
            body: .optionalJSON("ReloadBody"),
            answers: [.json(200, "The changeset, or what it consists of.", "ReloadResult"), .minimal],
            publishes: true, asksSources: true,
            action: .change { call, mutation throws(Problem) in try mutation.reload(call) }),
        Route(
            method: .post, path: PathTemplate(path + "/operations"), requires: .either(.mutate, .define),
            operationID: "performOperations",
            summary: "Performs operations in order, all or none.",
            details: "With `reload` or `dryRun` the answer is a changeset, otherwise the director. A dry run changes "
                + "nothing. Each operation asks for the right to what it does: `setAdapter` and `removeAdapter` for "
                + "`define`, every other one and a reload for `mutate`; a dry run, which is all answer, for `read` as well.",
            query: [.reload], body: .json("OperationsBody"),
            answers: [.json(200, "The changeset or the director.", "OperationsResult"), .minimal],
            publishes: true,
            action: .change { call, mutation throws(Problem) in try mutation.performBatch(call) }),
        Route(
            method: .put, path: PathTemplate(path + "/content"), requires: .right(.mutate),
            operationID: "replaceContent",
            summary: "Replaces the whole content by a list, in one operation.",
            details:
                "A line that is an object with a `value` is an element; any other begins a section, whose elements "
                + "follow. The list is read beside what is there and becomes the working state once it is complete; a "
                + "line that is refused, or a condition that does not hold, leaves everything as it was. It may have "
                + "`server.maxContent` bytes, and the journal's largest record: 512 MiB in a folder, 256 MiB in "
                + "PostgreSQL.",
            query: [
                .reload,
                QueryParameter(
                    name: "partial", kind: .boolean,
                    summary: "`true` leaves out lines that are refused; the answer names the first 1,000."),
                QueryParameter(
                    name: "maxRemoved", kind: .text,
                    summary: "How many of the elements that are there may be missing in the list: a number, or a share "
                        + "such as `20%`; more answer 409."),
                QueryParameter(
                    name: "allowEmpty", kind: .boolean,
                    summary: "`true` lets a list without elements take the place of one with some; otherwise 409."),
                QueryParameter(
                    name: "append", kind: .boolean,
                    summary: "`true` keeps what is there: elements come behind those of a section that is there, other "
                        + "sections behind all."),
                QueryParameter(name: "section", kind: .address, summary: "With `row`: the section of the row."),
                QueryParameter(
                    name: "row", kind: .address,
                    summary: "The elements of this model row of `section` alone are meant; the lines are elements."),
            ], body: .lines("ContentLines", orJSON: "SectionsBody"),
            answers: [.json(200, "The director's content now.", "ContentResult"), .minimal],
            action: .prepare { call, host, key throws(Problem) in
                try call.application.replaceContent(call, host, key)
            }),
        Route(
            method: .post, path: PathTemplate(path + "/refresh"), requires: .right(.mutate), operationID: "refresh",
            summary: "Tells subscribers to refresh visible cells in place: the named ones, or all.",
            body: .optionalJSON("RefreshBody"),
            answers: [.json(200, "The event that subscribers get.", "Refresh"), .unread],
            action: .announce { call, mutation throws(Problem) in try mutation.refresh(call) }),
        Route(
            method: .post, path: PathTemplate(path + "/scroll"), requires: .right(.mutate), operationID: "scroll",
            summary: "Tells subscribers to bring an element into view.",
            details: "Nothing is stored: whoever is there is told.", body: .json("ScrollBody"),
            answers: [.json(200, "The event that subscribers get.", "Scroll"), .unread],
            action: .announce { call, mutation throws(Problem) in try mutation.scroll(call) }),
        Route(
            method: .get, path: PathTemplate(path + "/changesets"), requires: .right(.read),
            operationID: "followDirector",
            summary: "Streams the director's changesets, or answers retained ones.",
            details: "With `Accept: text/event-stream` a stream of server-sent events. As JSON, `since` answers the "
                + "retained changesets after a version, `from` and `to` one changeset that spans them.",
            query: streamQuery + QueryParameter.selection + [
                .selectionLimit,
                QueryParameter(
                    name: "since", kind: .integer(0...Int.max), summary: "The changesets after this version."),
                QueryParameter(name: "from", kind: .integer(0...Int.max), summary: "The version to span from."),
                QueryParameter(
                    name: "to", kind: .integer(0...Int.max), summary: "The version to span to; the newest unless given."
                ),
            ],
            answers: [
                Answer(
                    status: 200, summary: "The stream, the changesets or the changeset.",
                    content: [
                        ("application/json", "ChangesetOrList"), (ContentNegotiation.eventStream, "EventStream"),
                    ])
            ], isStream: true, asksSources: true,
            action: .stream(
                { call, host throws(Problem) in try call.application.followDirector(call, host) },
                otherwise: { call, reading throws(Problem) in try reading.changesets(call) })),
        Route(
            method: .get, path: PathTemplate("/v1/changesets"), requires: .filtered(.read),
            operationID: "followDirectors",
            summary: "Streams the changesets of several directors on one connection.",
            query: [
                QueryParameter(
                    name: "director", kind: .repeatedText, summary: "A director to follow; once for each.",
                    isRequired: true)
            ] + streamQuery,
            answers: [
                Answer(
                    status: 200, summary: "The stream.", content: [(ContentNegotiation.eventStream, "EventStream")])
            ], isStream: true, asksSources: true, scope: .queriedDirectors,
            action: .service { call, application throws(Problem) in try application.followDirectors(call) }),
    ]

    /// The streams that are open.
    private static let streams: [Route] = [
        Route(
            method: .get, path: PathTemplate("/v1/streams"), requires: .server(.operate), operationID: "listStreams",
            summary: "Lists the event streams that are open, oldest first.",
            details: "`lag` says how many versions a stream is behind the newest one; `version` and `lag` are null "
                + "until it has been sent one. The address is that of the connection's other end, which may be a proxy's.",
            query: [
                QueryParameter(name: "director", kind: .text, summary: "Only those that follow this director."),
                .offset, .limit,
            ],
            answers: [.json(200, "A page of streams.", "StreamList")],
            scope: .everyNode(Gathered(list: .streams, order: "since")),
            action: .service { call, application in application.listStreams(call) }),
        Route(
            method: .delete, path: PathTemplate("/v1/streams/{stream}"), requires: .server(.operate),
            operationID: "closeStream",
            summary: "Ends an event stream with the reason `closed`, after what is already under way.",
            details: "Its client comes back after its usual wait, where it was; to keep it away, revoke its token.",
            answers: [.empty(204, "It is told that it is over.")], scope: .oneNode,
            action: .service { call, application throws(Problem) in try application.closeStream(call) }),
    ]

    /// Every route, made anew at each call: a server's routes count that server's requests and no other's.
    static var all: [Route] {
        (service + assets + access + directors + sections + rows + elements + adapters + hooks + publishing + streams)
            .map { $0.copy() }
    }
}
