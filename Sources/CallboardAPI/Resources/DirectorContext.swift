import DirectorLife
import Directors
import JSONValues
import ListDiff

/// A director from a request's point of view: the stored state, or the state after the command's steps so far.
protocol DirectorContext {
    /// The director.
    var director: Director { get }
    /// The view that the path names, where the request is about the view's own hooks; nil for every other request.
    var view: ViewLife? { get }
}

extension DirectorContext {
    /// The director's name.
    var name: String { director.name }
    /// Which life of that name.
    var epoch: String { director.epoch }

    /// The director's JSON form.
    var representation: [UInt8] { Coding.encode(director) }

    /// Finds a section to read or to show.
    func find(_ address: Address, in list: ListState) throws(Problem) -> Section {
        try located(address, in: list).section
    }

    /// Finds a section and its position.
    func located(_ address: Address, in list: ListState) throws(Problem) -> (position: Int, section: Section) {
        try Problem.found(try list.section(at: address))
    }

    /// The path of a section: by its identifier, or by its position where another one shares that.
    func location(ofSection position: Int) -> String {
        let address = director.working.list.address(ofSection: position)
        return Location.path("v1", "directors", name, "sections", address.description)
    }

    /// The path of a row.
    func location(ofRow identifier: String, in section: Int) -> String {
        location(ofSection: section) + Location.path("rows", Address.identifier(identifier).description)
    }

    /// The path of an element.
    func location(ofElementAt place: ElementPlace) -> String {
        let state = director.working.list
        let section = place.list.section
        let row = place.list.row.flatMap { state.sections[section].rows?[$0].identifier }
        let owner = row.map { location(ofRow: $0, in: section) } ?? location(ofSection: section)
        return owner + Location.path("elements", state.address(ofElementAt: place).description)
    }

    /// The place of the hooks of a level that the path names: in the director, or at the view.
    func placed(_ level: HookLevel) -> HookLevel { view.map { .viewed($0, level) } ?? level }

    /// Names one of this life's hooks.
    func address(_ level: HookLevel, _ event: String) -> HookAddress {
        HookAddress(director: name, epoch: epoch, level: level, event: event)
    }
}
