import CLinux
import Glibc

/// The part of an event loop that belongs to its thread: the epoll set, the table of handlers and the timers.
final class LoopCore {
    /// The tag of the loop's wake-up descriptor; generations start at one, and no registration has it.
    static let wakeUpTag: UInt64 = 0
    private static let eventsPerPoll = 256

    private struct Slot {
        var generation: UInt32
        var handler: (any EventHandler)?
        var token: UInt64
    }

    /// The job that turns the loop, between the moment its thread asks for it and the moment it runs.
    enum FirstJob {
        case none
        case awaited
        case here(UnownedJob)
    }

    let clock: any LoopClock
    var firstJob = FirstJob.none
    // SAFETY: it is read or written in one step.
    @exclusivity(unchecked) var now: LoopInstant
    var timers = DeadlineHeap<ScheduledTimer>()
    private let set: Descriptor
    private var slots: [Slot] = []
    private var freeSlots: [UInt32] = []
    private let events: UnsafeMutableRawPointer

    init(clock: any LoopClock) throws(SystemError) {
        self.clock = clock
        now = clock.now()
        set = Descriptor(owning: Int32(try SystemCall.run("epoll_create1") { Int(clinux_epoll_create()) }))
        // SAFETY: freed in deinit and used by `poll` alone, with the same number of events.
        events = .allocate(byteCount: Self.eventsPerPoll * Int(clinux_epoll_event_size()), alignment: 8)
    }

    deinit {
        // SAFETY: allocated in init; the loop's thread has ended or never started.
        events.deallocate()
    }

    // MARK: The table of handlers

    func claimSlot(handler: any EventHandler, token: UInt64) -> Registration {
        guard let index = freeSlots.popLast() else {
            slots.append(Slot(generation: 1, handler: handler, token: token))
            return Registration(slot: UInt32(slots.count - 1), generation: 1)
        }
        slots[Int(index)].handler = handler
        slots[Int(index)].token = token
        return Registration(slot: index, generation: slots[Int(index)].generation)
    }

    func release(_ registration: Registration) {
        let index = Int(registration.slot)
        guard index < slots.count, slots[index].generation == registration.generation, slots[index].handler != nil
        else { return }
        slots[index].handler = nil
        // Zero is left out when the count wraps: it would make a tag that looks like the wake-up's.
        slots[index].generation = slots[index].generation == .max ? 1 : slots[index].generation + 1
        freeSlots.append(registration.slot)
    }

    func releaseAll() {
        slots = []
        freeSlots = []
        timers = DeadlineHeap()
    }

    // MARK: The epoll set

    func watch(_ number: Int32, _ readiness: Readiness, edgeTriggered: Bool, tag: UInt64) throws(SystemError) {
        _ = try SystemCall.run("epoll_ctl") {
            Int(clinux_epoll_add(set.number, number, readiness.rawValue, edgeTriggered ? 1 : 0, tag))
        }
    }

    func rewatch(_ number: Int32, _ readiness: Readiness, edgeTriggered: Bool, tag: UInt64) throws(SystemError) {
        _ = try SystemCall.run("epoll_ctl") {
            Int(clinux_epoll_modify(set.number, number, readiness.rawValue, edgeTriggered ? 1 : 0, tag))
        }
    }

    func unwatch(_ number: Int32) {
        _ = clinux_epoll_remove(set.number, number)
    }

    /// Waits for events until the next timer (or not at all), and hands them out.
    func poll(mayWait: Bool) {
        let timeout = mayWait ? millisecondsToWait() : 0
        let count = wait(milliseconds: timeout)
        now = clock.now()
        for index in 0..<count {
            // SAFETY: the kernel filled in the first `count` events.
            let event = clinux_epoll_event_at(events, Int32(index))
            dispatch(event)
        }
    }

    /// Waits for events, and returns how many there are.
    ///
    /// Nothing but a signal may end it without: any other error means that the set or the buffer is not what it was made
    /// as, and a loop that went on would spin without ever seeing an event.
    private func wait(milliseconds: Int32) -> Int {
        do throws(SystemError) {
            return try SystemCall.runWaiting("epoll_wait") {
                Int(clinux_epoll_wait(set.number, events, Int32(Self.eventsPerPoll), milliseconds))
            }
        } catch {
            preconditionFailure("the event loop cannot wait: \(error)")
        }
    }

    @inline(__always)
    private func dispatch(_ event: clinux_ready) {
        guard event.data != Self.wakeUpTag else { return }
        let index = Int(UInt32(truncatingIfNeeded: event.data))
        // A handler before this one may have closed the descriptor, and another may have taken its number or slot.
        guard index < slots.count, slots[index].generation == UInt32(event.data >> 32),
            let handler = slots[index].handler
        else { return }
        handler.ready(Readiness(rawValue: event.events), token: slots[index].token)
    }

    private func millisecondsToWait() -> Int32 {
        guard let deadline = timers.earliest else { return -1 }
        let time = clock.now()
        guard deadline > time else { return 0 }
        // Rounded up: a timer may be late, never early.
        return Int32(clamping: (deadline - time + 999_999) / 1_000_000)
    }
}
