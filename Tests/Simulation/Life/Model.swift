/// What a director has to be, as integers and sets.
struct Model: Equatable {
    /// What subscribers are shown besides the list.
    struct Shown: Equatable {
        /// The height of rows.
        var height = 0
        /// The cells of the two models that no element has.
        var cells = [0, 0]
        /// The events that have a hook.
        var events: Set<Int> = []
    }

    /// Which life of the name.
    let life: Int
    /// The number of accepted mutations: registering the adapters and the first section is four.
    var revision = 4
    /// The variables, each named after a command.
    var variables: Set<Int> = []
    /// The elements, each named after a command.
    var items: [Int] = []
    /// The definition as subscribers see it.
    var shown = Shown()
    /// The targets of hooks by event.
    var hooks: [Int: Int] = [:]
    /// The elements of each version; the first has no section, the second an empty one.
    var versions: [[Int]] = [[], []]
    /// The names of commands that each version is the first to show.
    var shownCauses: [[String]] = [[], []]
    /// The names of commands that no version shows yet.
    var causes: [String] = []
    /// The name of the command that is carried out, until it has changed something.
    private var cause: String?
    /// The version at which subscribers were last shown another definition.
    var definitionVersion: Int?
    /// How often the definition was shown anew.
    var definitions = 0
    /// Whether the director is deleted.
    var isDeleted = false

    /// The number of the newest version.
    var version: Int { versions.count - 1 }
    /// The name of the life.
    var epoch: String { "e\(life)" }
    /// The oldest version that can be resumed from.
    var oldest: Int { max(0, versions.count - Fixture.retention.count) }

    /// The names of the commands that the newest version shows and an earlier one does not, each at its last place.
    func causes(after version: Int) -> [String] {
        let all = shownCauses[(version + 1)...].joined().reversed()
        var found: [String] = []
        for cause in all where !found.contains(cause) { found.append(cause) }
        return found.reversed()
    }

    init(life: Int) {
        self.life = life
    }

    /// Does what a command does, and names it.
    ///
    /// - Parameter number: The number of the command.
    /// - Returns: Whether there is anything to store.
    mutating func perform(_ command: Command, number: Int) -> Bool {
        cause = Fixture.cause(ofCommand: number)
        defer { cause = nil }
        return carryOut(command, number: number)
    }

    private mutating func carryOut(_ command: Command, number: Int) -> Bool {
        switch command {
        case .set: mutate { $0.variables.insert(number) }
        case .append(let isReloaded): append(number, isReloaded: isReloaded)
        case .reload: return reload()
        case .setHeight(let height):
            guard shown.height != height else { return false }
            mutate { $0.shown.height = height }
        case .register(let cell):
            guard shown.cells[0] != cell else { return false }
            mutate { $0.shown.cells[0] = cell }
        case .registerTwo(let cell):
            guard shown.cells != [cell, cell] else { return false }
            mutate { $0.shown.cells = [cell, cell] }
        case .registerByOperation(let cell): mutate { $0.shown.cells[1] = cell }
        case .batch(let cell):
            mutate {
                $0.shown.cells[0] = cell
                $0.items.append(number)
            }
            _ = reload()
        case .setHook(let event, let target): return setHook(event, target)
        case .setTwoHooks(let target):
            let (one, other) = (setHook(0, target), setHook(1, target))
            return one || other
        case .removeHook(let event):
            guard hooks[event] != nil else { return false }
            mutate { $0.hooks[event] = nil }
        case .delete: isDeleted = true
        case .failingBatch, .nothing, .refresh, .create: return false
        }
        return true
    }

    private mutating func append(_ number: Int, isReloaded: Bool) {
        mutate {
            $0.variables.insert(number)
            $0.items.append(number)
        }
        if isReloaded { _ = reload() }
    }

    private mutating func setHook(_ event: Int, _ target: Int) -> Bool {
        guard hooks[event] != target else { return false }
        mutate { $0.hooks[event] = target }
        return true
    }

    private mutating func mutate(_ change: (inout Model) -> Void) {
        let before = shown
        change(&self)
        shown.events = Set(hooks.keys)
        revision += 1
        noteCause()
        guard shown != before else { return }
        definitionVersion = version
        definitions += 1
    }

    private mutating func reload() -> Bool {
        guard items != versions[version] else { return false }
        noteCause()
        versions.append(items)
        shownCauses.append(causes)
        causes = []
        return true
    }

    private mutating func noteCause() {
        guard let cause = cause.take() else { return }
        causes.removeAll { $0 == cause }
        causes.append(cause)
    }
}
