import CLinux
import Glibc
import Synchronization

/// One thread that waits on epoll, calls the handlers of ready descriptors, runs due timers and queued work, and is the
/// executor of the actors that live on it.
///
/// Work from `execute` and from actors runs in the order it was handed in. Sockets, timers and queued work take turns:
/// work queued during a turn waits for the next one, and none of the three can starve the others. Work in the background
/// has an order of its own and gives way to all three: see ``LoopPriority``.
///
/// An actor lives on the loop when its `unownedExecutor` is the loop's: a `LoopActor`. Code that the loop calls (event
/// handlers, timers, `execute`) can then enter the actor without a task and without a hop.
public final class EventLoop: SerialExecutor {
    /// The name of the loop, which its thread bears too (the kernel keeps 15 bytes of it).
    public let name: String

    private struct Inbox: ~Copyable {
        var work: [Work] = []
        var background: [Work] = []
        var isWakePending = false
        var isStopping = false
        var hasStopped = false
        var onStopped: [CheckedContinuation<Void, Never>] = []
    }

    enum Work {
        case closure(@Sendable () -> Void)
        case job(UnownedJob)

        @inline(__always)
        func run(on loop: EventLoop) {
            switch self {
            case .closure(let body): body()
            case .job(let job): job.runSynchronously(on: loop.asUnownedSerialExecutor())
            }
        }
    }

    private let inbox = Mutex(Inbox())
    @usableFromInline let thread = Atomic<UInt>(0)
    private let cancelledTimers = Atomic<Int>(0)
    private let wakeUp: Descriptor
    // SAFETY: the core is touched by the loop's own thread alone; every way to it checks `isCurrent` first.
    private nonisolated(unsafe) let core: LoopCore

    /// Makes a loop and starts its thread.
    package init(name: String, clock: any LoopClock = MonotonicClock()) throws(SystemError) {
        self.name = name
        wakeUp = Descriptor(owning: Int32(try SystemCall.run("eventfd") { Int(clinux_eventfd_create()) }))
        core = try LoopCore(clock: clock)
        // Edge-triggered, so that the counter need never be read: each write is reported once.
        try core.watch(wakeUp.number, [.readable], edgeTriggered: true, tag: LoopCore.wakeUpTag)
        try LoopThread.start(name: name) { [self] in run() }
    }

    /// The loop whose thread this is.
    package static var current: EventLoop? { LoopThread.currentLoop }

    /// Whether this is the loop's own thread.
    @inlinable
    public var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    // MARK: Work

    /// Has the loop run `work` after everything that was handed in before with the same priority; from any thread.
    ///
    /// Work handed in after the loop has stopped is kept and never run.
    package func execute(at priority: LoopPriority = .normal, _ work: @escaping @Sendable () -> Void) {
        hand(.closure(work), at: priority)
    }

