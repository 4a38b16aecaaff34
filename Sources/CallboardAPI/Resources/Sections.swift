import Directors
import HTTPTypes
import JSONValues

/// The sections of a director.
struct SectionResource: ListResource {
    let list = EditedList.sections

    func operation(_ edit: ListEdit<SectionDraft>) -> Directors.Operation { .sections(edit) }

    func drafts(_ call: Call, within limits: DirectorLimits) throws(Problem) -> Coding.Several<SectionDraft> {
        try Coding.sections(try call.document(), within: limits)
    }

    func place(
        of address: Address, in state: ListState
    ) throws(DirectorError) -> (position: Int, section: Section) {
        try state.section(at: address)
    }

    func location(of place: (position: Int, section: Section), in mutation: Mutation) -> String {
        mutation.location(ofSection: place.position)
    }

    func reply(
        _ place: (position: Int, section: Section), in _: ListState, _ query: Query, newAt location: String?
    ) -> Reply {
        .section(place.section, query, status: location == nil ? .ok : .created, location: location)
    }

    func items(of state: ListState) -> SectionList { state.sections }

    func page(of sections: SectionList, _ query: Query) -> Reply { .page(sections, query) }

    func added(_ positions: Range<Int>, to sections: SectionList, _ query: Query) -> Reply {
        .added(sections[positions], query)
    }
}

extension Mutation {
    /// Replaces a section, or adds one under an identifier that is not there.
    mutating func putSection(_ call: Call) throws(Problem) -> Reply {
        let address = try call.item()
        let draft = try Coding.section(try call.document(), within: director.limits)
        let there = try placeIfThere(address, .section, of: SectionResource())?.position
        try perform(call, [.sections(.put(address, draft))], body: .value(at: "/value"), isThere: there != nil)
        return try answer(call) { mutation throws(Problem) in
            let position = there ?? mutation.director.working.list.sections.count - 1
            return try mutation.reply(at: position, of: SectionResource(), call, isNew: there == nil)
        }
    }

    mutating func patchSection(_ call: Call) throws(Problem) -> Reply {
        let address = try call.item()
        let position = try located(address, in: director.working.list).position
        let patch = ValueDraft(readingPatch: try call.document().root)
        try perform(call, [.sections(.patch(address, patch))], body: .value(at: "/patch"))
        return try answer(call) { mutation throws(Problem) in
            try mutation.reply(at: position, of: SectionResource(), call, isNew: false)
        }
    }
}
