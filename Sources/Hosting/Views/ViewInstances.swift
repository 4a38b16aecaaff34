import DirectorLife
import Directors
import Feed
import JSONValues
import Metrics
import Notation
import Reactor
import Synchronization
import Views

/// The bounds of a server's instances (`views.*`).
package struct ViewLimits: Sendable {
    /// Instances at most (`views.instances`, 1 to 1,000,000; default 10,000).
    package var instances = 10_000
    /// Instances at most that one principal has begun (`views.instancesPerPrincipal`; default 1,000).
    package var instancesPerPrincipal = 1_000
    /// Bytes of all instances, estimated, beyond which none is begun (`views.bytes`; default 256 MiB).
    package var bytes = 256 << 20
    /// For how long an instance stays after its last reader.
    package var idle = Duration.seconds(60)

    /// Makes the defaults.
    package init() {}
}

/// Why there is no instance for a reader.
package enum ViewRefusal: Error, Sendable {
    /// The stored definition cannot be read by this program.
    case unreadable(RepresentationError)
    /// A parameter is unknown, is not bound, or has a value of another type.
    case parameters(RepresentationError)
    /// A view that this one follows needs a parameter.
    case sourceParameters(view: String, RepresentationError)
    /// The views lead back to one of them: their names, the first one again at the end.
    case circle([String])
    /// More views follow each other than may.
    case tooDeep([String])
    /// The server has as many instances, or bytes of them, as it may.
    case full
    /// The principal has begun as many instances as it may.
    case fullForPrincipal(Int)
}

