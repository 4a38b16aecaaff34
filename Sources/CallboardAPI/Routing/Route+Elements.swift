import Directors

extension Route {
    private static let sectionElements = "/v1/directors/{director}/sections/{section}/elements"
    private static let rowElements = "/v1/directors/{director}/sections/{section}/rows/{row}/elements"
    private static let reads: [QueryParameter] = [.state, .version]

    /// The elements of sections, of model rows, and of a whole director.
    static let elements: [Route] =
        elements(at: sectionElements, of: "section", named: "", reads) { call throws(Problem) in
            ElementResource(owner: .section(try call.address(1)))
        }
        + elements(at: rowElements, of: "model row", named: "Row", []) { call throws(Problem) in
            ElementResource(owner: .row(section: try call.address(1), row: try call.address(2)))
        } + ofDirector

    /// The routes of one list of elements; which list that is, the path says.
    private static func elements(
        at path: String, of owner: String, named prefix: String, _ reads: [QueryParameter],
        _ find: @escaping @Sendable (Call) throws(Problem) -> ElementResource
    ) -> [Route] {
        list(
            at: path,
            ListWords(
                item: "Element", prefix: prefix, one: "an element", list: "Lists a \(owner)'s elements.",
                set: "Replaces all elements of a \(owner).", add: "Adds one element or several to a \(owner).",
                move: "Moves an element in its \(owner) or to another list.",
                swap: "Exchanges two elements of a \(owner).",
                put: "Replaces an element, or adds it where no element has the identifier.",
                patch: "Changes an element's value by merge patch.",
                putDetails:
                    "An element is added only under the identifier that its value has. `at` says where; it counts for "
                    + "nothing where the element is there.",
                placed: ("PlacedElement", "The element, with where it is."),
                bodies: (put: "ElementBody", patch: "AnyValue", move: "ElementMove"), pageQuery: reads,
                readQuery: reads, bodyQuery: [.model, .reload], putQuery: [.insertAt, .model, .reload],
                patchQuery: [.reload]),
            find,
            put: { call, mutation, elements throws(Problem) in try mutation.putElement(call, elements) },
            patch: { call, mutation, elements throws(Problem) in try mutation.patchElement(call, elements) })
            + [
                Route(
                    method: .post, path: PathTemplate(path + ":transfer"), requires: .right(.mutate),
                    operationID: "transfer\(prefix)Element",
                    summary: "Moves an element of a \(owner) to another director.",
                    details:
                        "Both directors are changed, or neither, also where the server ends meanwhile. It takes the right "
                        + "`mutate` on both, and `read` on the element's. Where several nodes share a database, one of them "
                        + "has to own both directors.",
                    query: [.reload], body: .json("ElementTransfer"),
                    answers: [.json(200, "The director that the element has left.", "Director"), .minimal],
                    action: .transfer { call throws(Problem) in try find(call).owner })
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
            ] + reads + QueryParameter.selection,
            answers: [.json(200, "A page of elements.", "PlacedElementList"), .unchanged], asksSources: true,
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
