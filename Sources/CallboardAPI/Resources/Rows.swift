import Directors
import HTTPTypes
import JSONValues
import ListDiff

/// The rows of a section.
struct RowResource: ListResource {
    let section: Address

    var list: EditedList { .rows(of: section) }

    func operation(_ edit: ListEdit<RowDraft>) -> Directors.Operation { .rows(of: section, edit) }

    func drafts(_ call: Call, within limits: DirectorLimits) throws(Problem) -> Coding.Several<RowDraft> {
        try Coding.rows(try call.document(), within: limits)
    }

    func place(
        of address: Address, in state: ListState
    ) throws(DirectorError) -> (section: Int, position: Int, row: Row) {
        try state.row(at: address, in: section)
    }

    func location(of place: (section: Int, position: Int, row: Row), in mutation: Mutation) -> String {
        mutation.location(ofRow: place.row.identifier, in: place.section)
    }

    func reply(
        _ place: (section: Int, position: Int, row: Row), in state: ListState, _ query: Query, newAt location: String?
    ) -> Reply {
        .row(
            place.row, in: state.sections[place.section].identifier, at: place.position, query,
            status: location == nil ? .ok : .created, location: location)
    }

    func items(of state: ListState) throws(DirectorError) -> PersistentList<Row> {
        try state.rows(inSectionAt: try state.section(at: section).position)
    }

    func page(of rows: PersistentList<Row>, _ query: Query) -> Reply { .page(rows, query) }

    func added(_ positions: Range<Int>, to rows: PersistentList<Row>, _ query: Query) -> Reply {
        .added(rows[positions], query)
    }
}

extension Reading {
    /// `GET …/rows/{row}/index-paths`: where the row's elements are published (`indexPathsForRowConfiguration`).
    func listIndexPaths(_ call: Call) throws(Problem) -> Reply {
        let published = state.versions.newest
        let (section, row) = try rowNames(call, in: director.working.list)
        guard published.list.knows(section: section) || isWorking(call) else {
            throw .notFound("There is no row \(row.quoted) in a section \(section.quoted).")
        }
        let name = name
        return Reply.content(work: published.list.work(ofSection: section)) {
            IndexPathList(
                director: name, version: published.version,
                paths: Array(published.list.indexPaths(ofRow: row, in: section))
            ).encoded
        }
    }

    /// Whether the working state has the row that the path names.
    private func isWorking(_ call: Call) -> Bool {
        (try? row(try call.address(2), in: try call.address(1), of: director.working.list)) != nil
    }
}

extension DirectorContext {
    /// Finds a row.
    func row(
        _ address: Address, in section: Address, of list: ListState
    ) throws(Problem) -> (section: Int, position: Int, row: Row) {
        try Problem.found(try list.row(at: address, in: section))
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

    /// The identifier of the section that a path names, there or not.
    ///
    /// - Throws: That there is no section at a position.
    func sectionName(_ call: Call, in list: ListState) throws(Problem) -> String {
        let address = try call.address(1)
        if case .identifier(let section) = address { return section }
        do {
            return try list.section(at: address).section.identifier
        } catch {
            throw Problem(error, body: nil)
        }
    }
}

extension Mutation {
    /// Replaces a row, or adds one under an identifier that is not there.
    mutating func putRow(_ call: Call, _ resource: RowResource) throws(Problem) -> Reply {
        let address = try call.item()
        let there = try placeIfThere(address, .row, of: resource)?.position
        let draft = try Coding.row(try call.document(), within: director.limits)
        let at = call.query.place("at")
        let start = if let there { there } else { try insertion(at: at, in: resource) }
        let operation = resource.operation(.put(address, draft, at: there == nil ? at : nil))
        try perform(call, [operation], body: .value(at: "/value"), isThere: there != nil)
        return try answer(call) { mutation throws(Problem) in
            try mutation.reply(at: start, of: resource, call, isNew: there == nil)
        }
    }

    mutating func patchRow(_ call: Call, _ resource: RowResource) throws(Problem) -> Reply {
        let address = try call.item()
        let place = try row(address, in: resource.section, of: director.working.list)
        let patch = ValueDraft(readingPatch: try call.document().root)
        try perform(call, [resource.operation(.patch(address, patch))], body: .value(at: "/patch"))
        return try answer(call) { mutation throws(Problem) in
            try mutation.reply(at: place.position, of: resource, call, isNew: false)
        }
    }
}

/// The published places of the elements of a row.
struct IndexPathList: AnswerObject {
    let director: String
    let version: Int
    let paths: [ElementPath]

    static let form = AnswerForm<Self>(
        AnswerField("director") { $0.director },
        AnswerField("version") { $0.version },
        AnswerField("indexPaths") { $0.paths })
}

extension ElementPath: AnswerValue {
    package static var schema: JSONSchema { .reference("IndexPath") }
    package func write(to writer: inout JSONWriter) { writer.path(self) }
}
