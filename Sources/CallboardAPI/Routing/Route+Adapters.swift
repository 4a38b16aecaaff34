import HTTPTypes

extension Route {
    /// Cell adapters, header/footer adapters and variables.
    static let adapters: [Route] = cellAdapters + viewAdapters + variables

    private static let cells = "/v1/directors/{director}/adapters"
    private static let views = "/v1/directors/{director}/header-footer-adapters"
    private static let values = "/v1/directors/{director}/variables"

    private static let cellAdapters: [Route] =
        [
            list(cells, "listAdapters", "cell adapters", "CellAdapterList") { call, reading throws(Problem) in
                try reading.listAdapters(call)
            },
            Route(
                method: .put, path: PathTemplate(cells), requires: .right(.define), operationID: "putAdapters",
                summary: "Registers several cell adapters at once, all or none; others stay as they are.",
                query: [.reload], body: .json("CellAdapterInputs"),
                answers: [.json(200, "The adapters that were named.", "CellAdapterList"), .minimal],
                action: .change { call, mutation throws(Problem) in try mutation.putAdapters(call) }),
        ]
        + one(
            cells, of: "model", "Adapter", "cell adapter", "CellAdapter", keptWhile: "elements of the model are there",
            put: { call, mutation throws(Problem) in try mutation.putAdapter(call) },
            read: { call, reading throws(Problem) in try reading.readAdapter(call) },
            remove: { call, mutation throws(Problem) in try mutation.removeAdapter(call) })

    private static let viewAdapters: [Route] =
        [
            list(views, "listHeaderFooterAdapters", "header/footer adapters", "ViewAdapterList") {
                call, reading throws(Problem) in try reading.listViewAdapters(call)
            }
        ]
        + one(
            views, of: "view", "HeaderFooterAdapter", "header/footer adapter", "ViewAdapter",
            keptWhile: "sections show the view",
            put: { call, mutation throws(Problem) in try mutation.putViewAdapter(call) },
            read: { call, reading throws(Problem) in try reading.readViewAdapter(call) },
            remove: { call, mutation throws(Problem) in try mutation.removeViewAdapter(call) })

    /// The route that lists the adapters of a kind.
    private static func list(
        _ path: String, _ id: String, _ names: String, _ schema: String, _ read: @escaping Read
    ) -> Route {
        Route(
            method: .get, path: PathTemplate(path), requires: .right(.read),
            operationID: id, summary: "Lists the \(names).",
            answers: [.json(200, "The adapters.", schema)], action: .read(read))
    }

    /// The routes of one adapter, which are the same for both kinds.
    private static func one(
        _ path: String, of owner: String, _ id: String, _ name: String, _ schema: String, keptWhile reason: String,
        put: @escaping Change, read: @escaping Read, remove: @escaping Change
    ) -> [Route] {
        let path = PathTemplate("\(path)/{\(owner)}")
        return [
            Route(
                method: .put, path: path, requires: .right(.define), operationID: "put\(id)",
                summary: "Registers a \(owner)'s \(name); an equal one is ignored.", query: [.reload],
                body: .json(schema + "Input"),
                answers: [.json(200, "The \(owner) had one.", schema), .json(201, "It is new.", schema), .minimal],
                action: .change(put)),
            Route(
                method: .get, path: path, requires: .right(.read),
                operationID: "read\(id)", summary: "Reads a \(owner)'s \(name).",
                answers: [.json(200, "The adapter.", schema)], action: .read(read)),
            Route(
                method: .delete, path: path, requires: .right(.define), operationID: "remove\(id)",
                summary: "Removes a \(owner)'s \(name); refused while \(reason).", query: [.reload],
                answers: [.empty(204, "It is gone.")], action: .change(remove)),
        ]
    }

    private static let variables: [Route] = [
        Route(
            method: .get, path: PathTemplate(values), requires: .right(.read),
            operationID: "listVariables", summary: "Lists the variables.",
            answers: [.json(200, "All of them, by name.", "Variables"), .unchanged],
            action: .read { call, reading throws(Problem) in try reading.listVariables(call) }),
        Route(
            method: .put, path: PathTemplate(values + "/{name}"), requires: .right(.mutate), operationID: "setVariable",
            summary: "Sets a variable; the body is its value.", query: [.reload], body: .json("AnyValue"),
            answers: [.json(200, "Its value.", "AnyValue"), .json(201, "Its value; it is new.", "AnyValue"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.setVariable(call) }),
        Route(
            method: .get, path: PathTemplate(values + "/{name}"), requires: .right(.read), operationID: "readVariable",
            summary: "Reads a variable.",
            answers: [.json(200, "Its value.", "AnyValue"), .unchanged],
            action: .read { call, reading throws(Problem) in try reading.readVariable(call) }),
        Route(
            method: .delete, path: PathTemplate(values + "/{name}"), requires: .right(.mutate),
            operationID: "removeVariable",
            summary: "Removes a variable.", query: [.reload],
            answers: [.empty(204, "It is gone.")],
            action: .change { call, mutation throws(Problem) in try mutation.removeVariable(call) }),
    ]
}
