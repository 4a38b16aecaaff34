import DequeModule
import Directors
import Feed
import Reactor
import Synchronization

/// A list that follows from a source. It takes the source's messages in order, one at a time, and works on long ones beside
/// the loops.
protocol SourceFollower: LoopActor {
    nonisolated var environment: HostEnvironment { get }
    var inbox: SourceInbox<Self> { get set }
    /// Whether it takes no messages any more.
    var isOver: Bool { get }
    /// Carries out one message. Work that goes on beside the loops calls ``resume()`` at its end.
    func handle(_ message: SourceNews)
}

/// The messages of a source that a follower has still to carry out, and those who wait for that.
struct SourceInbox<Follower: SourceFollower> {
    fileprivate var news = Deque<SourceNews>()
    fileprivate var isWorking = false
    fileprivate var (taken, done) = (0, 0)
    fileprivate var waiting: [(after: Int, body: @Sendable (isolated Follower) -> Void)] = []

    /// Whether all messages are carried out.
    var isSettled: Bool { taken == done }
    /// Whether somebody waits.
    var isAwaited: Bool { !waiting.isEmpty }
}

extension SourceFollower {
    /// Nobody who changes a source waits for those that follow it.
    package static var priority: LoopPriority { .background }

    /// Takes a message in the loop's queue. From any thread.
    nonisolated func tell(_ message: SourceNews) { send { $0.take(message) } }

    /// Takes a message.
    func take(_ message: SourceNews) {
        guard !isOver else { return }
        inbox.taken += 1
        inbox.news.append(message)
        work()
    }

    private func work() {
        while !inbox.isWorking, !isOver, let message = inbox.news.popFirst() {
            handle(message)
            if !inbox.isWorking { finish() }
        }
    }

    /// Counts a message as carried out, and lets those go on who have waited for it.
    private func finish() {
        inbox.done += 1
        guard inbox.isAwaited else { return }
        let ready = inbox.waiting.prefix { $0.after <= inbox.done }
        inbox.waiting.removeFirst(ready.count)
        for each in ready { each.body(self) }
    }

    /// Runs something once all messages that were taken before are carried out: at once where they are.
    func settle(_ body: @escaping @Sendable (isolated Self) -> Void) {
        if inbox.isSettled || isOver { return body(self) }
        inbox.waiting.append((inbox.taken, body))
    }

    /// Drops the messages that are left, and lets everybody go on who waits.
    func clearInbox() {
        inbox.news.removeAll()
        let waiting = inbox.waiting
        inbox.waiting = []
        for each in waiting { each.body(self) }
    }

    /// Brings a value to another version: on a thread beside the loops where that is long, else now.
    ///
    /// - Parameters:
    ///   - value: The value. Nobody else holds it, so that it is changed in its place.
    ///   - cost: How long that is, in bytes of text.
    ///   - change: Changes the value.
    ///   - completion: Called with the value and the change's result; not if the follower is over by then.
    func update<Value: Sendable, Result: Sendable>(
        _ value: consuming Value, cost: Int, _ change: @escaping @Sendable (inout Value) -> Result,
        then completion: @escaping @Sendable (isolated Self, consuming Value, Result) -> Void
    ) {
        guard cost > LongEvent.threshold else {
            let result = change(&value)
            return completion(self, value, result)
        }
        let lent = LentValue(value)
        let make: @Sendable () -> Result = { lent.change(change) }
        inbox.isWorking = runBeside(cost, make) { follower, result in
            follower.inbox.isWorking = false
            guard !follower.isOver else { return }
            completion(follower, lent.takeBack(), result)
            follower.finish()
            follower.work()
        }
        if !inbox.isWorking {
            let result = make()
            completion(self, lent.takeBack(), result)
        }
    }

    /// Makes something on a thread beside the loops; false where it is soon done, or too much waits there.
    func runBeside<Value: Sendable>(
        _ cost: Int, _ make: @escaping @Sendable () -> Value,
        then completion: @escaping @Sendable (isolated Self, Value) -> Void
    ) -> Bool {
        guard cost > LongEvent.threshold else { return false }
        return environment.views.threads.run {
            let value = make()
            self.send { completion($0, value) }
        }
    }
}

extension SourceVersion {
    /// How long it takes to follow: the length of what has changed, in bytes of text, at most that of the list.
    var cost: Int { min(change?.textEstimate ?? .max, state.list.memory) }

    /// How long it takes to follow versions from the beginning: the list, and a share for each version.
    static func cost(ofAll versions: [SourceVersion]) -> Int {
        (versions.last?.state.list.memory ?? 0) + versions.count << 13
    }
}

/// A value that is lent to another thread, and held by nobody else.
private final class LentValue<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: consuming Value) { self.value = Mutex(consume value) }

    func change<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
        value.withLock { value in
            guard var taken = value.take() else { preconditionFailure("a value is taken back once it was changed") }
            let result = change(&taken)
            value = taken
            return result
        }
    }

    func takeBack() -> Value {
        value.withLock { value in
            guard let taken = value.take() else { preconditionFailure("a value is taken back once") }
            return taken
        }
    }
}
