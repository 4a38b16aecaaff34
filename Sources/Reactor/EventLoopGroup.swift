import Synchronization

/// A fixed number of event loops that live and end together.
package final class EventLoopGroup: Sendable {
    /// The loops, in a fixed order.
    package let loops: [EventLoop]
    private let turn = Atomic<Int>(0)

    /// Starts `count` loops (at least one).
    package init(count: Int, clock: any LoopClock = MonotonicClock()) throws(SystemError) {
        var loops: [EventLoop] = []
        for index in 0..<max(1, count) {
            loops.append(try EventLoop(name: "loop-\(index)", clock: clock))
        }
        self.loops = loops
    }

    /// The loops in turn, for work that may run on any of them.
    package func next() -> EventLoop {
        let (old, _) = turn.wrappingAdd(1, ordering: .relaxed)
        return loops[Int(UInt(bitPattern: old) % UInt(loops.count))]
    }

    /// The loop of what bears this name: the same name gives the same loop, in every run of the program.
    package func loop(forName name: String) -> EventLoop {
        // FNV-1a: a few instructions a byte and well spread; a hostile choice of names costs balance, nothing else.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return loops[Int(hash % UInt64(loops.count))]
    }

    /// Has every loop run what was handed in, stops them, and returns when their threads are done with it.
    ///
    /// Not to be called from one of the loops. Actors that live on them do not run again.
    package func stop() async {
        for loop in loops { await loop.stopAndWait() }
    }
}
