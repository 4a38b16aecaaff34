import Directors

extension Route {
    /// A director's sections.
    static let sections = list(
        at: "/v1/directors/{director}/sections",
        ListWords(
            item: "Section", one: "a section", list: "Lists the sections.", set: "Replaces all sections.",
            add: "Adds one section or several.", move: "Moves a section.", swap: "Exchanges two sections.",
            put: "Replaces a section, or adds it at the end where no section has the identifier.",
            patch: "Changes a section by merge patch; its elements stay unless the patch has them.",
            placed: ("Section", "The section."), bodies: (put: "SectionInput", patch: "SectionInput", move: "Move"),
            pageQuery: [.withElements, .state, .version] + QueryParameter.selection,
            readQuery: [.withElements, .state, .version],
            bodyQuery: [.reload, .withElements], putQuery: [.reload, .withElements],
            patchQuery: [.reload, .withElements]),
        { _ in SectionResource() },
        put: { call, mutation, _ throws(Problem) in try mutation.putSection(call) },
        patch: { call, mutation, _ throws(Problem) in try mutation.patchSection(call) })
}
