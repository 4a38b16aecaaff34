import HTTPTypes

extension Route {
    private static let path = "/v1/directors/{director}/sections"
    private static let reads: [QueryParameter] = [.withElements, .state, .version]

    /// A director's sections.
    static let sections: [Route] = [
        Route(
            method: .get, path: PathTemplate(path), requires: .right(.read),
            operationID: "listSections", summary: "Lists the sections.",
            query: [.offset, .limit] + reads,
            answers: [
                .json(200, "A page of sections.", "SectionList"), .unchanged,
            ],
            action: .read { call, reading throws(Problem) in try reading.listSections(call) }),
        Route(
            method: .put, path: PathTemplate(path), requires: .right(.mutate),
            operationID: "setSections", summary: "Replaces all sections.",
            query: [.reload, .withElements], body: .json("SectionsBody"),
            answers: [.json(200, "The first page of the new sections.", "SectionList"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.setSections(call) }),
        Route(
            method: .post, path: PathTemplate(path), requires: .right(.mutate), operationID: "addSections",
            summary: "Adds one section or several.",
            query: [.insertAt, .reload, .withElements], body: .json("SectionsBody"),
            answers: [.json(201, "The section that was added, or the list of them.", "SectionOrList"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.addSections(call) }),
        Route(
            method: .delete, path: PathTemplate(path), requires: .right(.mutate), operationID: "removeSections",
            summary: "Removes the sections at some positions, or all.", query: [.removeAt, .reload],
            answers: [.empty(204, "They are gone.")],
            action: .change { call, mutation throws(Problem) in try mutation.removeSections(call) }),
        Route(
            method: .post, path: PathTemplate(path + ":move"), requires: .right(.mutate),
            operationID: "moveSection", summary: "Moves a section.",
            query: [.reload], body: .json("Move"),
            answers: [.json(200, "The director.", "Director"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.moveSection(call) }),
        Route(
            method: .post, path: PathTemplate(path + ":swap"), requires: .right(.mutate), operationID: "swapSections",
            summary: "Exchanges two sections.", query: [.reload], body: .json("Swap"),
            answers: [.json(200, "The director.", "Director"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.swapSections(call) }),
        Route(
            method: .get, path: PathTemplate(path + "/{section}"), requires: .right(.read), operationID: "readSection",
            summary: "Reads a section.", query: reads,
            answers: [.json(200, "The section.", "Section"), .unchanged],
            action: .read { call, reading throws(Problem) in try reading.readSection(call) }),
        Route(
            method: .put, path: PathTemplate(path + "/{section}"), requires: .right(.mutate), operationID: "putSection",
            summary: "Replaces a section, or adds it at the end where no section has the identifier.",
            query: [.reload, .withElements], body: .json("SectionInput"),
            answers: [.json(200, "It was there.", "Section"), .json(201, "It is new.", "Section"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.putSection(call) }),
        Route(
            method: .patch, path: PathTemplate(path + "/{section}"), requires: .right(.mutate),
            operationID: "patchSection",
            summary: "Changes a section by merge patch; its elements stay unless the patch has them.",
            query: [.reload, .withElements], body: .mergePatch("SectionInput"),
            answers: [.json(200, "The section.", "Section"), .minimal],
            action: .change { call, mutation throws(Problem) in try mutation.patchSection(call) }),
        Route(
            method: .delete, path: PathTemplate(path + "/{section}"), requires: .right(.mutate),
            operationID: "removeSection",
            summary: "Removes a section.", query: [.reload],
            answers: [.empty(204, "It is gone.")],
            action: .change { call, mutation throws(Problem) in try mutation.removeSection(call) }),
    ]
}
