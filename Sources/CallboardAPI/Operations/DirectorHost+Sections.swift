import Directors
import HTTPTypes
import JSONValues

extension DirectorHost {
    // MARK: Reading

    /// The state that a read asks for, with its entity tag.
    func state(_ call: Call) throws(Problem) -> (list: ListState, tag: String) {
        let version = call.query.integer("version")
        guard call.query["state"] == "published" else {
            guard version == nil else { throw .badRequest("`version` goes with `state=published`.") }
            return (director.working.list, tag)
        }
        guard let version else {
            return (history.newest.list, Preconditions.tag(version: history.newest.version))
        }
        guard let state = history.state(at: version) else { throw unknown(version) }
        return (state.list, Preconditions.tag(version: version))
    }

    /// The problem of a version that is not there: not yet, or no longer.
    func unknown(_ version: Int) -> Problem {
        let newest = history.newest.version
        return version > newest
            ? .notFound("Version \(version) has not been published; the newest is \(newest).")
            : .gone("Version \(version) is no longer retained; \(history.oldest) to \(newest) are.")
    }

    func listSections(_ call: Call) throws(Problem) -> Outcome {
        let (list, tag) = try state(call)
        return read(call, tag: tag) { Reply(body: Coding.page(list.sections, call.query)) }
    }

    func readSection(_ call: Call) throws(Problem) -> Outcome {
        let (list, tag) = try state(call)
        let section = try find(try call.address(1), in: list)
        return read(call, tag: tag) { Reply(body: Coding.encode(section, call.query)) }
    }

    /// Finds a section to read.
    func find(_ address: Address, in list: ListState) throws(Problem) -> Section {
        do {
            return try list.section(at: address).section
        } catch {
            throw Problem(error, body: nil)
        }
    }

    // MARK: Changing

    func setSections(_ call: Call) throws(Problem) -> Outcome {
        let body = try Coding.sections(try call.document())
        return try mutate(call, [.setSections(body.drafts)], body: body.part) { () throws(Problem) in
            Reply(body: Coding.page(director.working.list.sections, call.query))
        }
    }

    func addSections(_ call: Call) throws(Problem) -> Outcome {
        let body = try Coding.sections(try call.document())
        let place = call.query.integer("at")
        let before = director.working.list.sections.count
        let operation = Directors.Operation.addSections(body.drafts, at: place.map { .position($0) })
        return try mutate(call, [operation], body: body.part) { () throws(Problem) in
            let start = place ?? before
            let added = director.working.list.sections[start..<start + body.drafts.count]
            guard body.isSingle, let section = added.first else {
                return Reply(status: .created, body: Coding.list(added, call.query))
            }
            return Reply(
                status: .created, body: Coding.encode(section, call.query), location: location(of: section.identifier))
        }
    }

    func removeSections(_ call: Call) throws(Problem) -> Outcome {
        let operation: Directors.Operation =
            call.query.positions("at").map { .removeSections(at: $0.map { .position($0) }) } ?? .removeAllSections
        return try mutate(call, [operation]) { () throws(Problem) in .noContent(etag: nil) }
    }

    func moveSection(_ call: Call) throws(Problem) -> Outcome {
        let operation = try Coding.operation(try call.document(), Directors.Operation.decodeMoveSection)
        return try mutate(call, [operation], body: "") { () throws(Problem) in
            Reply(body: representation)
        }
    }

    func swapSections(_ call: Call) throws(Problem) -> Outcome {
        let operation = try Coding.operation(try call.document(), Directors.Operation.decodeSwapSections)
        return try mutate(call, [operation], body: "") { () throws(Problem) in
            Reply(body: representation)
        }
    }

    func putSection(_ call: Call) throws(Problem) -> Outcome {
        let address = try call.address(1)
        let draft = try Coding.section(try call.document())
        let before = director.working.list.counts.sections
        return try mutate(call, [.setSection(address, draft)], body: "/value") { () throws(Problem) in
            let isNew = director.working.list.counts.sections > before
            let section = try find(isNew ? .last : draft.identifier.map { .identifier($0) } ?? address)
            return Reply(
                status: isNew ? .created : .ok, body: Coding.encode(section, call.query),
                location: isNew ? location(of: section.identifier) : nil)
        }
    }

    func patchSection(_ call: Call) throws(Problem) -> Outcome {
        let address = try call.address(1)
        let position = try position(of: address)
        let patch = try call.document().root.value
        return try mutate(call, [.patchSection(address, patch: patch)], body: "/patch") { () throws(Problem) in
            Reply(body: Coding.encode(try find(.position(position)), call.query))
        }
    }

    func removeSection(_ call: Call) throws(Problem) -> Outcome {
        try mutate(call, [.removeSection(try call.address(1))]) { () throws(Problem) in .noContent(etag: nil) }
    }

    private func find(_ address: Address) throws(Problem) -> Section {
        try find(address, in: director.working.list)
    }

    /// A section's position in the working state.
    private func position(of address: Address) throws(Problem) -> Int {
        do {
            return try director.working.list.section(at: address).position
        } catch {
            throw Problem(error, body: nil)
        }
    }

    private func location(of section: String) -> String {
        Location.path("v1", "directors", name, "sections", Address.identifier(section).description)
    }
}

extension Call {
    /// A path parameter as an address.
    func address(_ index: Int) throws(Problem) -> Address {
        guard let address = Address(parsing: parameters[index]) else {
            throw .badRequest(
                "\"\(parameters[index])\" is no address: an identifier, or a position such as @0, @first, @last; "
                    + "an identifier that begins with @ is written with another @ before it.")
        }
        return address
    }
}
