import Directors
import HTTPTypes
import JSONValues
import ListDiff

extension Reading {
    func listRows(_ call: Call) throws(Problem) -> Reply {
        let (list, tag) = try state(call)
        let rows = try rows(of: try located(try call.address(1), in: list).position, in: list)
        return try answer(call, tag: tag) { Reply.page(rows, call.query) }
    }

    func readRow(_ call: Call) throws(Problem) -> Reply {
        let (list, tag) = try state(call)
        let place = try row(try call.address(2), in: try call.address(1), of: list)
        let section = list.sections[place.section].identifier
        return try answer(call, tag: tag) { Reply.row(place.row, in: section, at: place.position, call.query) }
    }

    /// `GET …/rows/{row}/index-paths`: where the row's elements are published (`indexPathsForRowConfiguration`).
    func listIndexPaths(_ call: Call) throws(Problem) -> Reply {
        let published = state.versions.newest
        let (section, row) = try rowNames(call, in: director.working.list)
        guard published.list.knows(section: section) || isWorking(call) else {
            throw .notFound("There is no row \(row.quoted) in a section \(section.quoted).")
        }
        let name = name
        return Reply.content(work: published.list.work(ofSection: section)) {
            var writer = JSONWriter()
            writer.beginObject()
            writer.member("director", name)
            writer.member("version", published.version)
            writer.key("indexPaths")
            writer.array { writer in
                for path in published.list.indexPaths(ofRow: row, in: section) {
                    writer.array { writer in
                        writer.int(path.section)
                        writer.int(path.element)
                    }
                }
            }
            writer.endObject()
            return writer.bytes
        }
    }

    /// Whether the working state has the row that the path names.
    private func isWorking(_ call: Call) -> Bool {
        (try? row(try call.address(2), in: try call.address(1), of: director.working.list)) != nil
    }
}

extension DirectorContext {
    /// The rows of a section.
    func rows(of section: Int, in list: ListState) throws(Problem) -> PersistentList<Row> {
        do {
            return try list.rows(inSectionAt: section)
        } catch {
            throw Problem(error, body: nil)
        }
    }

    /// Finds a row.
    func row(
        _ address: Address, in section: Address, of list: ListState
    ) throws(Problem) -> (section: Int, position: Int, row: Row) {
        do {
            return try list.row(at: address, in: section)
        } catch {
            throw Problem(error, body: nil)
        }
    }

    /// The identifiers of the section and the row that a path names; positions are those of the working state. A row
    /// that is removed from it and still published is named by identifiers only.
    func rowNames(_ call: Call, in list: ListState) throws(Problem) -> (section: String, row: String) {
        let (section, row) = (try call.address(1), try call.address(2))
        do {
            let place = try list.row(at: row, in: section)
            return (list.sections[place.section].identifier, place.row.identifier)
        } catch {
            guard case .identifier(let section) = section, case .identifier(let row) = row else {
                throw Problem(error, body: nil)
            }
            return (section, row)
        }
    }
}

extension Mutation {
    mutating func setRows(_ call: Call) throws(Problem) -> Reply {
        let section = try call.address(1)
        let body = try Coding.rows(try call.document(), within: director.limits)
        try perform(call, [.setRows(section: section, body.drafts)], body: body.part)
        return try answer(call) { mutation throws(Problem) in
            let list = mutation.director.working.list
            let position = try mutation.located(section, in: list).position
            return Reply.page(try mutation.rows(of: position, in: list), call.query)
        }
    }

    mutating func addRows(_ call: Call) throws(Problem) -> Reply {
        let section = try call.address(1)
        let body = try Coding.rows(try call.document(), within: director.limits)
        let place = call.query.place("at")
        let start = try insertion(at: place, in: section)
        try perform(call, [.addRows(section: section, body.drafts, at: place)], body: body.part)
        return try answer(call) { mutation throws(Problem) in
            let list = mutation.director.working.list
            let position = try mutation.located(section, in: list).position
            let added = try mutation.rows(of: position, in: list)[start..<start + body.drafts.count]
            guard body.isSingle, let row = added.first else { return Reply.added(added, call.query) }
            return Reply.row(
                row, in: list.sections[position].identifier, at: start, call.query, status: .created,
                location: mutation.location(ofRow: row.identifier, in: position))
        }
    }

