import ListDiff

/// Why a director did not do what it was asked to. Nothing has changed then.
package struct DirectorError: Error, Hashable, Sendable {
    /// What is wrong.
    package enum Reason: Hashable, Sendable {
        /// There is no such section or element to read, replace or remove; `count` are there.
        case notFound(Member, Address, count: Int)
        /// No section or element can be inserted at, moved from or moved to this place; `count` are there.
        case invalidPlace(Member, Address, count: Int)
        /// The identifier stands for several sections, or for several elements of a section: the first positions, one more
        /// than an error names.
        case ambiguous(Member, identifier: String, positions: [Int])
        /// The request's content is invalid.
        case refused([Fault])
        /// No adapter is registered for this model.
        case adapterNotFound(model: String)
        /// Elements of this model are there: the first ones, how many, and in which state.
        case adapterInUse(model: String, at: [ElementPath], total: Int, state: StateName)
        /// No header or footer adapter is registered for this view.
        case viewNotFound(view: String)
        /// Sections show this view: their positions, and in which state.
        case viewInUse(view: String, sections: [Int], state: StateName)
        /// There is no variable of this name.
        case variableNotFound(name: String)
        /// The hooks' level has no event of this name.
        case eventUnknown(String, EventSource)
        /// No hook is registered on this event.
        case hookNotFound(event: String)
        /// Elements were addressed in a section of rows, or in a row that has none.
        case elementsElsewhere(RowPlacement)
        /// Rows were addressed in a section of elements, at this position.
        case noRows(section: Int)
        /// A row of this identifier is in the section already, at this position.
        case rowExists(identifier: String, at: Int)
        /// Several elements of this model would have this identifier, which its adapter says is unique; the first two.
        case duplicate(model: String, identifier: String, at: [ElementPath])
        /// The director would hold more than it may.
        case limitExceeded(Bound, limit: Int)
        /// The command takes longer than its turn on the loop; see `Director.turnBound`.
        case longerThanTurn
        /// The content is a view of another director's, which has to be changed in its place.
        case derived(from: String)
    }

    /// The place of the elements of a section of rows, which an operation has looked for in the section itself.
    package enum RowPlacement: Hashable, Sendable {
        /// In these rows: the first few of so many model rows.
        case inRows([String], total: Int)
        /// Nowhere: this row is a constant one.
        case constantRow(String)
    }

    /// What an address stands for.
    package enum Member: String, Hashable, Sendable {
        /// A section of the list.
        case section
        /// A row of a section.
        case row
        /// An element of a section or row.
        case element

        /// The member of an operation that names one.
        var pointer: String {
            switch self {
            case .section: "/section"
            case .row: "/row"
            case .element: "/element"
            }
        }
    }

    /// Which of a director's states is meant.
    package enum StateName: String, Hashable, Sendable {
        /// The one that operations change.
        case working
        /// The one that subscribers show.
        case published
    }

    /// The countable parts of a director, each with a limit.
    package enum Bound: String, Hashable, Sendable {
        /// Sections of the list.
        case sections
        /// Elements of all sections together.
        case elements
        /// Rows of all sections together.
        case rows
        /// Variables.
        case variables
        /// Cell adapters, or header and footer adapters.
        case adapters
        /// Event hooks.
        case hooks
    }

    /// The kind of error for the client.
    package enum Category: Hashable, Sendable {
        /// The requested object is not there (404).
        case notFound
        /// The state that things are in forbids it (409).
        case conflict
        /// The request's content is invalid (422).
        case invalid
        /// A limit forbids it (507).
        case limit
        /// Nothing forbids it, and it is to be done elsewhere than on a loop.
        case turn
    }

    /// What is wrong.
    package var reason: Reason

    /// The place in the operation that it is about, as a JSON pointer on the operation's JSON form: `/element`.
    package var pointer: String

    /// The position of the operation among those that were to be performed together; nil outside of a batch.
    package var operation: Int?

    /// Names what is wrong and where.
    package init(_ reason: Reason, pointer: String = "", operation: Int? = nil) {
        self.reason = reason
        self.pointer = pointer
        self.operation = operation
    }

    /// Names one fault of what a request brings in.
    init(refusing detail: String, at pointer: String) {
        self.init(.refused([Fault(pointer: pointer, detail: detail)]), pointer: pointer)
    }

    /// The kind of error.
    package var category: Category {
        switch reason {
        case .notFound, .adapterNotFound, .viewNotFound, .variableNotFound, .eventUnknown, .hookNotFound: .notFound
        case .ambiguous, .adapterInUse, .viewInUse, .elementsElsewhere, .noRows, .rowExists, .duplicate,
            .derived:
            .conflict
        case .invalidPlace, .refused: .invalid
        case .limitExceeded: .limit
        case .longerThanTurn: .turn
        }
    }

    /// Whether an identifier is there that is unique: a conflict with something in the body.
    package var isDuplicate: Bool {
        if case .duplicate = reason { true } else { false }
    }

    /// Whether the director is a view, whose content is not its own.
    package var isOfView: Bool {
        if case .derived = reason { true } else { false }
    }

    /// Everything that is wrong, with pointers on the operation; at least one fault.
    package var faults: [Fault] {
        if case .refused(let faults) = reason { return faults }
        return [Fault(pointer: pointer, detail: sentence)]
    }

    /// The fault in words, with the position of the operation if there are several.
    package var detail: String {
        operation.map { "operation \($0): \(sentence)" } ?? sentence
    }
}

