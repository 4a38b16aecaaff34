import HTTPTypes

extension Route {
    /// The directors themselves.
    static let directors: [Route] = [
        Route(
            method: .get, path: PathTemplate("/v1/directors"), requires: .filtered(.read), operationID: "listDirectors",
            summary: "Lists the directors by name.", query: [.offset, .limit],
            answers: [.json(200, "A page of directors.", "DirectorList")], scope: .everything,
            action: .service { call, application in application.listDirectors(call) }),
        Route(
            method: .put, path: PathTemplate("/v1/directors/{director}"), requires: .creation(.define),
            operationID: "putDirector",
            summary: "Creates a director or redefines it; its content stays where the kind does.",
            details: "Another kind empties the list, and is refused with 409 unless `replace` is `true`.",
            query: [
                QueryParameter(
                    name: "replace", kind: .boolean, summary: "`true` lets another kind empty the list."),
                .reload,
            ], body: .json("DirectorDefinition"),
            answers: [
                .json(200, "It was there and is redefined.", "Director"), .json(201, "It is new.", "Director"),
                .minimal,
            ],
            action: .define { call, application throws(Problem) in try application.putDirector(call) }),
        Route(
            method: .get, path: PathTemplate("/v1/directors/{director}"), requires: .right(.read),
            operationID: "readDirector",
            summary: "Reads a director.",
            answers: [.json(200, "The director.", "Director"), .unchanged],
            action: .read { call, reading throws(Problem) in try reading.readDirector(call) }),
        Route(
            method: .patch, path: PathTemplate("/v1/directors/{director}"), requires: .right(.define),
            operationID: "patchDirector",
            summary: "Changes properties by merge patch.", query: [.reload], body: .mergePatch("DirectorPatch"),
            answers: [.json(200, "The director.", "Director"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.patchDirector(call) }),
        Route(
            method: .delete, path: PathTemplate("/v1/directors/{director}"), requires: .right(.define),
            operationID: "deleteDirector",
            summary: "Deletes a director; its streams get `end`.",
            answers: [.empty(204, "It is gone.")],
            action: .change { call, mutation throws(Problem) in try mutation.deleteDirector(call) }),
        Route(
            method: .get, path: PathTemplate("/v1/directors/{director}/instances"), requires: .right(.define),
            operationID: "listInstances",
            summary: "Lists the instances of a view that the answering node keeps up.",
            details:
                "Readers who bind the same values, and of whom the view reads the same claims, share one. It ends a "
                + "minute after its last reader.",
            query: [.offset, .limit],
            answers: [.json(200, "A page of instances.", "ViewInstanceList")],
            action: .service { call, application throws(Problem) in try application.listInstances(call) }),
    ]
}

extension Route.Answer {
    /// A read's answer to `If-None-Match` with the state's tag.
    static let unchanged = Route.Answer.empty(304, "The state is that of `If-None-Match`.")

    /// A mutation's answer to `Prefer: return=minimal`, and to a client without the right to read.
    static let minimal = Route.Answer.empty(
        204, "As 200: with `Prefer: return=minimal`, or without the right `read`.")

    /// The answer to a client without the right to read the director.
    static let unread = Route.Answer.empty(204, "As 200, without the right `read`.")
}
