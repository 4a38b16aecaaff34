import HashTreeCollections
import JSONValues
import Notation

/// A named list: its properties, adapters and variables, the working state that operations change, and the published
/// state that subscribers show.
///
/// A director is a value and knows no concurrency: whoever holds it says who may change it. A copy shares everything
/// with its original until one of them changes, so that trying something on a copy is cheap.
package struct Director: Sendable {
    /// Everything that a director is, in an array of one: copies share it until one of them changes.
    private var shared: [Content]

    /// What a director is.
    private struct Content {
        let name: String
        let epoch: String
        let limits: DirectorLimits
        var properties: DirectorProperties
        var derivation: Derivation?
        var derivedFacts: DerivedFacts?
        var adapters = AdapterRegistry()
        var hooks = HookRegistry()
        var working = WorkingState()
        var published = PublishedState(version: 0, list: ListState())
        var reloaded = ListState()
        var visibility: Visibility?
        var changedVariables: Set<Name> = []
        var isRestored = false
        var work = 0
        var turnBound = Int.max
    }

    /// Makes an empty director at revision 0 and version 0.
    ///
    /// - Parameters:
    ///   - name: The name, taken as it is.
    ///   - epoch: A text that no earlier life of the name has had, taken as it is.
    ///   - properties: The properties, and so the kind.
    ///   - derivation: The rule of a view; nil for a director with content of its own.
    ///   - limits: How much the director may hold.
    package init(
        name: String, epoch: String, properties: DirectorProperties, derivation: Derivation? = nil,
        limits: DirectorLimits = DirectorLimits()
    ) {
        var content = Content(name: name, epoch: epoch, limits: limits, properties: properties)
        content.derivation = derivation
        shared = [content]
    }

    /// The name, unique on a server.
    package var name: String { shared[0].name }

    /// Which life of that name: deleting and creating a director again gives another epoch.
    package var epoch: String { shared[0].epoch }

    /// How much the director may hold.
    package var limits: DirectorLimits { shared[0].limits }

    /// The properties, which say the kind too.
    package internal(set) var properties: DirectorProperties {
        get { shared[0].properties }
        _modify { yield &shared[0].properties }
    }

    /// The rule of a view; nil for a director with content of its own.
    package internal(set) var derivation: Derivation? {
        get { shared[0].derivation }
        _modify { yield &shared[0].derivation }
    }

    /// The numbers of a view beside its list; nil for a director with content of its own.
    var derivedFacts: DerivedFacts? {
        get { shared[0].derivedFacts }
        _modify { yield &shared[0].derivedFacts }
    }

    /// The registered adapters.
    package internal(set) var adapters: AdapterRegistry {
        get { shared[0].adapters }
        _modify { yield &shared[0].adapters }
    }

    /// The event hooks of the adapters, of the director and of its scroll view.
    ///
    /// They are not part of the adapters, which elements refer to: a hook that comes or goes touches no element.
    package internal(set) var hooks: HookRegistry {
        get { shared[0].hooks }
        _modify { yield &shared[0].hooks }
    }

    /// What operations change.
    package internal(set) var working: WorkingState {
        get { shared[0].working }
        _modify { yield &shared[0].working }
    }

    /// What subscribers show.
    package internal(set) var published: PublishedState {
        get { shared[0].published }
        _modify { yield &shared[0].published }
    }

    /// The working state at the last reload, whether that published anything or not: the next one looks at what differs
    /// from it, and at nothing else.
    ///
    /// It has the sections and elements of the published state at the same places, with equal values; but a value that
    /// was written in another way since, and published nothing, is new here and old there.
    var reloaded: ListState {
        get { shared[0].reloaded }
        _modify { yield &shared[0].reloaded }
    }

    /// The sections as the last reload has evaluated them; nil if it found no sections of rows.
    var visibility: Visibility? {
        get { shared[0].visibility }
        _modify { yield &shared[0].visibility }
    }

    /// The variables that rows read and that have been set or removed since the last reload.
    var changedVariables: Set<Name> {
        get { shared[0].changedVariables }
        _modify { yield &shared[0].changedVariables }
    }

    /// Whether the director was restored and has not been reloaded since: all rows are evaluated once more then.
    var isRestored: Bool {
        get { shared[0].isRestored }
        _modify { yield &shared[0].isRestored }
    }

    /// How many expressions of rows have been evaluated since the director was made or restored.
    package var evaluations: Int {
        shared[0].visibility?.evaluations ?? 0
    }

    /// The cost of operations and reloads beyond the length of their texts, in units of `BatchWork`, since the director
    /// was made or read from a snapshot: the cost of performing all of it again.
    package internal(set) var work: Int {
        get { shared[0].work }
        _modify { yield &shared[0].work }
    }

    /// The `work` above which a command is refused as longer than a turn on the loop; `Int.max` for no bound.
    var turnBound: Int {
        get { shared[0].turnBound }
        _modify { yield &shared[0].turnBound }
    }

    /// Makes a change that is refused, with nothing changed, where it turns out to be longer than a turn on a loop.
    ///
    /// - Parameter isInTurn: False for no such bound.
    /// - Throws: What the change throws, and ``DirectorError/Reason/longerThanTurn``.
    package mutating func inTurn<Value, Failure: Error>(
        _ isInTurn: Bool, _ change: (inout Director) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard isInTurn else { return try change(&self) }
        turnBound = work + BatchWork.turn
        defer { turnBound = .max }
        return try change(&self)
    }

    /// Refuses a command before work that takes longer than what is left of the turn.
    ///
    /// - Parameter units: The units of the work, as `BatchWork` counts them.
    func checkTurn(before units: Int) throws(DirectorError) {
        guard turnBound < .max, units > turnBound - work else { return }
        throw DirectorError(.longerThanTurn)
    }

    /// Units after which a director is rather read from a snapshot than made anew by its records: about a second's, and
    /// more where reading the snapshot takes longer.
    ///
    /// - Complexity: O(1).
    package var workWorthSnapshot: Int { max(BatchWork.second, memory) }

    /// The kind of view that shows the list.
    package var kind: DirectorKind {
        shared[0].properties.kind
    }

    /// The number of accepted mutations.
    package var revision: Int {
        shared[0].working.revision
    }

    /// The number of the published version.
    package var version: Int {
        shared[0].published.version
    }

    /// The memory that the sections and elements take, estimated: those of the working state or those that are published,
    /// whichever is more.
    ///
    /// - Complexity: O(1).
    package var memory: Int {
        max(shared[0].working.list.memory, shared[0].published.list.memory)
    }
}

/// The state that operations change, with the number of accepted mutations.
package struct WorkingState: Sendable, Equatable {
    /// How many mutations have been accepted; a batch counts as one.
    package internal(set) var revision = 0

    /// The sections and elements.
    package internal(set) var list = ListState()

    /// The variables by name; copies share what they have in common, so that setting one costs the same among many.
    package internal(set) var variables: TreeDictionary<Name, JSONValue> = [:]

    /// The names of accepted mutations that no published version shows yet.
    package internal(set) var causes = CauseList()
}

/// The subscribers' state at one version.
///
/// It does not change, and a copy of it costs nothing: versions that are retained share what they have in common.
package struct PublishedState: Sendable, Equatable {
    /// The number of the version, zero before the first reload.
    package let version: Int

    /// The visible projection of the working state at that reload.
    package let list: ListState

    /// Pairs a version with its list.
    package init(version: Int, list: ListState) {
        self.version = version
        self.list = list
    }
}
