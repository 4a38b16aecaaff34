import Access
import DirectorLife
import Directors
import Dispatch
import Feed
import Journal
import Logging
import Notation
import Reactor
import Synchronization
import Webhooks

/// One of several servers that share a journal: its own directors, the nodes of the other directors, and the records
/// that their owners store.
///
/// A node holds three groups of directors: its own, the ones that it takes over when their owner is lost, and the ones
/// that its clients ask for. It performs the records that the owners store, and so can answer reads of all of them.
/// Callable from any thread.
package final class Cluster: Sendable {
    /// The node that has to carry out a command.
    package enum Destination: Sendable {
        /// On this node.
        case here
        /// On another node.
        case node(JournalNode)
        /// Nobody owns the director at this moment: it is being taken over.
        case nobody
        /// There is no director of the name here; a new one belongs to this node, or to another one.
        case unknown(preferred: JournalNode?)
    }

    /// The node's part of the journal.
    package let journal: any SharedJournal
    /// The services between this node and others beside the journal; set before the server listens.
    package let peers = Mutex<(any ClusterPeers)?>(nil)

    private let environment: HostEnvironment
    private let limits: DirectorLimits
    private let logger: Logger
    private let placement = Mutex(Placement())
    /// Why directors cannot be read here.
    private let faults = Mutex<[Name: String]>([:])
    private let wasHeld = Atomic<Bool>(true)
    private let givesBack = Atomic<Bool>(false)
    private let tokensChanged: @Sendable ([TokenEntry]) -> Void

    /// Makes a node that does not follow yet.
    ///
    /// - Parameters:
    ///   - journal: The node's part of the journal.
    ///   - environment: The directors, their loops and hooks.
    ///   - limits: What each director may hold.
    ///   - logger: The log.
    ///   - tokensChanged: Called with all static tokens when another node has changed them.
    package init(
        _ journal: any SharedJournal, environment: HostEnvironment, limits: DirectorLimits, logger: Logger,
        tokensChanged: @escaping @Sendable ([TokenEntry]) -> Void
    ) {
        self.journal = journal
        self.environment = environment
        self.limits = limits
        self.logger = logger
        self.tokensChanged = tokensChanged
    }

    // MARK: Where

    /// This node's number.
    package var node: Int { journal.node }

    /// Whether no other node can have taken this node's directors, and its followed directors are as new as the lease
    /// allows.
    package var hasLease: Bool { .now < journal.leaseEnd }

    /// For how many seconds, rounded up, what is here has not been compared with the journal.
    package var staleness: Int {
        let age = journal.sharingStatus.lookedAt.map { $0.duration(to: .now) / .seconds(1) } ?? 0
        return Int(age.rounded(.up))
    }

    /// The version that every node's program knows; see `ContentVersion`. One lock.
    package var contentVersion: Int { journal.sharingStatus.version }

    /// The nodes and owners, as the newest look has found them.
    package var nodes: Placement { placement.withLock { $0 } }

    /// The names of all directors, as the newest look has found them. O(n log n).
    package var directors: [String] { placement.withLock { Array($0.owners.keys) }.sorted().map(\.text) }

    /// How many directors there are, as the newest look has found them.
    package var directorCount: Int { placement.withLock { $0.owners.count } }

    /// Whether there was a director of the name at the newest look, loaded here or not.
    package func knows(_ director: String) -> Bool { placement.withLock { $0.owners[director] != nil } }

    /// Why a director cannot be read here; nil where it can.
    package func fault(of director: String) -> String? { faults.withLock { $0[director] } }

    /// The directors that cannot be read here, each with why, ordered by name.
    package var unreadable: [(director: String, reason: String)] {
        faults.withLock { $0 }.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value) }
    }

    /// The node that has to carry out a command for a director.
    ///
    /// - Complexity: Two locks; one hash for each node where the director is not known.
    package func destination(of director: String) -> Destination {
        let host = environment.registry.host(named: director)
        if let host, host.isOwned { return .here }
        return placement.withLock { placement in
            let owner = placement.owners[director]
            // One of this node's own that is not here was deleted here, or is about to be begun.
            if host == nil, owner == nil || owner == node {
                return .unknown(preferred: placement.preferred(for: director).flatMap { placement.nodes[$0] })
            }
            guard let owner, owner != node, let found = placement.nodes[owner], found.isLiving else { return .nobody }
            return .node(found)
        }
    }

    /// Whether a director's state is known here as it is stored: this node owns it, has stored its beginning and is not about
    /// to end it, and nobody can have taken it.
    package func isCurrent(_ director: String) -> Bool {
        // In this order: a look that finds a loss notes it before the lease counts anew.
        guard hasLease, let host = environment.registry.host(named: director) else { return false }
        return host.isOwned && host.isLiving
    }

    // MARK: The lease

    /// Begins to look after the lease; the loop is one of the directors'.
    package func watchLease(on loop: EventLoop) {
        loop.schedule(after: .milliseconds(200)) { [weak self] in
            guard let self else { return }
            noteLease()
            watchLease(on: loop)
        }
    }

    /// When the lease has run out, answers the commands that wait for storing as in doubt: another node may own the
    /// director by now, and the database may not answer for long.
    private func noteLease() {
        let isHeld = hasLease
        guard wasHeld.exchange(isHeld, ordering: .relaxed), !isHeld else { return }
        logger.error("the node's lease has run out: the database could not be reached; streams and reads end")
        for host in environment.registry.sorted() where host.isOwned { host.send { $0.leaveInDoubt() } }
    }

    // MARK: Not stored

    /// The other nodes that can be told something.
    private var others: [JournalNode] {
        placement.withLock { placement in
            placement.nodes.values.filter { $0.isLiving && $0.number != node && !$0.url.isEmpty }
        }
    }

    /// Calls back once all nodes have looked at all that is stored, tokens too.
    ///
    /// A node that does not confirm within some seconds is not waited for: it looks as soon as it reaches the database
    /// again, and answers nothing after its lease has run out. This node looks, too: a look that was under way may
    /// overwrite newer records with older ones that it has read before.
    package func lookEverywhere(_ completion: @escaping @Sendable () -> Void) {
        journal.look(at: nil) { [self] _ in
            let others = others
            guard !others.isEmpty, let peers = peers.withLock({ $0 }) else { return completion() }
            peers.look(at: others, completion: completion)
        }
    }

    /// Has the other nodes' subscribers told of an announcement.
    func announce(_ event: StreamEvent.Name, of host: DirectorHost, _ payload: [UInt8], version: Int) {
        let others = others
        guard !others.isEmpty, host.isOwned else { return }
        peers.withLock { $0 }?.announce(
            event, of: LifeName(director: host.name, epoch: host.epoch), payload: payload, version: version, to: others)
    }

    /// Tells this node's subscribers of an announcement, as the owner has told its own.
    ///
    /// - Parameters:
    ///   - event: The event's name.
    ///   - payload: The event's JSON form.
    ///   - life: The life.
    ///   - version: The version that it is about: it is shown by subscribers before.
    package func show(_ event: StreamEvent.Name, _ payload: [UInt8], of life: LifeName, version: Int) {
        guard host(life)?.isStreaming == true else { return }
        journal.look(at: [life.director]) { _ in
            self.host(life)?.send { $0.show(event, payload, version: version) }
        }
    }

    /// A record of another node does not fit: the life is read anew.
    func cannotFollow(_ life: LifeName, _ error: any Error) {
        logger.error(
            "this node cannot perform a change of another node; it reads the director anew",
            metadata: ["director": "\(life.director)", "error": "\(error)"])
        journal.restart(life)
    }
}