/// The instances of a server's views: each is one list for all readers who bind the same values.
///
/// From any thread; a look-up costs a lock.
package final class ViewInstances: Sendable {
    /// The most views that follow each other.
    package static let maximumDepth = 4

    private struct State {
        var instances: [String: ViewInstance] = [:]
        /// Instances without a source, by the name that they wait for.
        var waiting: [Name: [String: ViewInstance]] = [:]
        var ofPrincipals: [Name: Int] = [:]
    }

    private let state = Mutex(State())
    /// The bounds.
    package let limits: ViewLimits
    /// The memory of all instances, estimated.
    let bytes = Atomic<Int>(0)
    /// The memory of instances that have ended, estimated, since the allocator last gave pages back.
    private let released = Atomic<Int>(0)
    private let isGivingBack = Atomic<Bool>(false)
    /// Ended instances whose memory is at least so large have the allocator give pages back.
    private static let releasedAtOnce = 16 << 20
    /// Elements that expressions were evaluated on.
    let evaluations: Counter
    /// Versions of views.
    let versions: Counter
    /// Threads that make views of long lists, a few at a time.
    let threads = WaitingThreads(name: "views", limit: 2, maxWaiting: 1_024)

    /// Declares the metrics.
    init(_ limits: ViewLimits, _ metrics: MetricsRegistry) {
        self.limits = limits
        evaluations = metrics.counter(
            "callboard_view_evaluations_total", "Elements that expressions of views were evaluated on.")
        versions = metrics.counter("callboard_view_versions_total", "Versions that have changed a view.")
        metrics.gauge("callboard_view_instances", "Instances of views that are kept up.") { [weak self] in
            self?.count ?? 0
        }
        metrics.gauge("callboard_view_bytes", "Memory of the instances of views, estimated.") { [weak self] in
            self?.bytes.load(ordering: .relaxed) ?? 0
        }
    }

    /// Notes the memory of an instance that has ended. The allocator gives their pages back to the system some seconds
    /// after many have ended; from the loop.
    func noteReleased(_ bytes: Int, on loop: EventLoop) {
        let sum = released.add(bytes, ordering: .relaxed).newValue
        guard sum >= Self.releasedAtOnce, !isGivingBack.exchange(true, ordering: .relaxed) else { return }
        loop.schedule(after: .seconds(2)) { [self] in
            released.store(0, ordering: .relaxed)
            isGivingBack.store(false, ordering: .relaxed)
            BackgroundRelease.giveBack()
        }
    }

    /// How many there are.
    package var count: Int { state.withLock { $0.instances.count } }

    // MARK: Finding

    /// The instance of a view for a reader, begun if it is not there.
    ///
    /// - Parameters:
    ///   - host: The view's director.
    ///   - bound: The values that the reader binds.
    ///   - claims: What is known of the reader.
    ///   - principal: The reader, for the bound of instances; nil for one without a bound.
    ///   - environment: The server's.
    package func instance(
        of host: DirectorHost, binding bound: [Name: JSONValue] = [:], claims: JSONValue?, principal: String?,
        _ environment: HostEnvironment
    ) throws(ViewRefusal) -> ViewInstance {
        try instance(of: host, bound, claims, principal, environment, path: [])
    }

    /// The instance of a view of a director that a reader describes, begun if it is not there.
    ///
    /// - Parameters:
    ///   - host: The director that is read, with content of its own or a view.
    ///   - rule: The view, whose source is the director.
    package func instance(
        of host: DirectorHost, selecting rule: ViewRule, claims: JSONValue?, principal: String?,
        _ environment: HostEnvironment
    ) throws(ViewRefusal) -> ViewInstance {
        try instance(rule, of: host, [:], claims, principal, environment, [])
    }

    private func instance(
        of host: DirectorHost, _ bound: [Name: JSONValue], _ claims: JSONValue?, _ principal: String?,
        _ environment: HostEnvironment, path: [String]
    ) throws(ViewRefusal) -> ViewInstance {
        guard let view = host.view else { preconditionFailure("the caller has asked whether it is a view") }
        let path = path + [host.name]
        let rule: ViewRule
        do {
            rule = try view.rule
        } catch {
            throw .unreadable(error)
        }
        return try instance(rule, of: host, bound, claims, principal, environment, path)
    }

    private func instance(
        _ rule: ViewRule, of host: DirectorHost, _ bound: [Name: JSONValue], _ claims: JSONValue?,
        _ principal: String?, _ environment: HostEnvironment, _ path: [String]
    ) throws(ViewRefusal) -> ViewInstance {
        let read = rule.claims.part(of: claims)
        let plan: ViewPlan
        do throws(RepresentationError) {
            plan = try ViewPlan(rule.definition, binding: bound, claims: read)
        } catch {
            throw path.count > 1 ? .sourceParameters(view: host.name, error) : .parameters(error)
        }
        let name = rule.definition.source
        var source: (any ViewSource)? = environment.registry.host(named: name)
        if let other = source as? DirectorHost, other.view != nil {
            if path.contains(where: { $0.isVerbatim(name) }) { throw .circle(path + [name]) }
            guard path.count < Self.maximumDepth else { throw .tooDeep(path + [name]) }
            source = try instance(of: other, [:], claims, principal, environment, path: path)
        }
        let epoch = rule.epoch(of: source?.epoch, plan, claims: read)
        return try instance(principal, key: Self.key(host, epoch), environment) {
            ViewInstance(
                of: host, plan, rule.derivation, epoch: epoch, source: source, principal: principal,
                environment: environment)
        }
    }

    private static func key(_ host: DirectorHost, _ epoch: String) -> String { "\(host.epoch)/\(epoch)" }

    private func instance(
        _ principal: String?, key: String, _ environment: HostEnvironment, _ make: () -> ViewInstance
    ) throws(ViewRefusal) -> ViewInstance {
        let limits = limits
        let isHeavy = bytes.load(ordering: .relaxed) >= limits.bytes
        let (result, isNew) = state.withLock { state -> (Result<ViewInstance, ViewRefusal>, Bool) in
            if let instance = state.instances[key] { return (.success(instance), false) }
            guard !isHeavy, state.instances.count < limits.instances else { return (.failure(.full), false) }
            if let principal {
                guard state.ofPrincipals[Name(principal), default: 0] < limits.instancesPerPrincipal else {
                    return (.failure(.fullForPrincipal(limits.instancesPerPrincipal)), false)
                }
                state.ofPrincipals[Name(principal), default: 0] += 1
            }
            let instance = make()
            state.instances[key] = instance
            if instance.source == nil { state.waiting[Name(instance.sourceName), default: [:]][key] = instance }
            return (.success(instance), true)
        }
        let instance = try result.get()
        guard isNew else { return instance }
        instance.begin()
        // One that came between the look for it and now has found nobody waiting.
        if instance.source == nil, environment.registry.host(named: instance.sourceName) != nil {
            instance.send { $0.retire(.moved) }
        }
        return instance
    }

    /// The instances of a view's director.
    package func instances(of host: DirectorHost) -> [ViewInstance] {
        state.withLock { $0.instances.values.filter { $0.host === host } }
    }

    // MARK: Endings

    /// Forgets an instance that has ended.
    func remove(_ instance: ViewInstance) {
        let key = Self.key(instance.host, instance.epoch)
        state.withLock { state in
            guard state.instances[key] === instance else { return }
            state.instances[key] = nil
            let name = Name(instance.sourceName)
            state.waiting[name]?[key] = nil
            if state.waiting[name]?.isEmpty == true { state.waiting[name] = nil }
            guard let principal = instance.principal.map({ Name($0) }), let count = state.ofPrincipals[principal]
            else { return }
            state.ofPrincipals[principal] = count > 1 ? count - 1 : nil
        }
    }

    /// Ends all instances of a view's director.
    func end(of host: DirectorHost, _ end: FeedEnd) {
        for instance in instances(of: host) { instance.send { $0.retire(end) } }
    }

    /// Has the instances that wait for a director begin anew: their clients come back.
    func sourceHasCome(named name: String) {
        let waiting = state.withLock { $0.waiting[Name(name)] } ?? [:]
        for instance in waiting.values { instance.send { $0.retire(.moved) } }
    }
}
