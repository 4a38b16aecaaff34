import Directors
import HTTPTypes
import JSONValues
import ListDiff

extension Reading {
    func listElements(_ call: Call) throws(Problem) -> Reply {
        let (list, tag) = try state(call)
        let section = try find(try call.address(1), in: list)
        return try answer(call, tag: tag) { Reply.page(section.list, call.query) }
    }

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
                return Coding.page("elements", page, offset: offset, limit: limit, total: total) { place, writer in
                    place.element.encode(in: place.section, at: place.path, to: &writer)
                }
            }
        }
    }

    func readElement(_ call: Call) throws(Problem) -> Reply {
        let (list, tag) = try state(call)
        let path = try place(try call.address(2), in: try call.address(1), of: list)
        return try answer(call, tag: tag) { Reply(body: Coding.encode(elementAt: path, in: list)) }
    }
}

extension Mutation {
    mutating func setElements(_ call: Call) throws(Problem) -> Reply {
        let section = try call.address(1)
        let body = try Coding.elements(try call.document(), model: call.query["model"])
        try perform(call, [.setElements(section: section, body.drafts)], body: body.part)
        return try answer(call) { mutation throws(Problem) in
            let list = try mutation.find(section, in: mutation.director.working.list).list
            return Reply.page(list, call.query)
        }
    }

    mutating func appendElements(_ call: Call) throws(Problem) -> Reply {
        guard let address = call.query.address("section") else {
            return try addElements(call, to: .newSection(identifier: RandomIdentifier.uuid()))
        }
        return try addElements(call, to: .section(address))
    }

    mutating func addElements(_ call: Call, to target: ElementTarget) throws(Problem) -> Reply {
        let body = try Coding.elements(try call.document(), model: call.query["model"])
        let place = call.query.place("at")
        let start = try start(of: place, in: target)
        try perform(call, [.addElements(target, body.drafts, at: place)], body: body.part)
        return try answer(call) { mutation throws(Problem) in
            let list = mutation.director.working.list
            let section: (position: Int, section: Section)
            var isNew = false
            switch target {
            case .section(let address): section = try mutation.located(address, in: list)
            case .newSection:
                section = try mutation.located(.last, in: list)
                isNew = true
            }
            let path = ElementPath(section: section.position, element: start)
            if body.isSingle {
                return Reply(
                    status: .created, body: Coding.encode(elementAt: path, in: list),
                    location: mutation.location(ofElementAt: path))
            }
            let added = section.section.list[start..<start + body.drafts.count]
            return Reply(
                status: .created, body: Coding.list(added, newSection: isNew ? section.section.identifier : nil),
                location: isNew ? mutation.location(ofSection: section.position) : nil)
        }
    }

    /// Where the first of the elements that are added will stand; any place where they are refused all the same.
    private func start(of place: Address?, in target: ElementTarget) throws(Problem) -> Int {
        guard case .section(let section) = target else { return 0 }
        do {
            return try director.working.list.insertion(at: place, in: section)
        } catch {
            throw Problem(error, body: nil)
        }
    }

    mutating func removeElements(_ call: Call) throws(Problem) -> Reply {
        let section = try call.address(1)
        let operation: Directors.Operation =
            call.query.addresses("at").map { .removeElements(section: section, at: $0) }
            ?? .removeAllElements(section: section)
        try perform(call, [operation])
        return noContent()
    }

    mutating func moveElement(_ call: Call) throws(Problem) -> Reply {
        let section = try call.address(1)
        let operation = try Coding.operation(try call.document()) { node throws(RepresentationError) in
            try Directors.Operation.decodeMoveElement(node, section: section)
        }
        try perform(call, [operation], body: .whole)
        return try answer(call) { Reply(body: $0.representation) }
    }

    mutating func swapElements(_ call: Call) throws(Problem) -> Reply {
        let section = try call.address(1)
        let operation = try Coding.operation(try call.document()) { node throws(RepresentationError) in
            try Directors.Operation.decodeSwapElements(node, section: section)
        }
        try perform(call, [operation], body: .whole)
        return try answer(call) { Reply(body: $0.representation) }
    }

    /// Replaces an element, or adds one under an identifier that is not there.
    mutating func putElement(_ call: Call) throws(Problem) -> Reply {
        let (section, element) = (try call.address(1), try call.address(2))
        let before = director.working.list
        let there = try placeIfThere(element, in: section, of: before)
        let model = call.query["model"]
        let draft = try Coding.element(try call.document(), model: model)
        let at = call.query.place("at")
        let operation = Directors.Operation.setElement(
            section: section, element: element, draft, at: there == nil ? at : nil)
        let body: BodyPart = model == nil ? .value(at: "/value") : .bareValue("/value")
        guard let path = try perform(call, [operation], body: body, isThere: there != nil) else {
            preconditionFailure("an element that is put by itself says where it stands")
        }
        return try answer(call) { mutation in
            Reply(
                status: there == nil ? .created : .ok,
                body: Coding.encode(elementAt: path, in: mutation.director.working.list),
                location: there == nil ? mutation.location(ofElementAt: path) : nil)
        }
    }

    mutating func patchElement(_ call: Call) throws(Problem) -> Reply {
        let (section, element) = (try call.address(1), try call.address(2))
        let patch: JSONDocument
        do {
            patch = try call.document()
        } catch {
            // That there is no such element comes before what is wrong with the body.
            _ = try place(element, in: section, of: director.working.list)
            throw error
        }
        let operation = Directors.Operation.patchElement(
            section: section, element: element, patch: ValueDraft(readingPatch: patch.root))
        guard let path = try perform(call, [operation], body: .value(at: "/patch")) else {
            preconditionFailure("a patch of one element says where it stands")
        }
        return try answer(call) { Reply(body: Coding.encode(elementAt: path, in: $0.director.working.list)) }
    }

    mutating func removeElement(_ call: Call) throws(Problem) -> Reply {
        try perform(call, [.removeElement(section: try call.address(1), element: try call.address(2))])
        return noContent()
    }

    /// Where an element stands; nil where its section is there and no element of it has that identifier.
    private func placeIfThere(
        _ element: Address, in section: Address, of list: ListState
    ) throws(Problem) -> ElementPath? {
        do {
            return try list.element(at: element, in: section).path
        } catch {
            guard case .notFound(.element, .identifier, _) = error.reason else { throw Problem(error, body: nil) }
            return nil
        }
    }
}