/// Carries what is not stored from node to node.
package protocol ClusterPeers: Sendable {
    /// Has the other nodes' subscribers of a life told of an announcement.
    ///
    /// - Parameters:
    ///   - event: The event's name.
    ///   - life: The life.
    ///   - payload: The event's JSON form.
    ///   - version: The version that it is about.
    ///   - nodes: The other nodes.
    func announce(
        _ event: StreamEvent.Name, of life: LifeName, payload: [UInt8], version: Int, to nodes: [JournalNode])

    /// Takes note of another node that takes part from now on.
    func meet(_ node: JournalNode)

    /// Has other nodes look at all that is stored.
    ///
    /// - Parameters:
    ///   - nodes: The other nodes.
    ///   - completion: Called once each has done so, or has not within a bound.
    func look(at nodes: [JournalNode], completion: @escaping @Sendable () -> Void)
}

// MARK: - What other nodes store

extension Cluster: LifeObserver {
    private func host(_ life: LifeName) -> DirectorHost? {
        environment.registry.host(named: life.director).flatMap { $0.epoch == life.epoch ? $0 : nil }
    }

    package func begin(_ life: RecoveredDirector) {
        let name = life.state.director.name
        let host = DirectorHost(following: life, loop: environment.group.loop(forName: name), environment: environment)
        if let earlier = environment.registry.replace(with: host) {
            let isSameLife = earlier.epoch == host.epoch
            earlier.send { host in
                if isSameLife { host.retire() } else { host.displace() }
            }
        }
    }

