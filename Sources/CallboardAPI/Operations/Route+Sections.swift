import HTTPTypes

extension Route {
    private static let path = "/v1/directors/{director}/sections"
    private static let reads: [QueryParameter] = [.withElements, .state, .version]

    /// A director's sections.
    static let sections: [Route] = [
        Route(
            method: .get, path: PathTemplate(path), operationID: "listSections", summary: "Lists the sections.",
            query: [.offset, .limit] + reads,
            answers: [
                .json(200, "A page of sections.", "SectionList"), .unchanged,
            ],
            action: .director { call, host throws(Problem) in try host.listSections(call) }),
        Route(
            method: .put, path: PathTemplate(path), operationID: "setSections", summary: "Replaces all sections.",
            query: [.reload, .withElements], body: .json("SectionsBody"),
            answers: [.json(200, "The first page of the new sections.", "SectionList"), .minimal], isMutation: true,
            action: .director { call, host throws(Problem) in try host.setSections(call) }),
        Route(
            method: .post, path: PathTemplate(path), operationID: "addSections",
            summary: "Adds one section or several.",
            query: [.insertAt, .reload, .withElements], body: .json("SectionsBody"),
            answers: [.json(201, "The section that was added, or the list of them.", "SectionOrList"), .minimal],
            isMutation: true,
            action: .director { call, host throws(Problem) in try host.addSections(call) }),
        Route(
            method: .delete, path: PathTemplate(path), operationID: "removeSections",
            summary: "Removes the sections at some positions, or all.", query: [.removeAt, .reload],
            answers: [.empty(204, "They are gone.")], isMutation: true,
            action: .director { call, host throws(Problem) in try host.removeSections(call) }),
        Route(
            method: .post, path: PathTemplate(path + ":move"), operationID: "moveSection", summary: "Moves a section.",
            query: [.reload], body: .json("Move"),
            answers: [.json(200, "The director.", "Director"), .minimal], isMutation: true,
            action: .director { call, host throws(Problem) in try host.moveSection(call) }),
        Route(
            method: .post, path: PathTemplate(path + ":swap"), operationID: "swapSections",
            summary: "Exchanges two sections.", query: [.reload], body: .json("Swap"),
            answers: [.json(200, "The director.", "Director"), .minimal], isMutation: true,
            action: .director { call, host throws(Problem) in try host.swapSections(call) }),
        Route(
            method: .get, path: PathTemplate(path + "/{section}"), operationID: "readSection",
            summary: "Reads a section.", query: reads,
            answers: [.json(200, "The section.", "Section"), .unchanged],
            action: .director { call, host throws(Problem) in try host.readSection(call) }),
        Route(
            method: .put, path: PathTemplate(path + "/{section}"), operationID: "putSection",
            summary: "Replaces a section, or adds it at the end where no section has the identifier.",
            query: [.reload, .withElements], body: .json("SectionInput"),
            answers: [.json(200, "It was there.", "Section"), .json(201, "It is new.", "Section"), .minimal],
            isMutation: true,
            action: .director { call, host throws(Problem) in try host.putSection(call) }),
        Route(
            method: .patch, path: PathTemplate(path + "/{section}"), operationID: "patchSection",
            summary: "Changes a section by merge patch; its elements stay unless the patch has them.",
            query: [.reload, .withElements], body: .mergePatch("SectionInput"),
            answers: [.json(200, "The section.", "Section"), .minimal], isMutation: true,
            action: .director { call, host throws(Problem) in try host.patchSection(call) }),
        Route(
            method: .delete, path: PathTemplate(path + "/{section}"), operationID: "removeSection",
            summary: "Removes a section.", query: [.reload],
            answers: [.empty(204, "It is gone.")], isMutation: true,
            action: .director { call, host throws(Problem) in try host.removeSection(call) }),
    ]
}