    mutating func removeRows(_ call: Call) throws(Problem) -> Reply {
        let section = try call.address(1)
        let operation: Directors.Operation =
            call.query.addresses("at").map { .removeRows(section: section, at: $0) } ?? .removeAllRows(section: section)
        try perform(call, [operation])
        return noContent()
    }

    mutating func moveRow(_ call: Call) throws(Problem) -> Reply {
        let section = try call.address(1)
        let operation = try Coding.operation(try call.document()) { node throws(RepresentationError) in
            try Directors.Operation.decodeMoveRow(node, section: section)
        }
        try perform(call, [operation], body: .whole)
        return try answer(call) { Reply(body: $0.representation) }
    }

    mutating func swapRows(_ call: Call) throws(Problem) -> Reply {
        let section = try call.address(1)
        let operation = try Coding.operation(try call.document()) { node throws(RepresentationError) in
            try Directors.Operation.decodeSwapRows(node, section: section)
        }
        try perform(call, [operation], body: .whole)
        return try answer(call) { Reply(body: $0.representation) }
    }

    /// Replaces a row, or adds one under an identifier that is not there.
    mutating func putRow(_ call: Call) throws(Problem) -> Reply {
        let (section, address) = (try call.address(1), try call.address(2))
        let there = try positionIfThere(address, in: section)
        let draft = try Coding.row(try call.document(), within: director.limits)
        let at = call.query.place("at")
        let start = if let there { there } else { try insertion(at: at, in: section) }
        let operation = Directors.Operation.setRow(
            section: section, row: address, draft, at: there == nil ? at : nil)
        try perform(call, [operation], body: .value(at: "/value"), isThere: there != nil)
        return try answer(call) { mutation throws(Problem) in
            try mutation.answer(rowAt: start, in: section, call, isNew: there == nil)
        }
    }

    mutating func patchRow(_ call: Call) throws(Problem) -> Reply {
        let (section, address) = (try call.address(1), try call.address(2))
        let place = try row(address, in: section, of: director.working.list)
        let patch = try call.document().root.value
        try perform(call, [.patchRow(section: section, row: address, patch: patch)], body: .value(at: "/patch"))
        return try answer(call) { mutation throws(Problem) in
            try mutation.answer(rowAt: place.position, in: section, call, isNew: false)
        }
    }

    mutating func removeRow(_ call: Call) throws(Problem) -> Reply {
        try perform(call, [.removeRow(section: try call.address(1), row: try call.address(2))])
        return noContent()
    }

    private func answer(
        rowAt position: Int, in section: Address, _ call: Call, isNew: Bool
    ) throws(Problem) -> Reply {
        let list = director.working.list
        let place = try row(.position(position), in: section, of: list)
        return Reply.row(
            place.row, in: list.sections[place.section].identifier, at: position, call.query,
            status: isNew ? .created : .ok,
            location: isNew ? location(ofRow: place.row.identifier, in: place.section) : nil)
    }

    /// The position at which rows will be added.
    private func insertion(at place: Address?, in section: Address) throws(Problem) -> Int {
        do {
            return try director.working.list.insertion(ofRowsAt: place, in: section)
        } catch {
            throw Problem(error, body: nil)
        }
    }

    /// A row's position; nil where its section is there and no row of it has that identifier.
    private func positionIfThere(_ address: Address, in section: Address) throws(Problem) -> Int? {
        do {
            return try director.working.list.row(at: address, in: section).position
        } catch {
            guard case .notFound(.row, .identifier, _) = error.reason else { throw Problem(error, body: nil) }
            return nil
        }
    }
}
