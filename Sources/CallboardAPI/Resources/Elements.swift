import Directors
import HTTPTypes
import JSONValues
import ListDiff

/// The elements of a section or of a model row.
struct ElementResource: ListResource {
    let owner: ElementOwner

    var list: EditedList { .elements(of: owner) }

    func operation(_ edit: ListEdit<ElementDraft>) -> Directors.Operation { .elements(of: owner, edit) }

    func drafts(_ call: Call, within _: DirectorLimits) throws(Problem) -> Coding.Several<ElementDraft> {
        try Coding.elements(try call.document(), model: call.query["model"])
    }

    func place(of address: Address, in state: ListState) throws(DirectorError) -> ElementPlace {
        try state.element(at: address, of: owner).place
    }

    func location(of place: ElementPlace, in mutation: Mutation) -> String {
        mutation.location(ofElementAt: place)
    }

    func reply(_ place: ElementPlace, in state: ListState, _: Query, newAt location: String?) -> Reply {
        Reply(
            status: location == nil ? .ok : .created, body: Coding.encode(elementAt: place, in: state),
            location: location)
    }

    func items(of state: ListState) throws(DirectorError) -> PersistentList<Element> {
        state.elements(at: try state.elementList(of: owner))
    }

    func page(of elements: PersistentList<Element>, _ query: Query) -> Reply { .page(elements, query) }

    func added(_ positions: Range<Int>, to elements: PersistentList<Element>, _: Query) -> Reply {
        Reply(status: .created, body: Coding.list(elements[positions], newSection: nil))
    }
}

extension Reading {
    /// `GET …/elements`: the elements of all sections, or the places of those that the query names.
    func listAllElements(_ call: Call) throws(Problem) -> Reply {
        let (list, tag) = try state(call)
        let (offset, limit) = call.query.page
        let (identifier, model) = (call.query["id"], call.query["model"])
        // A model alone is looked for in every element; a page is a part of the list, taken as the average of it.
        let share = list.elementCount == 0 ? 0 : min(1, Double(limit) / Double(list.elementCount))
        let work = identifier == nil && model != nil ? list.memory : Int(Double(list.memory) * share)
        return try answer(call, tag: tag) {
            Reply.content(work: work) {
                let (page, total) = list.elements(identifier: identifier, model: model, offset: offset, limit: limit)
                return ListForm.placedElements.page(page, offset: offset, limit: limit, total: total) {
                    $0.encode(to: &$1)
                }
            }
        }
    }
}

extension Mutation {
    /// Adds elements to a section, or to a new one where none is named.
    mutating func appendElements(_ call: Call) throws(Problem) -> Reply {
        if let section = call.query.address("section") {
            return try add(call, ElementResource(owner: .section(section)))
        }
        let resource = ElementResource(owner: .section(.last))
        let body = try resource.drafts(call, within: director.limits)
        try perform(call, [.newSection(identifier: RandomIdentifier.uuid(), body.drafts)], body: body.part)
        return try answer(call) { mutation throws(Problem) in
            if body.isSingle { return try mutation.reply(at: 0, of: resource, call, isNew: true) }
            let sections = mutation.director.working.list.sections
            let section = sections[sections.count - 1]
            return Reply(
                status: .created, body: Coding.list(section.list[...], newSection: section.identifier),
                location: mutation.location(ofSection: sections.count - 1))
        }
    }

    /// Replaces an element, or adds one under an identifier that is not there.
    mutating func putElement(_ call: Call, _ resource: ElementResource) throws(Problem) -> Reply {
        let element = try call.item()
        let isNew = try placeIfThere(element, .element, of: resource) == nil
        let model = call.query["model"]
        let draft = try Coding.element(try call.document(), model: model)
        let operation = resource.operation(.put(element, draft, at: isNew ? call.query.place("at") : nil))
        let body: BodyPart = model == nil ? .value(at: "/value") : .bareValue("/value")
        guard let place = try perform(call, [operation], body: body, isThere: !isNew) else {
            preconditionFailure("an element that is put by itself says where it stands")
        }
        return try answer(call) { mutation in
            resource.reply(
                place, in: mutation.director.working.list, call.query,
                newAt: isNew ? mutation.location(ofElementAt: place) : nil)
        }
    }

    mutating func patchElement(_ call: Call, _ resource: ElementResource) throws(Problem) -> Reply {
        let element = try call.item()
        let patch: JSONDocument
        do {
            patch = try call.document()
        } catch {
            // That there is no such element comes before what is wrong with the body.
            let state = director.working.list
            _ = try Problem.found(try resource.place(of: element, in: state))
            throw error
        }
        let operation = resource.operation(.patch(element, ValueDraft(readingPatch: patch.root)))
        guard let place = try perform(call, [operation], body: .value(at: "/patch")) else {
            preconditionFailure("a patch of one element says where it stands")
        }
        return try answer(call) { Reply(body: Coding.encode(elementAt: place, in: $0.director.working.list)) }
    }
}
