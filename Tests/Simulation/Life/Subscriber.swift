import DirectorLife
import Directors
import HTTPWire
import JSONValues

/// A client that shows a director: it applies what it is sent, and comes back with the version it has.
final class Subscriber {
    /// How many there are of one director.
    static let count = 2

    /// The node that it is connected to; nil while it is away.
    private(set) var node: Node?
    /// The life that it shows; nil before the first one.
    private(set) var life: Int?
    /// What it shows.
    private(set) var state = PublishedState(restoring: ListState(), version: 0)
    /// The definition that it shows.
    private(set) var shown = Model.Shown()
    /// How many definitions came before that one.
    private var definitions = 0

    /// Takes a snapshot of a node.
    func begin(at node: Node, _ stored: LifeState, _ model: Model) {
        self.node = node
        life = model.life
        state = stored.versions.newest
        define(model.shown, model)
    }

    /// Goes on where it was.
    ///
    /// - Parameter frames: What it missed. Some take that one by one, and some one changeset that spans it.
    func resume(at node: Node, _ stored: LifeState, _ model: Model, _ frames: [EventFrame]) throws {
        self.node = node
        guard let earlier = stored.versions.state(at: state.version) else {
            throw Violation("version \(state.version) is not retained")
        }
        try require(earlier.list.identifiers == model.versions[state.version], "a retained version is another one")
        if earlier.version % 2 == 0 {
            state = try state.applying(stored.director.change(from: earlier, to: stored.versions.newest))
        } else {
            for frame in frames {
                try apply(try .decode(JSONDocument(Array(frame.json)).root, for: stored.director), model)
            }
        }
        if let version = stored.definitionVersion, earlier.version <= version { define(model.shown, model) }
        try check(model)
    }

    /// Applies a version.
    func apply(_ change: PublishedChange, _ model: Model) throws {
        try require(change.epoch == model.epoch, "a version of another life is published")
        try require(change.from == state.version, "version \(change.from + 1) follows \(state.version)")
        state = try state.applying(change)
        try require(state.list.identifiers == model.versions[change.version], "a subscriber shows another list")
    }

    /// Takes another definition.
    func define(_ shown: Model.Shown, _ model: Model) {
        self.shown = shown
        definitions = model.definitions
    }

    /// Leaves, or is left.
    func disconnect() {
        node = nil
    }

    /// Checks that it shows what is published.
    ///
    /// From a node that is ahead it may bring a later definition than this one knows.
    func check(_ model: Model) throws(Violation) {
        try require(
            state.version == model.version, "a subscriber has version \(state.version) and not \(model.version)")
        try require(state.list.identifiers == model.versions[model.version], "a subscriber shows another list")
        try require(shown == model.shown || definitions > model.definitions, "a subscriber shows another definition")
    }
}

extension ListState {
    /// The identifiers of the elements, as numbers.
    var identifiers: [Int] {
        var found: [Int] = []
        for section in sections {
            for element in section.list { found.append(Int(element.identifier) ?? -1) }
        }
        return found
    }
}

extension Model.Shown {
    /// Reads the data of a `definition` event.
    init(reading frame: EventFrame) throws {
        let root = try JSONDocument(Array(frame.json)).root
        height = root["properties"]?["rowHeight"]?["explicit"]?.int ?? -1
        cells = Fixture.models.map { model in
            let adapter = root["adapters"]?.elements.first { $0["model"]?.string == model }
            return (adapter?["cell"]?.string?.dropFirst("Cell".count)).flatMap { Int($0) } ?? -1
        }
        events = Set(Fixture.events.indices.filter { root["scrollEvents"]?[Fixture.events[$0]] != nil })
    }
}
