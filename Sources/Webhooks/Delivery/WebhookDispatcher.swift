import Directors
import Notation
import Reactor

/// Delivers notifications and asks questions, on an event loop of its own.
///
/// A notification is stored before whoever sent it is told that it was accepted, and is there until its receiver has
/// taken it: at least once, in order for each hook, always under the same identifier. `DeliveryQueues` decides; the
/// dispatcher acts, with its store, transport and directory.
///
/// Its methods may be called from anywhere. The loop must not be one that serves directors or connections: what
/// signing and calling a target costs would come on top of theirs.
package actor WebhookDispatcher: LoopActor {
    package nonisolated let loop: EventLoop
    nonisolated let board = DispatcherBoard()

    nonisolated let store: any DeliveryStore
    let transport: any WebhookTransport
    let directory: any HookDirectory
    let settings: DispatcherSettings
    let clock: @Sendable () -> WallTime

    var queues: DeliveryQueues
    var completions: [Int: @Sendable (Result<[String], NotifyRefusal>) -> Void] = [:]
    var retries: [Int: CheckedContinuation<Result<Delivery, RetryRefusal>, Never>] = [:]
    var removals: [Int: CheckedContinuation<Result<Void, RemovalRefusal>, Never>] = [:]
    var releases: [Int: @Sendable () -> Void] = [:]
    private var lastTicket = 0
    private var timer: (deadline: LoopInstant, timer: ScheduledTimer)?
    /// The attempts that are under way, by the sequence of their delivery.
    var attempts: [Int: Task<Void, Never>] = [:]
    var closers: [CheckedContinuation<Void, Never>] = []

    /// Makes a dispatcher that knows of no deliveries yet; ``start(living:)`` is to be called before anything else.
    ///
    /// - Parameters:
    ///   - loop: The loop to live on; the dispatcher has to be shut down before it is stopped.
    ///   - store: Where deliveries are kept; nobody else writes to it.
    ///   - transport: What sends.
    ///   - directory: Who knows the hooks.
    ///   - clock: The time that is shown, stored and signed. Delays are measured on the loop's clock.
    package init(
        loop: EventLoop, store: any DeliveryStore, transport: any WebhookTransport, directory: any HookDirectory,
        settings: DispatcherSettings = DispatcherSettings(), clock: @escaping @Sendable () -> WallTime = WallTime.now
    ) {
        self.loop = loop
        self.store = store
        self.transport = transport
        self.directory = directory
        self.settings = settings
        self.clock = clock
        queues = DeliveryQueues(settings: settings)
    }

    /// Takes over what is stored: what waits is delivered from now on, in its order.
    ///
    /// - Parameter living: The epochs of the directors that are there, by name. Deliveries of another life of a name,
    ///   or of a director that is gone, are forgotten.
    /// - Returns: How many wait, and how many are dead.
    /// - Throws: That the store cannot be read; nothing is delivered then. It blocks its thread while it reads.
    @discardableResult
    package nonisolated func start(
        living: [Name: String]
    ) async throws(DeliveryStoreError) -> RecoveredDeliveries {
        await take(try store.deliveries(), living)
    }

    private func take(_ deliveries: [Delivery], _ living: [Name: String]) -> RecoveredDeliveries {
        queues.load(deliveries, at: now) { living[$0.director] == $0.epoch }
        defer { perform() }
        return RecoveredDeliveries(pending: queues.waiting.count, dead: queues.dead.count)
    }

    /// This moment on both clocks.
    var now: Moment { Moment(loop: loop.now, wall: clock()) }

    func nextTicket() -> Int {
        lastTicket += 1
        return lastTicket
    }

    // MARK: Doing what the queues want done

    /// Does what the queues want done, and shows how they are.
    func perform() {
        for action in queues.takeActions() {
            switch action {
            case .write(let number, let changes): write(number, changes)
            case .attempt(let delivery): begin(delivery)
            case .answer(let ticket, let result): completions.removeValue(forKey: ticket)?(result)
            case .answerRetry(let ticket, let result): retries.removeValue(forKey: ticket)?.resume(returning: result)
            case .answerRemoval(let ticket, let result):
                removals.removeValue(forKey: ticket)?.resume(returning: result)
            case .answerRelease(let ticket): releases.removeValue(forKey: ticket)?()
            }
        }
        board.show(queues, touched: queues.takeTouched())
        setTimer()
        if queues.isClosed, queues.isQuiet { leave() }
    }

    private func write(_ number: Int, _ changes: [DeliveryChange]) {
        store.write(changes) { result in
            self.loop.execute {
                self.assumeIsolated { dispatcher in
                    dispatcher.queues.settle(number, result, at: dispatcher.now)
                    dispatcher.perform()
                }
            }
        }
    }

    private func setTimer() {
        guard let deadline = queues.nextDeadline else { return }
        if let timer, timer.timer.isPending, timer.deadline <= deadline { return }
        timer?.timer.cancel()
        timer = (
            deadline,
            loop.schedule(at: deadline) { [weak self] in
                self?.assumeIsolated { dispatcher in
                    dispatcher.queues.wake(at: dispatcher.now)
                    dispatcher.perform()
                }
            }
        )
    }
}

/// How many deliveries there were at the start.
package struct RecoveredDeliveries: Sendable, Hashable {
    /// Those that wait.
    package var pending: Int
    /// The dead ones.
    package var dead: Int
}