    package func holds(_ life: LifeName) -> Bool { host(life) != nil }

    package func unload(_ life: LifeName) -> Bool {
        guard let host = host(life) else { return true }
        guard !host.isOwned, !host.isStoring, !host.isStreaming else { return false }
        environment.registry.remove(host)
        host.send { $0.retire() }
        giveBackLater(on: host.loop)
        return true
    }

    /// Gives memory back to the system once what leaves memory at this time is freed.
    private func giveBackLater(on loop: EventLoop) {
        guard !givesBack.exchange(true, ordering: .relaxed) else { return }
        loop.execute {
            loop.schedule(after: .seconds(1)) { [weak self] in
                self?.givesBack.store(false, ordering: .relaxed)
                BackgroundRelease.giveBack()
            }
        }
    }

    package func follow(_ records: [LifeRecord], of life: LifeName) {
        host(life)?.send { $0.follow(records) }
    }

    package func end(_ life: LifeName) {
        guard let host = host(life) else {
            // Its own command has ended it, or it was displaced before; then nobody else forgets what waits for its hooks.
            environment.hooks?.dispatcher.forget(director: life.director, epoch: life.epoch)
            return
        }
        host.lose { $0.endElsewhere() }
    }

    package func own(_ life: LifeName, _ inheritance: Inheritance) {
        guard let host = host(life) else { return }
        let (answers, ownership, limits) = (inheritance.answers, inheritance.ownership, limits)
        host.send { $0.inherit(answers, limits: limits, ownership: ownership) }
        environment.hooks?.dispatcher.adopt(
            inheritance.deliveries, of: life.director, epoch: life.epoch, firstSequence: inheritance.firstDelivery)
    }

    package func number(deliveriesFrom first: Int) {
        environment.hooks?.dispatcher.number(from: first)
    }

    package func lose(_ lives: [LifeName]) {
        logger.warning(
            "other nodes have taken directors that this node has owned: its lease had run out",
            metadata: [
                "directors": .stringConvertible(LogQuantity.count(lives.count)), "first": "\(lives[0].director)",
            ])
        for life in lives {
            host(life)?.lose { $0.loseOwnership() }
            environment.hooks?.dispatcher.release(director: life.director, epoch: life.epoch)
        }
    }

    package func letGo(_ life: LifeName) {
        host(life)?.lose { $0.loseOwnership() }
    }

    package func release(_ lives: [LifeName], completion: @escaping @Sendable () -> Void) {
        logger.info(
            "handing directors over to other nodes",
            metadata: ["directors": .stringConvertible(LogQuantity.count(lives.count))])
        let group = DispatchGroup()
        for life in lives {
            guard let host = host(life) else { continue }
            group.enter()
            host.lose { $0.resign { group.leave() } }
            guard let dispatcher = environment.hooks?.dispatcher else { continue }
            group.enter()
            dispatcher.release(director: life.director, epoch: life.epoch) { group.leave() }
        }
        group.notify(queue: .global()) { completion() }
    }

    package func place(_ nodes: [Int: JournalNode], owners: [Name: Int?]) {
        let earlier = placement.withLock { placement in
            defer { placement.nodes = nodes }
            placement.note(owners)
            return placement.nodes
        }
        for node in nodes.values where (earlier[node.number]?.isServing ?? false) != node.isServing {
            logger.notice(
                node.isServing ? "a node takes part" : "a node takes part no longer",
                metadata: ["node": .number(node.number), "name": "\(node.name)", "living": .flag(node.isLiving)])
            if node.isServing, node.number != self.node { peers.withLock { $0 }?.meet(node) }
        }
    }

    package func replaceTokens(_ tokens: [TokenEntry]) {
        tokensChanged(tokens)
    }

    package func setAside(_ life: LifeName, because reason: String?) {
        let earlier = faults.withLock { faults in
            defer { faults[life.director] = reason }
            return faults[life.director]
        }
        if reason != nil, let host = environment.registry.host(named: life.director), !host.isOwned {
            environment.registry.remove(host)
            host.send { $0.retire() }
        }
        guard reason != earlier else { return }
        if let reason {
            logger.error(
                "a director cannot be read and is set aside; everything else goes on, and it is tried again",
                metadata: ["director": "\(life.director)", "reason": "\(reason)"])
        } else {
            logger.notice("a director that was set aside is so no longer", metadata: ["director": "\(life.director)"])
        }
    }

    package func leftOut(_ damage: JournalDamage) {
        logger.error(
            "a damaged row is left out; serve --set-aside moves it away",
            metadata: ["place": "\(damage.place)", "detail": "\(damage.detail)"])
    }
}
