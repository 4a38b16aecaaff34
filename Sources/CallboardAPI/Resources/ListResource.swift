import Directors
import HTTPTypes
import JSONValues

/// A list that a path names: how bodies bring its items in, and how answers show them.
///
/// The routes of sections, rows and elements are these steps; those that differ from list to list beyond that, `PUT` and
/// `PATCH` of one item, are in the resources' own files.
protocol ListResource: Sendable {
    associatedtype Draft: ListDraft
    /// The items of a state.
    associatedtype Items
    /// An item with where it stands.
    associatedtype Place

    /// The list.
    var list: EditedList { get }

    /// The operation that edits the list.
    func operation(_ edit: ListEdit<Draft>) -> Directors.Operation
    /// The items of a body.
    func drafts(_ call: Call, within limits: DirectorLimits) throws(Problem) -> Coding.Several<Draft>
    /// The items of a state, as it shows them.
    func items(of state: ListState) throws(DirectorError) -> Items
    /// Finds an item.
    func place(of address: Address, in state: ListState) throws(DirectorError) -> Place
    /// The path of an item.
    func location(of place: Place, in mutation: Mutation) -> String

    /// An item; a new one where its path is given.
    func reply(_ place: Place, in state: ListState, _ query: Query, newAt location: String?) -> Reply
    /// The page that a query asks for.
    func page(of items: Items, _ query: Query) -> Reply
    /// Items that were added.
    func added(_ positions: Range<Int>, to items: Items, _ query: Query) -> Reply
}

extension Problem {
    /// Finds what a path or a query names; what is wrong with that has no place in a body.
    static func found<Value>(_ find: @autoclosure () throws(DirectorError) -> Value) throws(Problem) -> Value {
        do {
            return try find()
        } catch {
            throw Problem(error, body: nil)
        }
    }
}

extension Reading {
    func list(_ call: Call, _ resource: some ListResource) throws(Problem) -> Reply {
        let (state, tag) = try state(call)
        let items = try Problem.found(try resource.items(of: state))
        return try answer(call, tag: tag) { resource.page(of: items, call.query) }
    }

    func read(_ call: Call, _ resource: some ListResource) throws(Problem) -> Reply {
        let (state, tag) = try state(call)
        let address = try call.item()
        let place = try Problem.found(try resource.place(of: address, in: state))
        return try answer(call, tag: tag) { resource.reply(place, in: state, call.query, newAt: nil) }
    }
}

extension Mutation {
    mutating func set(_ call: Call, _ resource: some ListResource) throws(Problem) -> Reply {
        let body = try resource.drafts(call, within: director.limits)
        try perform(call, [resource.operation(.set(body.drafts))], body: body.part)
        return try answer(call) { mutation throws(Problem) in
            resource.page(of: try mutation.items(of: resource), call.query)
        }
    }

    mutating func add(_ call: Call, _ resource: some ListResource) throws(Problem) -> Reply {
        let body = try resource.drafts(call, within: director.limits)
        let place = call.query.place("at")
        let start = try insertion(at: place, in: resource)
        try perform(call, [resource.operation(.add(body.drafts, at: place))], body: body.part)
        return try answer(call) { mutation throws(Problem) in
            if body.isSingle { return try mutation.reply(at: start, of: resource, call, isNew: true) }
            let positions = start..<start + body.drafts.count
            return resource.added(positions, to: try mutation.items(of: resource), call.query)
        }
    }

    mutating func removeSeveral(_ call: Call, _ resource: some ListResource) throws(Problem) -> Reply {
        let operation = resource.operation(call.query.addresses("at").map { .removeSeveral($0) } ?? .removeAll)
        try perform(call, [operation])
        return noContent()
    }

    mutating func remove(_ call: Call, _ resource: some ListResource) throws(Problem) -> Reply {
        try perform(call, [resource.operation(.remove(try call.item()))])
        return noContent()
    }

    /// Moves or exchanges items, as the body says.
    mutating func rearrange(_ call: Call, _ verb: ListVerb, _ list: EditedList) throws(Problem) -> Reply {
        let operation = try Coding.operation(try call.document(), verb, of: list)
        try perform(call, [operation], body: .whole)
        return try answer(call) { Reply(body: $0.representation) }
    }

    private func items<Resource: ListResource>(of resource: Resource) throws(Problem) -> Resource.Items {
        try Problem.found(try resource.items(of: director.working.list))
    }

    /// The position of the first item that is inserted at a place.
    func insertion(at place: Address?, in resource: some ListResource) throws(Problem) -> Int {
        try Problem.found(try director.working.list.insertion(at: place, in: resource.list))
    }

    /// The place of an item; nil if its list is there and no item of it has that identifier.
    func placeIfThere<Resource: ListResource>(
        _ address: Address, _ member: DirectorError.Member, of resource: Resource
    ) throws(Problem) -> Resource.Place? {
        do {
            return try resource.place(of: address, in: director.working.list)
        } catch {
            guard case .notFound(member, .identifier, _) = error.reason else { throw Problem(error, body: nil) }
            return nil
        }
    }

    /// The item at a position, as it is now.
    func reply(
        at position: Int, of resource: some ListResource, _ call: Call, isNew: Bool
    ) throws(Problem) -> Reply {
        let state = director.working.list
        let place = try Problem.found(try resource.place(of: .position(position), in: state))
        let location = isNew ? resource.location(of: place, in: self) : nil
        return resource.reply(place, in: state, call.query, newAt: location)
    }
}

extension Call {
    /// The address of the item that the path names, which is its last parameter.
    func item() throws(Problem) -> Address { try address(parameters.count - 1) }

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
