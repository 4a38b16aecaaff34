import HTTPTypes

extension Route {
    /// Cell adapters, header/footer adapters and variables.
    static let adapters: [Route] = cellAdapters + viewAdapters + variables

    private static let cells = "/v1/directors/{director}/adapters"
    private static let views = "/v1/directors/{director}/header-footer-adapters"
    private static let values = "/v1/directors/{director}/variables"

    private static let cellAdapters: [Route] = [
        Route(
            method: .get, path: PathTemplate(cells), operationID: "listAdapters", summary: "Lists the cell adapters.",
            answers: [.json(200, "The adapters.", "CellAdapterList")],
            action: .read { call, reading throws(Problem) in try reading.listAdapters(call) }),
        Route(
            method: .put, path: PathTemplate(cells), operationID: "putAdapters",
            summary: "Registers several cell adapters at once, all or none; others stay as they are.", query: [.reload],
            body: .json("CellAdapterInputs"),
            answers: [.json(200, "The adapters that were named.", "CellAdapterList"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.putAdapters(call) }),
        Route(
            method: .put, path: PathTemplate(cells + "/{model}"), operationID: "putAdapter",
            summary: "Registers a model's cell adapter; an equal one is ignored.", query: [.reload],
            body: .json("CellAdapterInput"),
            answers: [
                .json(200, "The model had one.", "CellAdapter"), .json(201, "It is new.", "CellAdapter"), .minimal,
            ],
            action: .change { call, mutation throws(Problem) in try mutation.putAdapter(call) }),
        Route(
            method: .get, path: PathTemplate(cells + "/{model}"), operationID: "readAdapter",
            summary: "Reads a model's cell adapter.",
            answers: [.json(200, "The adapter.", "CellAdapter")],
            action: .read { call, reading throws(Problem) in try reading.readAdapter(call) }),
        Route(
            method: .delete, path: PathTemplate(cells + "/{model}"), operationID: "removeAdapter",
            summary: "Removes a model's cell adapter; refused while elements of the model are there.",
            query: [.reload],
            answers: [.empty(204, "It is gone.")],
            action: .change { call, mutation throws(Problem) in try mutation.removeAdapter(call) }),
    ]

    private static let viewAdapters: [Route] = [
        Route(
            method: .get, path: PathTemplate(views), operationID: "listHeaderFooterAdapters",
            summary: "Lists the header/footer adapters.",
            answers: [.json(200, "The adapters.", "ViewAdapterList")],
            action: .read { call, reading throws(Problem) in try reading.listViewAdapters(call) }),
        Route(
            method: .put, path: PathTemplate(views + "/{view}"), operationID: "putHeaderFooterAdapter",
            summary: "Registers a view's header/footer adapter; an equal one is ignored.", query: [.reload],
            body: .json("ViewAdapterInput"),
            answers: [
                .json(200, "The view had one.", "ViewAdapter"), .json(201, "It is new.", "ViewAdapter"), .minimal,
            ],
            action: .change { call, mutation throws(Problem) in try mutation.putViewAdapter(call) }),
        Route(
            method: .get, path: PathTemplate(views + "/{view}"), operationID: "readHeaderFooterAdapter",
            summary: "Reads a view's header/footer adapter.",
            answers: [.json(200, "The adapter.", "ViewAdapter")],
            action: .read { call, reading throws(Problem) in try reading.readViewAdapter(call) }),
        Route(
            method: .delete, path: PathTemplate(views + "/{view}"), operationID: "removeHeaderFooterAdapter",
            summary: "Removes a view's header/footer adapter; refused while sections show the view.",
            query: [.reload],
            answers: [.empty(204, "It is gone.")],
            action: .change { call, mutation throws(Problem) in try mutation.removeViewAdapter(call) }),
    ]

    private static let variables: [Route] = [
        Route(
            method: .get, path: PathTemplate(values), operationID: "listVariables", summary: "Lists the variables.",
            answers: [.json(200, "All of them, by name.", "Variables"), .unchanged],
            action: .read { call, reading throws(Problem) in try reading.listVariables(call) }),
        Route(
            method: .put, path: PathTemplate(values + "/{name}"), operationID: "setVariable",
            summary: "Sets a variable; the body is its value.", query: [.reload], body: .json("AnyValue"),
            answers: [.json(200, "Its value.", "AnyValue"), .json(201, "Its value; it is new.", "AnyValue"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.setVariable(call) }),
        Route(
            method: .get, path: PathTemplate(values + "/{name}"), operationID: "readVariable",
            summary: "Reads a variable.",
            answers: [.json(200, "Its value.", "AnyValue"), .unchanged],
            action: .read { call, reading throws(Problem) in try reading.readVariable(call) }),
        Route(
            method: .delete, path: PathTemplate(values + "/{name}"), operationID: "removeVariable",
            summary: "Removes a variable.", query: [.reload],
            answers: [.empty(204, "It is gone.")],
            action: .change { call, mutation throws(Problem) in try mutation.removeVariable(call) }),
    ]
}
