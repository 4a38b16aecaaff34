import HTTPTypes

extension Route {
    private static let sectionElements = "/v1/directors/{director}/sections/{section}/elements"
    private static let rowElements = "/v1/directors/{director}/sections/{section}/rows/{row}/elements"
    private static let reads: [QueryParameter] = [.state, .version]

    /// The elements of sections, of model rows, and of a whole director.
    static let elements: [Route] =
        elements(at: sectionElements, of: "section", named: "") { call throws(Problem) in
            ElementList(section: try call.address(1), row: nil)
        }
        + elements(at: rowElements, of: "model row", named: "Row") { call throws(Problem) in
            ElementList(section: try call.address(1), row: try call.address(2))
        } + ofDirector

    /// The routes of one list of elements; which list that is, the path says.
    private static func elements(
        at path: String, of owner: String, named name: String,
        _ list: @escaping @Sendable (Call) throws(Problem) -> ElementList
    ) -> [Route] {
        let query = owner == "section" ? reads : []
        return [
            Route(
                method: .get, path: PathTemplate(path), requires: .right(.read), operationID: "list\(name)Elements",
                summary: "Lists a \(owner)'s elements.", query: [.offset, .limit] + query,
                answers: [.json(200, "A page of elements.", "ElementList"), .unchanged],
                action: .read { call, reading throws(Problem) in try reading.listElements(call, of: try list(call)) }),
            Route(
                method: .put, path: PathTemplate(path), requires: .right(.mutate), operationID: "set\(name)Elements",
                summary: "Replaces all elements of a \(owner).", query: [.model, .reload], body: .json("ElementsBody"),
                answers: [.json(200, "The first page of the new elements.", "ElementList"), .minimal],
                action: .change { call, mutation throws(Problem) in
                    try mutation.setElements(call, of: try list(call))
                }),
            Route(
                method: .post, path: PathTemplate(path), requires: .right(.mutate), operationID: "add\(name)Elements",
                summary: "Adds one element or several to a \(owner).", query: [.insertAt, .model, .reload],
                body: .json("ElementsBody"),
                answers: [.json(201, "The element that was added, or the list of them.", "ElementOrList"), .minimal],
                action: .change { call, mutation throws(Problem) in
                    try mutation.addElements(call, to: try list(call).target)
                }),
            Route(
                method: .delete, path: PathTemplate(path), requires: .right(.mutate),
                operationID: "remove\(name)Elements",
                summary: "Removes the elements at some positions, or all.", query: [.removeAt, .reload],
                answers: [.empty(204, "They are gone.")],
                action: .change { call, mutation throws(Problem) in
                    try mutation.removeElements(call, of: try list(call))
                }),
            Route(
                method: .post, path: PathTemplate(path + ":move"), requires: .right(.mutate),
                operationID: "move\(name)Element",
                summary: "Moves an element in its \(owner) or to another list.", query: [.reload],
                body: .json("ElementMove"), answers: [.json(200, "The director.", "Director"), .minimal],
                action: .change { call, mutation throws(Problem) in
                    try mutation.moveElement(call, of: try list(call))
                }),
            Route(
                method: .post, path: PathTemplate(path + ":swap"), requires: .right(.mutate),
                operationID: "swap\(name)Elements",
                summary: "Exchanges two elements of a \(owner).", query: [.reload], body: .json("Swap"),
                answers: [.json(200, "The director.", "Director"), .minimal],
                action: .change { call, mutation throws(Problem) in
                    try mutation.swapElements(call, of: try list(call))
                }),
        ] + element(at: path + "/{element}", named: name, query: query, list)
    }

    /// The routes of one element.
    private static func element(
        at path: String, named name: String, query: [QueryParameter],
        _ list: @escaping @Sendable (Call) throws(Problem) -> ElementList
    ) -> [Route] {
        [
            Route(
                method: .get, path: PathTemplate(path), requires: .right(.read), operationID: "read\(name)Element",
                summary: "Reads an element.", query: query,
                answers: [.json(200, "The element, with where it is.", "PlacedElement"), .unchanged],
                action: .read { call, reading throws(Problem) in try reading.readElement(call, of: try list(call)) }),
            Route(
                method: .put, path: PathTemplate(path), requires: .right(.mutate), operationID: "put\(name)Element",
                summary: "Replaces an element, or adds it where no element has the identifier.",
                details:
                    "An element is added only under the identifier that its value has. `at` says where; it counts for "
                    + "nothing where the element is there.",
                query: [.insertAt, .model, .reload], body: .json("ElementBody"),
                answers: [
                    .json(200, "It was there.", "PlacedElement"), .json(201, "It is new.", "PlacedElement"), .minimal,
                ],
                action: .change { call, mutation throws(Problem) in
                    try mutation.putElement(call, of: try list(call))
                }),
            Route(
                method: .patch, path: PathTemplate(path), requires: .right(.mutate), operationID: "patch\(name)Element",
                summary: "Changes an element's value by merge patch.", query: [.reload], body: .mergePatch("AnyValue"),
                answers: [.json(200, "The element.", "PlacedElement"), .minimal],
                action: .change { call, mutation throws(Problem) in
                    try mutation.patchElement(call, of: try list(call))
                }),
            Route(
                method: .delete, path: PathTemplate(path), requires: .right(.mutate),
                operationID: "remove\(name)Element",
                summary: "Removes an element.", query: [.reload],
                answers: [.empty(204, "It is gone.")],
                action: .change { call, mutation throws(Problem) in
                    try mutation.removeElement(call, of: try list(call))
                }),
        ]
    }

    private static let ofDirector: [Route] = [
        Route(
            method: .get, path: PathTemplate("/v1/directors/{director}/elements"), requires: .right(.read),
            operationID: "listAllElements",
            summary: "Lists the elements of all sections in order, each with where it is.",
            details:
                "With `id`, all places of that identifier. In the working state an element of a model row has its row "
                + "and position there; a constant row is an element only where it is published.",
            query: [
                QueryParameter(name: "id", kind: .text, summary: "Only elements of this identifier."),
                QueryParameter(name: "model", kind: .text, summary: "Only elements of this model."),
                .offset, .limit,
            ] + reads,
            answers: [.json(200, "A page of elements.", "PlacedElementList"), .unchanged],
            action: .read { call, reading throws(Problem) in try reading.listAllElements(call) }),
        Route(
            method: .post, path: PathTemplate("/v1/directors/{director}/elements"), requires: .right(.mutate),
            operationID: "appendElements",
            summary: "Adds elements at the end of a section; with no section named, of a new one.",
            details: "A new section's identifier is in the answer, and in `Location`.",
            query: [
                QueryParameter(
                    name: "section", kind: .address, summary: "The section's address; a new one unless given."),
                .model, .reload,
            ], body: .json("ElementsBody"),
            answers: [.json(201, "The element that was added, or the list of them.", "ElementOrList"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.appendElements(call) }),
    ]
}
