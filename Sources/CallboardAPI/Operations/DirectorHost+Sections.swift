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
            return (history.newest.list, Preconditions.tag(epoch: epoch, version: history.newest.version))
        }
        guard let state = history.state(at: version) else { throw unknown(version) }
        return (state.list, Preconditions.tag(epoch: epoch, version: version))
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
        return try read(call, tag: tag) { Reply(body: Coding.page(list.sections, call.query)) }
    }

    func readSection(_ call: Call) throws(Problem) -> Outcome {
        let (list, tag) = try state(call)
        let section = try find(try call.address(1), in: list)
        return try read(call, tag: tag) { Reply(body: Coding.encode(section, call.query)) }
    }

    /// Finds a section to read.
    func find(_ address: Address, in list: ListState) throws(Problem) -> Section {
        try located(address, in: list).section
    }

    /// Finds a section and its position.
    func located(_ address: Address, in list: ListState) throws(Problem) -> (position: Int, section: Section) {
        do {
            return try list.section(at: address)
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
        let place = call.query.place("at")
        let start: Int
        do {
            start = try director.working.list.insertion(ofSectionsAt: place)
        } catch {
            throw Problem(error, body: nil)
        }
        let operation = Directors.Operation.addSections(body.drafts, at: place)
        return try mutate(call, [operation], body: body.part) { () throws(Problem) in
            let added = director.working.list.sections[start..<start + body.drafts.count]
            guard body.isSingle, let section = added.first else {
                return Reply(status: .created, body: Coding.list(added, call.query))
            }
            return Reply(
                status: .created, body: Coding.encode(section, call.query), location: location(ofSection: start))
        }
    }

    func removeSections(_ call: Call) throws(Problem) -> Outcome {
        let operation: Directors.Operation =
            call.query.addresses("at").map { .removeSections(at: $0) } ?? .removeAllSections
        return try mutate(call, [operation]) { () throws(Problem) in .noContent(etag: nil) }
    }

    func moveSection(_ call: Call) throws(Problem) -> Outcome {
        let operation = try Coding.operation(try call.document(), Directors.Operation.decodeMoveSection)
        return try mutate(call, [operation], body: .whole) { () throws(Problem) in
            Reply(body: representation)
        }
    }

    func swapSections(_ call: Call) throws(Problem) -> Outcome {
        let operation = try Coding.operation(try call.document(), Directors.Operation.decodeSwapSections)
        return try mutate(call, [operation], body: .whole) { () throws(Problem) in
            Reply(body: representation)
        }
    }

    func putSection(_ call: Call) throws(Problem) -> Outcome {
        let address = try call.address(1)
        let draft = try Coding.section(try call.document())
        let there = try positionIfThere(of: address)
        let operation = Directors.Operation.setSection(address, draft)
        return try mutate(call, [operation], body: .value(at: "/value"), isThere: there != nil) { () throws(Problem) in
            let position = there ?? director.working.list.sections.count - 1
            return Reply(
                status: there == nil ? .created : .ok,
                body: Coding.encode(director.working.list.sections[position], call.query),
                location: there == nil ? location(ofSection: position) : nil)
        }
    }

    func patchSection(_ call: Call) throws(Problem) -> Outcome {
        let address = try call.address(1)
        let position = try located(address, in: director.working.list).position
        let patch = try call.document().root.value
        return try mutate(call, [.patchSection(address, patch: patch)], body: .value(at: "/patch")) {
            () throws(Problem) in
            Reply(body: Coding.encode(director.working.list.sections[position], call.query))
        }
    }

    func removeSection(_ call: Call) throws(Problem) -> Outcome {
        try mutate(call, [.removeSection(try call.address(1))]) { () throws(Problem) in .noContent(etag: nil) }
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

    /// The path of a section: by its identifier, or by its position where another one shares that.
    func location(ofSection position: Int) -> String {
        let address = director.working.list.address(ofSection: position)
        return Location.path("v1", "directors", name, "sections", address.description)
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
