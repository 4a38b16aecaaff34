import Directors
import HTTPTypes
import JSONValues
import ListDiff

/// A list of elements as a path names it: that of a section, or of a model row.
struct ElementList {
    /// The section.
    let section: Address
    /// The row in a section of rows; nil for the section's own elements.
    let row: Address?

    /// The list, to add elements to.
    var target: ElementTarget {
        row.map { .row(section: section, row: $0) } ?? .section(section)
    }

    /// The element that the path names, which is its last parameter.
    static func element(_ call: Call) throws(Problem) -> Address {
        try call.address(call.parameters.count - 1)
    }
}

extension Reading {
    func listElements(_ call: Call, of list: ElementList) throws(Problem) -> Reply {
        let (state, tag) = try state(call)
        let elements = state.elements(at: try place(of: list, in: state))
        return try answer(call, tag: tag) { Reply.page(elements, call.query) }
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
                return Coding.page("elements", page, offset: offset, limit: limit, total: total) {
                    $0.encode(to: &$1)
                }
            }
        }
    }

    func readElement(_ call: Call, of list: ElementList) throws(Problem) -> Reply {
        let (state, tag) = try state(call)
        let place = try place(try ElementList.element(call), of: list, in: state)
        return try answer(call, tag: tag) { Reply(body: Coding.encode(elementAt: place, in: state)) }
    }
}

extension Mutation {
    mutating func setElements(_ call: Call, of list: ElementList) throws(Problem) -> Reply {
        let body = try Coding.elements(try call.document(), model: call.query["model"])
        try perform(call, [.setElements(section: list.section, row: list.row, body.drafts)], body: body.part)
        return try answer(call) { mutation throws(Problem) in
            let state = mutation.director.working.list
            return Reply.page(state.elements(at: try mutation.place(of: list, in: state)), call.query)
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
            let state = mutation.director.working.list
            var isNew = false
            let list: ElementListPlace
            switch target {
            case .section(let section):
                list = try mutation.place(of: ElementList(section: section, row: nil), in: state)
            case .row(let section, let row):
                list = try mutation.place(of: ElementList(section: section, row: row), in: state)
            case .newSection:
                list = try mutation.place(of: ElementList(section: .last, row: nil), in: state)
                isNew = true
            }
            if body.isSingle {
                let place = ElementPlace(list: list, position: start)
                return Reply(
                    status: .created, body: Coding.encode(elementAt: place, in: state),
                    location: mutation.location(ofElementAt: place))
            }
            let added = state.elements(at: list)[start..<start + body.drafts.count]
            return Reply(
                status: .created,
                body: Coding.list(added, newSection: isNew ? state.sections[list.section].identifier : nil),
                location: isNew ? mutation.location(ofSection: list.section) : nil)
        }
    }

    /// The future position of the first added element; an arbitrary one if the elements are going to be refused.
    private func start(of place: Address?, in target: ElementTarget) throws(Problem) -> Int {
        let list: ElementList
        switch target {
        case .section(let section): list = ElementList(section: section, row: nil)
        case .row(let section, let row): list = ElementList(section: section, row: row)
        case .newSection: return 0
        }
        do {
            return try director.working.list.insertion(at: place, in: list.section, row: list.row)
        } catch {
            throw Problem(error, body: nil)
        }
    }

    mutating func removeElements(_ call: Call, of list: ElementList) throws(Problem) -> Reply {
        let operation: Directors.Operation =
            call.query.addresses("at").map { .removeElements(section: list.section, row: list.row, at: $0) }
            ?? .removeAllElements(section: list.section, row: list.row)
        try perform(call, [operation])
        return noContent()
    }

    mutating func moveElement(_ call: Call, of list: ElementList) throws(Problem) -> Reply {
        let operation = try Coding.operation(try call.document()) { node throws(RepresentationError) in
            try Directors.Operation.decodeMoveElement(node, section: list.section, row: list.row)
        }
        try perform(call, [operation], body: .whole)
        return try answer(call) { Reply(body: $0.representation) }
    }

    mutating func swapElements(_ call: Call, of list: ElementList) throws(Problem) -> Reply {
        let operation = try Coding.operation(try call.document()) { node throws(RepresentationError) in
            try Directors.Operation.decodeSwapElements(node, section: list.section, row: list.row)
        }
        try perform(call, [operation], body: .whole)
        return try answer(call) { Reply(body: $0.representation) }
    }

    /// Replaces an element, or adds one under an identifier that is not there.
    mutating func putElement(_ call: Call, of list: ElementList) throws(Problem) -> Reply {
        let element = try ElementList.element(call)
        let there = try placeIfThere(element, of: list, in: director.working.list)
        let model = call.query["model"]
        let draft = try Coding.element(try call.document(), model: model)
        let at = call.query.place("at")
        let operation = Directors.Operation.setElement(
            section: list.section, row: list.row, element: element, draft, at: there == nil ? at : nil)
        let body: BodyPart = model == nil ? .value(at: "/value") : .bareValue("/value")
        guard let place = try perform(call, [operation], body: body, isThere: there != nil) else {
            preconditionFailure("an element that is put by itself says where it stands")
        }
        return try answer(call) { mutation in
            Reply(
                status: there == nil ? .created : .ok,
                body: Coding.encode(elementAt: place, in: mutation.director.working.list),
                location: there == nil ? mutation.location(ofElementAt: place) : nil)
        }
    }

    mutating func patchElement(_ call: Call, of list: ElementList) throws(Problem) -> Reply {
        let element = try ElementList.element(call)
        let patch: JSONDocument
        do {
            patch = try call.document()
        } catch {
            // That there is no such element comes before what is wrong with the body.
            _ = try place(element, of: list, in: director.working.list)
            throw error
        }
        let operation = Directors.Operation.patchElement(
            section: list.section, row: list.row, element: element, patch: ValueDraft(readingPatch: patch.root))
        guard let place = try perform(call, [operation], body: .value(at: "/patch")) else {
            preconditionFailure("a patch of one element says where it stands")
        }
        return try answer(call) { Reply(body: Coding.encode(elementAt: place, in: $0.director.working.list)) }
    }

    mutating func removeElement(_ call: Call, of list: ElementList) throws(Problem) -> Reply {
        let element = try ElementList.element(call)
        try perform(call, [.removeElement(section: list.section, row: list.row, element: element)])
        return noContent()
    }

    /// The place of an element; nil if its list exists and has no element of that identifier.
    private func placeIfThere(
        _ element: Address, of list: ElementList, in state: ListState
    ) throws(Problem) -> ElementPlace? {
        do {
            return try state.element(at: element, in: list.section, row: list.row).place
        } catch {
            guard case .notFound(.element, .identifier, _) = error.reason else { throw Problem(error, body: nil) }
            return nil
        }
    }
}
