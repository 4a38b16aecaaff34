import DirectorLife
import Directors
import JSONValues

/// The directors of a simulation, and what commands do to them.
enum Fixture {
    /// So few versions are kept that some subscribers come too late.
    static let retention = VersionRetention(count: 3, bytes: 1 << 20)
    /// What commands set variables to and append, by number. There are more than a history has steps.
    static let values = (0..<64).map { (name: "\($0)", value: JSONValue(string: "\($0)")) }
    /// The section that all elements are in.
    static let section = Address.identifier("s")
    /// The events that hooks are on.
    static let events = ["didScroll", "didZoom"]
    /// The models that no element has, whose adapters are replaced.
    static let models = ["A", "B"]

    /// Directors with their adapters, made once.
    private static let empty = ["d", "f"].map { (name: $0, director: director(name: $0, epoch: "e0")) }

    /// The record that creates the first life of a name, made once.
    static let firstRecord = LifeRecord(director: "d", epoch: "e0", number: 1, entries: creating(life: 0).draft.entries)

    /// The first life of a name once it is created, made once.
    static let firstState: LifeState = {
        do {
            return try LifeState(following: firstRecord, retention: retention)
        } catch {
            fatalError("the first record cannot be performed: \(error)")
        }
    }()

    /// A life after its first record. Most histories have the same first one, so that this is not made again.
    static func state(following record: LifeRecord) throws -> LifeState {
        record.epoch == firstRecord.epoch
            ? firstState : try LifeState(following: record, retention: retention)
    }

    /// Begins a life, and the command that creates the director.
    ///
    /// - Parameters:
    ///   - number: Which life.
    ///   - name: The director's name: `d` or `f`.
    static func creating(life number: Int, of name: String = "d") -> (life: DirectorLife, draft: LifeDraft) {
        guard let empty = empty.first(where: { $0.name == name })?.director else {
            fatalError("no director is called \(name)")
        }
        let life = DirectorLife(creating: empty.restored(epoch: "e\(number)"), retention: retention)
        var draft = life.draft()
        draft.create()
        do {
            try draft.perform([.sections(.add([SectionDraft(identifier: "s")]))])
        } catch {
            fatalError("a section is refused: \(error)")
        }
        _ = try? draft.publish(nil)
        return (life, draft)
    }

    private static func director(name: String, epoch: String) -> Director {
        var director = Director(name: name, epoch: epoch, properties: properties(height: 0))
        do {
            for adapter in [CellAdapter(model: "M", cell: "Cell"), adapter(0, cell: 0), adapter(1, cell: 0)] {
                try director.register(adapter)
            }
        } catch {
            fatalError("an adapter is refused: \(error)")
        }
        return director
    }

    static func properties(height: Int) -> DirectorProperties {
        var properties = TableProperties()
        properties.rowHeight = .explicit(Double(height))
        return .table(properties)
    }

    static func adapter(_ model: Int, cell: Int) -> CellAdapter {
        CellAdapter(model: models[model], cell: "Cell\(cell)")
    }

    static func hook(_ target: Int) -> EventHook {
        EventHook(url: urls[target], secrets: [])
    }

    /// The name that a command is given: a few commands have none, and some share one.
    static func cause(ofCommand number: Int) -> String? {
        number % 3 == 0 ? nil : "c\(number % 7)"
    }

    private static let urls = ["http://a/", "http://b/"].map { text in
        do {
            return try HookURL(parsing: text)
        } catch {
            fatalError("an address is refused: \(error)")
        }
    }
}

extension LifeDraft {
    /// Does what a command does, as far as it needs no more than a draft.
    mutating func perform(_ command: Command, number: Int) throws(DirectorError) {
        let (name, value) = Fixture.values[number]
        let setVariable = Directors.Operation.setVariable(name: name, value: value)
        let element = ElementDraft(model: "M", value: value)
        let addElement = Directors.Operation.elements(of: .section(Fixture.section), .add([element]))
        switch command {
        case .set: try perform([setVariable])
        case .append(let isReloaded):
            try perform([setVariable, addElement])
            if isReloaded { _ = try publish(nil, isEncoded: number % 2 == 0) }
        case .reload: _ = try publish(nil)
        case .setHeight(let height): define { $0.redefine(Fixture.properties(height: height)) }
        case .register(let cell): try register([Fixture.adapter(0, cell: cell)])
        case .registerTwo(let cell): try register([Fixture.adapter(0, cell: cell), Fixture.adapter(1, cell: cell)])
        case .registerByOperation(let cell): try perform([.setAdapter(Fixture.adapter(1, cell: cell))])
        case .batch(let cell):
            try perform(batch: [.setAdapter(Fixture.adapter(0, cell: cell)), addElement])
            _ = try publish(nil)
        case .setHook(let event, let target): try setHook(event, target)
        case .setTwoHooks(let target):
            try setHook(0, target)
            try setHook(1, target)
        case .removeHook(let event): try removeHook(event)
        case .failingBatch: try perform(batch: [setVariable, .sections(.remove(.identifier("none")))])
        case .refresh: _ = announce(.refresh(director: director.name, version: published.version, elements: nil))
        case .delete: delete()
        case .nothing, .create: break
        }
    }

    private mutating func register(_ adapters: [CellAdapter]) throws(DirectorError) {
        try define { director throws(DirectorError) in
            try director.register(adapters.map { (adapter: $0, hooks: nil) })
        }
    }

    private mutating func setHook(_ event: Int, _ target: Int) throws(DirectorError) {
        try define { director throws(DirectorError) in
            try director.setHook(Fixture.hook(target), on: Fixture.events[event], at: .scroll)
        }
    }

    private mutating func removeHook(_ event: Int) throws(DirectorError) {
        guard director.hooks[.scroll, Fixture.events[event]] != nil else { return }
        try define { director throws(DirectorError) in
            try director.removeHook(on: Fixture.events[event], at: .scroll)
            return true
        }
    }
}