extension DirectorError {
    /// The error with other pointers, for a body that holds only a part of the operation.
    ///
    /// - Parameter moved: The translation of a pointer on the operation's JSON form.
    package func mappingPointers(_ moved: (String) -> String) -> DirectorError {
        var error = self
        error.pointer = moved(pointer)
        if case .refused(let faults) = reason {
            error.reason = .refused(faults.map { Fault(pointer: moved($0.pointer), detail: $0.detail) })
        }
        return error
    }

    /// The error with the beginning of its pointers replaced; pointers that begin otherwise stay.
    func movingPointers(from prefix: String, to other: String) -> DirectorError {
        mappingPointers { pointer in
            guard pointer == prefix || pointer.hasPrefix(prefix + "/") else { return pointer }
            return other + pointer.dropFirst(prefix.count)
        }
    }
}

extension DirectorError: CustomStringConvertible {
    /// The detail.
    package var description: String {
        detail
    }
}

extension DirectorError {
    private var sentence: String {
        switch reason {
        case .notFound(let member, let address, let count):
            "there is no \(member.rawValue) \(address.shown); \(DirectorError.range(member, count))"
        case .invalidPlace(let member, let address, let count):
            "there is no place \(address.shown) for this \(member.rawValue); \(DirectorError.range(member, count))"
        case .ambiguous(let member, let identifier, let positions):
            "the identifier \(identifier.quoted) stands for \(DirectorError.number(positions)) "
                + (member == .section ? "sections" : "\(member.rawValue)s of the section") + ", at "
                + DirectorError.first(positions) + "; use a position"
        case .refused(let faults):
            faults.map(\.description).joined(separator: "; ")
        case .adapterNotFound(let model):
            "no cell adapter is registered for the model \(model.quoted)"
        case .adapterInUse(let model, let paths, let total, let state):
            "\(total) elements of the \(state.rawValue) state have the model \(model.quoted), at "
                + DirectorError.list(paths.map(\.description), total: total) + "; "
                + (state == .working ? "remove them first" : "reload first")
        case .viewNotFound(let view):
            "no header/footer adapter is registered for the view \(view.quoted)"
        case .viewInUse(let view, let sections, let state):
            "sections of the \(state.rawValue) state show the view \(view.quoted), at "
                + DirectorError.list(sections.map { "@\($0)" }) + "; "
                + (state == .working ? "change them first" : "reload first")
        case .variableNotFound(let name):
            "there is no variable \(name.quoted)"
        case .eventUnknown(let name, let source): EventCatalog.unknown(name, of: source)
        case .hookNotFound(let event):
            "no hook is registered on the event \(event)"
        case .elementsElsewhere(.inRows(let rows, let total)):
            "the section has rows, and its elements are those of its model rows"
                + (rows.isEmpty ? ", of which there is none" : ": " + DirectorError.list(rows, total: total))
                + "; address them by section and row"
        case .elementsElsewhere(.constantRow(let row)):
            "the row \(row.quoted) is constant and has no elements; its value is its own"
        case .noRows(let section):
            "the section at @\(section) has elements, not rows; set its rows first, which removes its elements"
        case .duplicate(let model, let identifier, let paths):
            "the adapter of the model \(model.quoted) requires unique identifiers, and the identifier "
                + "\(identifier.quoted) would be at " + DirectorError.list(paths.map(\.description))
        case .rowExists(let identifier, let position):
            "the section has a row \(identifier.quoted) already, at @\(position); a row's id is unique in its section"
        case .limitExceeded(let bound, let limit):
            "a director holds at most \(limit) \(bound.rawValue)"
        case .longerThanTurn:
            "it takes longer than a turn on the loop"
        case .derived(let source):
            "the director is a view of \(source.quoted), and its content follows from that one; change \(source.quoted)"
        }
    }

    private static func range(_ member: Member, _ count: Int) -> String {
        switch count {
        case 0: "there are no \(member.rawValue)s"
        case 1: "there is one \(member.rawValue), @0"
        default: "there are \(count) \(member.rawValue)s, @0 to @\(count - 1)"
        }
    }

    /// How many positions there are, as far as they were sought.
    private static func number(_ positions: [Int]) -> String {
        positions.count > Fault.limit ? "more than \(Fault.limit)" : String(positions.count)
    }

    /// The first positions of those that were sought.
    private static func first(_ positions: [Int]) -> String {
        let shown = positions.prefix(Fault.limit).map { "@\($0)" }.joined(separator: ", ")
        return positions.count > Fault.limit ? shown + " and more" : shown
    }

    /// The first places of a list that may be long.
    private static func list(_ places: [String], total: Int? = nil) -> String {
        let more = (total ?? places.count) - min(places.count, Fault.limit)
        let shown = places.prefix(Fault.limit).joined(separator: ", ")
        return more > 0 ? "\(shown) and \(more) more" : shown
    }
}
