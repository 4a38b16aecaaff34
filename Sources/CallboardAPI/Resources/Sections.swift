import Directors
import HTTPTypes
import JSONValues

extension Reading {
    func listSections(_ call: Call) throws(Problem) -> Reply {
        let (list, tag) = try state(call)
        return try answer(call, tag: tag) { Reply.page(list.sections, call.query) }
    }

    func readSection(_ call: Call) throws(Problem) -> Reply {
        let (list, tag) = try state(call)
        let section = try find(try call.address(1), in: list)
        return try answer(call, tag: tag) { Reply.section(section, call.query) }
    }
}

extension Mutation {
    mutating func setSections(_ call: Call) throws(Problem) -> Reply {
        let body = try Coding.sections(try call.document(), within: director.limits)
        try perform(call, [.setSections(body.drafts)], body: body.part)
        return try answer(call) { Reply.page($0.director.working.list.sections, call.query) }
    }

    mutating func addSections(_ call: Call) throws(Problem) -> Reply {
        let body = try Coding.sections(try call.document(), within: director.limits)
        let place = call.query.place("at")
        let start: Int
        do {
            start = try director.working.list.insertion(ofSectionsAt: place)
        } catch {
            throw Problem(error, body: nil)
        }
        try perform(call, [.addSections(body.drafts, at: place)], body: body.part)
        return try answer(call) { mutation in
            let added = mutation.director.working.list.sections[start..<start + body.drafts.count]
            guard body.isSingle, let section = added.first else {
                return Reply.added(added, call.query)
            }
            return Reply.section(
                section, call.query, status: .created, location: mutation.location(ofSection: start))
        }
    }

    mutating func removeSections(_ call: Call) throws(Problem) -> Reply {
        try perform(call, [call.query.addresses("at").map { .removeSections(at: $0) } ?? .removeAllSections])
        return noContent()
    }

    mutating func moveSection(_ call: Call) throws(Problem) -> Reply {
        let operation = try Coding.operation(try call.document(), Directors.Operation.decodeMoveSection)
        try perform(call, [operation], body: .whole)
        return try answer(call) { Reply(body: $0.representation) }
    }

    mutating func swapSections(_ call: Call) throws(Problem) -> Reply {
        let operation = try Coding.operation(try call.document(), Directors.Operation.decodeSwapSections)
        try perform(call, [operation], body: .whole)
        return try answer(call) { Reply(body: $0.representation) }
    }

    mutating func putSection(_ call: Call) throws(Problem) -> Reply {
        let address = try call.address(1)
        let draft = try Coding.section(try call.document(), within: director.limits)
        let there = try positionIfThere(of: address)
        try perform(call, [.setSection(address, draft)], body: .value(at: "/value"), isThere: there != nil)
        return try answer(call) { mutation in
            let sections = mutation.director.working.list.sections
            let position = there ?? sections.count - 1
            return Reply.section(
                sections[position], call.query, status: there == nil ? .created : .ok,
                location: there == nil ? mutation.location(ofSection: position) : nil)
        }
    }

    mutating func patchSection(_ call: Call) throws(Problem) -> Reply {
        let address = try call.address(1)
        let position = try located(address, in: director.working.list).position
        let patch = try call.document().root.value
        try perform(call, [.patchSection(address, patch: patch)], body: .value(at: "/patch"))
        return try answer(call) {
            Reply.section($0.director.working.list.sections[position], call.query)
        }
    }

    mutating func removeSection(_ call: Call) throws(Problem) -> Reply {
        try perform(call, [.removeSection(try call.address(1))])
        return noContent()
    }

    /// A section's position in the working state; nil where no section has that identifier.
    private func positionIfThere(of address: Address) throws(Problem) -> Int? {
        do {
            return try director.working.list.section(at: address).position
        } catch {
            guard case .notFound(.section, .identifier, _) = error.reason else { throw Problem(error, body: nil) }
            return nil
        }
    }
}

extension Call {
    /// A path parameter as an address.
    func address(_ index: Int) throws(Problem) -> Address {
        guard let address = Address(parsing: parameters[index]) else {
            throw .badRequest(
                "\(parameters[index].quoted) is no address: an identifier, or a position such as @0, @first, @last; "
                    + "an identifier that begins with @ is written with another @ before it.")
        }
        return address
    }
}