    /// Takes a job of an actor that lives here; it runs in its turn among the work of `execute`. Called by the runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent, case .awaited = core.firstJob {
            core.firstJob = .here(job)
        } else {
            hand(.job(job), at: .normal)
        }
    }

    /// The loop as an actor's `unownedExecutor`. It does not keep the loop, which its own thread does until it is stopped.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Traps on any other thread than the loop's. Called by the runtime for `assumeIsolated`.
    @inlinable
    public func checkIsolated() {
        precondition(isCurrent, "called outside of the thread of \(name)")
    }

    /// Whether the caller is on the loop's thread. Called by the runtime.
    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private func hand(_ work: Work, at priority: LoopPriority) {
        let mustWake = inbox.withLock { inbox in
            switch priority {
            case .normal: inbox.work.append(work)
            case .background: inbox.background.append(work)
            }
            defer { inbox.isWakePending = true }
            return !inbox.isWakePending
        }
        // The loop's own thread looks at the inbox before it waits again.
        if mustWake && !isCurrent { wake() }
    }

    private func wake() {
        var one: UInt64 = 1
        // SAFETY: the kernel reads the eight bytes of the counter's increment during the call.
        _ = write(wakeUp.number, &one, MemoryLayout<UInt64>.size)
    }

    // MARK: Timers

    /// Has the loop run `work` once, `delay` from now or a little later (it waits in whole milliseconds); from any thread.
    @discardableResult
    package func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledTimer {
        schedule(at: core.clock.now() &+ delay.nanoseconds, work)
    }

    /// Has the loop run `work` once, at that time of its clock or a little later; from any thread.
    ///
    /// Unlike a delay, a time does not drift by what passes between its reckoning and this call.
    @discardableResult
    package func schedule(at deadline: LoopInstant, _ work: @escaping @Sendable () -> Void) -> ScheduledTimer {
        let timer = ScheduledTimer(loop: self, body: work)
        if isCurrent {
            core.timers.insert(timer, at: deadline)
        } else {
            execute { [self] in core.timers.insert(timer, at: deadline) }
        }
        return timer
    }

    /// The time at the start of this turn; on another thread, the clock's. A cached reading, so that it costs nothing.
    package var now: LoopInstant { isCurrent ? core.now : core.clock.now() }

    /// Counts timers that are only waiting to be thrown away, so that the loop can do it before they are many.
    func timerWasCancelled() {
        cancelledTimers.wrappingAdd(1, ordering: .relaxed)
    }

    // MARK: Descriptors

    /// Watches a descriptor; on the loop's thread only.
    ///
    /// `edgeTriggered` reports each change once: whoever reads must read until nothing is left.
    /// The handler is kept until `deregister` or `forget`.
    package func register(
        _ descriptor: borrowing Descriptor, for readiness: Readiness, edgeTriggered: Bool,
        handler: any EventHandler, token: UInt64
    ) throws(SystemError) -> Registration {
        try register(
            borrowed: descriptor.number, for: readiness, edgeTriggered: edgeTriggered, handler: handler, token: token)
    }

    /// Watches a descriptor that somebody else owns, such as a C library; on the loop's thread only.
    ///
    /// The code that closes it has to `deregister` or `forget` it in the same turn. Otherwise as for a `Descriptor`.
    package func register(
        borrowed number: Int32, for readiness: Readiness, edgeTriggered: Bool, handler: any EventHandler, token: UInt64
    ) throws(SystemError) -> Registration {
        checkIsolated()
        let registration = core.claimSlot(handler: handler, token: token)
        do throws(SystemError) {
            try core.watch(number, readiness, edgeTriggered: edgeTriggered, tag: registration.tag)
        } catch {
            core.release(registration)
            throw error
        }
        return registration
    }

    /// Changes what a descriptor is watched for; on the loop's thread only.
    package func update(
        _ registration: Registration, of descriptor: borrowing Descriptor, for readiness: Readiness, edgeTriggered: Bool
    ) throws(SystemError) {
        try update(registration, ofBorrowed: descriptor.number, for: readiness, edgeTriggered: edgeTriggered)
    }

    /// Changes what a descriptor of somebody else's is watched for; on the loop's thread only.
    package func update(
        _ registration: Registration, ofBorrowed number: Int32, for readiness: Readiness, edgeTriggered: Bool
    ) throws(SystemError) {
        checkIsolated()
        try core.rewatch(number, readiness, edgeTriggered: edgeTriggered, tag: registration.tag)
    }

    /// Stops watching a descriptor that stays open; on the loop's thread only.
    ///
    /// Nothing is reported of it any more, not even what this turn has already seen.
    package func deregister(_ registration: Registration, of descriptor: borrowing Descriptor) {
        deregister(registration, ofBorrowed: descriptor.number)
    }

    /// Stops watching a descriptor of somebody else's, which may stay open; on the loop's thread only.
    package func deregister(_ registration: Registration, ofBorrowed number: Int32) {
        checkIsolated()
        core.unwatch(number)
        core.release(registration)
    }

    /// Gives back the place of a descriptor that is closed in the same turn, which ends the watching by itself.
    package func forget(_ registration: Registration) {
        checkIsolated()
        core.release(registration)
    }

    // MARK: Running

    /// Has the loop end once everything handed in so far, and what that hands in, has run. Returns at once.
    package func stop() {
        inbox.withLock { $0.isStopping = true }
        execute {}
    }

    /// Stops the loop and returns when its thread is done with it. Not for the loop's own thread.
    package func stopAndWait() async {
        stop()
        await withCheckedContinuation { continuation in
            let hasStopped = inbox.withLock { inbox in
                if !inbox.hasStopped { inbox.onStopped.append(continuation) }
                return inbox.hasStopped
            }
            if hasStopped { continuation.resume() }
        }
    }

    private func run() {
        thread.store(UInt(pthread_self()), ordering: .sequentiallyConsistent)
        LoopThread.currentLoop = self
        core.firstJob = .awaited
        LoopBody(loop: self).handOver()
        let firstJob = core.firstJob
        core.firstJob = .none
        if case .here(let job) = firstJob { job.runSynchronously(on: asUnownedSerialExecutor()) }
        // Whatever the runtime made of the job: this returns at once if the loop has turned and stopped.
        turnUntilStopped()
        core.releaseAll()
        LoopThread.currentLoop = nil
        // The kernel may give this thread's number to another one.
        thread.store(0, ordering: .sequentiallyConsistent)
        let waiting = inbox.withLock { inbox in
            inbox.hasStopped = true
            defer { inbox.onStopped = [] }
            return inbox.onStopped
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Takes turns until the loop is stopped and nothing is left to run; on the loop's thread.
    func turnUntilStopped() {
        var batch: [Work] = []
        var background = BackgroundWork()
        while true {
            core.now = core.clock.now()
            fireTimers()
            runInbox(&batch, &background)
            let (isEmpty, isStopping) = inbox.withLock { ($0.work.isEmpty && $0.background.isEmpty, $0.isStopping) }
            let isIdle = isEmpty && background.isDone
            if isIdle && isStopping { return }
            core.poll(mayWait: isIdle)
        }
    }

    /// Runs what was handed in up to now, and some of the background's.
    private func runInbox(_ batch: inout [Work], _ background: inout BackgroundWork) {
        inbox.withLock { inbox in
            swap(&inbox.work, &batch)
            if background.isDone, !inbox.background.isEmpty { background.take(&inbox.background, at: core.now) }
            inbox.isWakePending = false
        }
        for work in batch { work.run(on: self) }
        batch.removeAll(keepingCapacity: batch.count <= 1024)
        background.run(on: self, by: core.clock)
    }

    private func fireTimers() {
        if cancelledTimers.load(ordering: .relaxed) > max(64, core.timers.count / 2) {
            cancelledTimers.store(0, ordering: .relaxed)
            core.timers.removeAll { !$0.isPending }
        }
        // As many as there are now: a timer that sets another one for the same moment must not keep the loop here.
        var remaining = core.timers.count
        while remaining > 0, let timer = core.timers.popDue(at: core.now) {
            timer.fire()
            remaining -= 1
        }
    }
}
