import Access
import DirectorLife
import Directors
import Dispatch
import Journal
import JournalTesting
import Notation
import Synchronization

@testable import JournalPostgres

/// A node of a test's: a journal that shares its database, and everything that its observer was told.
final class TestNode: LifeObserver, Sendable {
    /// What was told, in order.
    enum Event: Equatable {
        case begin(String, number: Int)
        case follow(String, [Int])
        case unload(String)
        case end(String)
        case own(String)
        case lose(String)
        case release([String])
    }

    let journal: PostgresJournal
    private let state = Mutex(State())
    private let gate = DispatchSemaphore(value: 1)
    private let whenBegun: @Sendable () -> Void

    private struct State {
        var events: [Event] = []
        var placement = Placement()
        var tokens: [String] = []
        var leftOut: [JournalDamage] = []
        var setAside: [String: String] = [:]
        var firstDelivery = 0
        var inherited: [String: Inheritance] = [:]
        /// The lives, as their records have led to them.
        var lives: [String: DirectorLife] = [:]
        /// Directors that were begun here, and of which there is nothing here any more.
        var dropped: Set<String> = []
        /// Directors that somebody needs here.
        var needed: Set<String> = []
        /// Completions of releases that are held back; nil where none is.
        var heldBack: [@Sendable () -> Void]?
    }

    /// Opens a node's journal and follows; it takes part once ``serve()`` was called.
    ///
    /// - Parameter whenBegun: Done on the following thread each time a life was begun, before it goes on with its look.
    init(
        _ database: TestDatabase, _ change: (inout PostgresSettings) -> Void = { _ in },
        whenBegun: @escaping @Sendable () -> Void = {}
    ) throws {
        self.whenBegun = whenBegun
        var settings = PostgresSettings.quick
        var sharing = SharingSettings(retention: VersionRetention(count: 100, bytes: 1 << 20), limits: .none)
        sharing.lookInterval = .milliseconds(100)
        sharing.settling = .milliseconds(100)
        settings.sharing = sharing
        change(&settings)
        journal = try database.open(settings)
        try journal.follower?.follow(self)
    }

    /// The node's number.
    var number: Int { journal.follower?.node ?? 0 }

    /// Takes part.
    func serve() { journal.follower?.serve(at: "http://127.0.0.1:1") }

    /// What was told so far.
    var events: [Event] { state.withLock { $0.events } }

    /// A director's state, as its records have led to it.
    func stored(_ director: String) -> LifeState? { state.withLock { $0.lives[director]?.stored } }

    /// Has the following thread wait before it is given records, until this is called again with false.
    func pause(_ isPaused: Bool) {
        if isPaused { gate.wait() } else { gate.signal() }
    }

    /// Who owns a director, as it was told last.
    func owner(of director: String) -> Int? { state.withLock { $0.placement.owners[director] } }

    /// The tokens, as they were told last.
    var tokens: [String] { state.withLock { $0.tokens } }

    /// The rows that were left out.
    var leftOut: [JournalDamage] { state.withLock { $0.leftOut } }

    /// The directors that cannot be read, each with why.
    var setAside: [String: String] { state.withLock { $0.setAside } }

    /// What came with a director.
    func inheritance(of director: String) -> Inheritance? { state.withLock { $0.inherited[director] } }

    /// The numbers of a life's records, each as often as it was told.
    func numbers(of director: String) -> [Int] {
        events.flatMap { event -> [Int] in
            switch event {
            case .begin(director, let number): [number]
            case .follow(director, let numbers): numbers
            default: []
            }
        }
    }

    /// Waits for one look.
    func look(at directors: [String]? = nil) async -> StorageError? {
        await withCheckedContinuation { continuation in
            journal.follower?.look(at: directors) { continuation.resume(returning: $0) }
        }
    }

    /// Holds back what releases wait for, or lets it go.
    func holdReleases(_ isHeld: Bool) {
        let held = state.withLock { state in
            defer { state.heldBack = isHeld ? [] : nil }
            return state.heldBack ?? []
        }
        for completion in held { completion() }
    }

    /// Lets go of a director that was begun here, as where another life of its name comes in between.
    func drop(_ director: String) { state.withLock { _ = $0.dropped.insert(director) } }

    /// Has a director stay in memory, or lets it leave.
    func need(_ director: String, _ isNeeded: Bool) {
        state.withLock { state in
            if isNeeded { state.needed.insert(director) } else { state.needed.remove(director) }
        }
    }

    private func note(_ event: Event) { state.withLock { $0.events.append(event) } }

    // MARK: LifeObserver

    func begin(_ life: RecoveredDirector) {
        let name = life.state.director.name
        state.withLock { state in
            state.lives[name] = DirectorLife(following: life.state)
            state.dropped.remove(name)
        }
        note(.begin(name, number: life.state.number))
        whenBegun()
    }

    func unload(_ life: LifeName) -> Bool {
        let isNeeded = state.withLock { state in
            if state.needed.contains(life.director) { return true }
            state.lives[life.director] = nil
            return false
        }
        if !isNeeded { note(.unload(life.director)) }
        return !isNeeded
    }

    func holds(_ life: LifeName) -> Bool { state.withLock { !$0.dropped.contains(life.director) } }

    func follow(_ records: [LifeRecord], of life: LifeName) {
        gate.wait()
        defer { gate.signal() }
        state.withLock { state in
            var actions: [LifeAction] = []
            do {
                try state.lives[life.director]?.follow(records, into: &actions)
            } catch {
                state.events.append(.end("\(error)"))
            }
        }
        note(.follow(life.director, records.map(\.number)))
    }

    func end(_ life: LifeName) { note(.end(life.director)) }

    func own(_ life: LifeName, _ inheritance: Inheritance) {
        state.withLock { $0.inherited[life.director] = inheritance }
        note(.own(life.director))
    }

    func number(deliveriesFrom first: Int) { state.withLock { $0.firstDelivery = first } }

    /// The first number for notifications of directors that the node makes.
    var firstDelivery: Int { state.withLock { $0.firstDelivery } }

    func lose(_ lives: [LifeName]) { for life in lives { note(.lose(life.director)) } }

    func letGo(_ life: LifeName) {}

    func release(_ lives: [LifeName], completion: @escaping @Sendable () -> Void) {
        note(.release(lives.map(\.director).sorted()))
        let isHeld = state.withLock { state in
            state.heldBack?.append(completion)
            return state.heldBack != nil
        }
        if !isHeld { completion() }
    }

    func place(_ nodes: [Int: JournalNode], owners: [Name: Int?]) {
        state.withLock { state in
            state.placement.nodes = nodes
            state.placement.note(owners)
        }
    }

    func replaceTokens(_ tokens: [TokenEntry]) { state.withLock { $0.tokens = tokens.map(\.name) } }

    func setAside(_ life: LifeName, because reason: String?) {
        state.withLock { $0.setAside[life.director] = reason }
    }

    func leftOut(_ damage: JournalDamage) { state.withLock { $0.leftOut.append(damage) } }
}
