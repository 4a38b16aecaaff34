import HTTPTypes

extension Route {
    private static let path = "/v1/directors/{director}/sections/{section}/elements"
    private static let reads: [QueryParameter] = [.state, .version]

    /// A section's elements.
    static let elements: [Route] = [
        Route(
            method: .get, path: PathTemplate(path), operationID: "listElements", summary: "Lists a section's elements.",
            query: [.offset, .limit] + reads,
            answers: [
                .json(200, "A page of elements.", "ElementList"), .unchanged,
            ],
            action: .read { call, reading throws(Problem) in try reading.listElements(call) }),
        Route(
            method: .put, path: PathTemplate(path), operationID: "setElements",
            summary: "Replaces all elements of a section.", query: [.model, .reload], body: .json("ElementsBody"),
            answers: [.json(200, "The first page of the new elements.", "ElementList"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.setElements(call) }),
        Route(
            method: .post, path: PathTemplate(path), operationID: "addElements",
            summary: "Adds one element or several to a section.", query: [.insertAt, .model, .reload],
            body: .json("ElementsBody"),
            answers: [.json(201, "The element that was added, or the list of them.", "ElementOrList"), .minimal],
            action: .change { call, mutation throws(Problem) in
                try mutation.addElements(call, to: .section(try call.address(1)))
            }),
        Route(
            method: .delete, path: PathTemplate(path), operationID: "removeElements",
            summary: "Removes the elements at some positions, or all.", query: [.removeAt, .reload],
            answers: [.empty(204, "They are gone.")],
            action: .change { call, mutation throws(Problem) in try mutation.removeElements(call) }),
        Route(
            method: .post, path: PathTemplate(path + ":move"), operationID: "moveElement",
            summary: "Moves an element in its section or to another.", query: [.reload], body: .json("ElementMove"),
            answers: [.json(200, "The director.", "Director"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.moveElement(call) }),
        Route(
            method: .post, path: PathTemplate(path + ":swap"), operationID: "swapElements",
            summary: "Exchanges two elements of a section.", query: [.reload], body: .json("Swap"),
            answers: [.json(200, "The director.", "Director"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.swapElements(call) }),
        Route(
            method: .get, path: PathTemplate(path + "/{element}"), operationID: "readElement",
            summary: "Reads an element.", query: reads,
            answers: [.json(200, "The element, with where it is.", "PlacedElement"), .unchanged],
            action: .read { call, reading throws(Problem) in try reading.readElement(call) }),
        Route(
            method: .put, path: PathTemplate(path + "/{element}"), operationID: "putElement",
            summary: "Replaces an element, or adds it where no element has the identifier.",
            details: "An element is added only under the identifier that its value has. `at` says where; it counts for "
                + "nothing where the element is there.",
            query: [.insertAt, .model, .reload], body: .json("ElementBody"),
            answers: [
                .json(200, "It was there.", "PlacedElement"), .json(201, "It is new.", "PlacedElement"), .minimal,
            ],
            action: .change { call, mutation throws(Problem) in try mutation.putElement(call) }),
        Route(
            method: .patch, path: PathTemplate(path + "/{element}"), operationID: "patchElement",
            summary: "Changes an element's value by merge patch.", query: [.reload], body: .mergePatch("AnyValue"),
            answers: [.json(200, "The element.", "PlacedElement"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.patchElement(call) }),
        Route(
            method: .delete, path: PathTemplate(path + "/{element}"), operationID: "removeElement",
            summary: "Removes an element.", query: [.reload],
            answers: [.empty(204, "It is gone.")],
            action: .change { call, mutation throws(Problem) in try mutation.removeElement(call) }),
        Route(
            method: .get, path: PathTemplate("/v1/directors/{director}/elements"), operationID: "listAllElements",
            summary: "Lists the elements of all sections in order, each with where it is.",
            details: "With `id`, all places of that identifier.",
            query: [
                QueryParameter(name: "id", kind: .text, summary: "Only elements of this identifier."),
                QueryParameter(name: "model", kind: .text, summary: "Only elements of this model."),
                .offset, .limit,
            ] + reads,
            answers: [.json(200, "A page of elements.", "PlacedElementList"), .unchanged],
            action: .read { call, reading throws(Problem) in try reading.listAllElements(call) }),
        Route(
            method: .post, path: PathTemplate("/v1/directors/{director}/elements"), operationID: "appendElements",
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
