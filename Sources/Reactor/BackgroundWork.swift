/// The work of a loop that gives way to everything else: a part of it runs in each turn, until all that was handed in
/// together is done.
struct BackgroundWork {
    /// How long it may run in a turn, in nanoseconds. Other work waits at most so long, and for one piece of it.
    static let slice: UInt64 = 100_000
    /// How long it gives way, in nanoseconds. Work that has waited longer runs to its end: whoever hands in more than the
    /// loop can do is then slowed down, and the work that waits does not grow for ever.
    static let patience: UInt64 = 50_000_000
    /// How many pieces run between two looks at the clock.
    private static let stride = 4

    private var batch: [EventLoop.Work] = []
    private var next = 0
    private var start: LoopInstant = 0

    /// Whether everything is done that was taken.
    var isDone: Bool { next == batch.count }

    /// Takes what was handed in. Everything taken before has to be done.
    mutating func take(_ work: inout [EventLoop.Work], at now: LoopInstant) {
        swap(&batch, &work)
        start = now
    }

    /// Runs the next pieces, in the order in which they were handed in.
    mutating func run(on loop: EventLoop, by clock: some LoopClock) {
        guard !isDone else { return }
        let begin = clock.now()
        while !isDone {
            let end = min(next + Self.stride, batch.count)
            while next < end {
                batch[next].run(on: loop)
                next += 1
            }
            if isDone { break }
            let now = clock.now()
            if now &- begin >= Self.slice, now &- start < Self.patience { return }
        }
        batch.removeAll(keepingCapacity: batch.count <= 1024)
        next = 0
    }
}
