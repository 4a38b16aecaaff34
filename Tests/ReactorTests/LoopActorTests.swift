import Dispatch
import Reactor
import Testing

/// An actor that lives on a loop.
actor Resident: LoopActor {
    nonisolated let loop: EventLoop
    private(set) var count = 0

    init(loop: EventLoop) { self.loop = loop }

    func add() -> Bool {
        count += 1
        return loop.isCurrent
    }
}

@Suite("Actors on a loop")
struct LoopActorTests {
    @Test("an actor's methods run on its loop, wherever they are called from")
    func isolation() async throws {
        let loop = try EventLoop(name: "actor")
        let resident = Resident(loop: loop)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { await resident.add() } }
            for await ranOnLoop in group { #expect(ranOnLoop) }
        }
        #expect(await resident.count == 100)
        await loop.stopAndWait()
    }

    @Test("plain callbacks of the loop enter the actor without a hop")
    func assumeIsolated() async throws {
        let loop = try EventLoop(name: "enter")
        let resident = Resident(loop: loop)
        let entered = await onLoop(loop) { resident.assumeIsolated { $0.add() } }
        #expect(entered)
        let fromTimer = await withCheckedContinuation { continuation in
            loop.schedule(after: .zero) { continuation.resume(returning: resident.assumeIsolated { $0.add() }) }
        }
        #expect(fromTimer)
        #expect(await resident.count == 2)
        await loop.stopAndWait()
    }

    @Test("two actors on one loop enter each other synchronously")
    func neighbours() async throws {
        let loop = try EventLoop(name: "pair")
        let (first, second) = (Resident(loop: loop), Resident(loop: loop))
        let entered = await onLoop(loop) {
            first.assumeIsolated { first in
                first.add() && second.assumeIsolated { $0.add() }
            }
        }
        #expect(entered)
        await loop.stopAndWait()
    }

    @Test("entering on the loop runs at once, before what waits in its queue; sending waits in it")
    func enterOnLoop() async throws {
        let loop = try EventLoop(name: "order")
        let (resident, record) = (Resident(loop: loop), Record<String>())
        loop.execute {
            loop.execute { record.add("queued") }
            resident.send { record.add("sent \($0.add())") }
            resident.enter { record.add("entered \($0.add())") }
            resident.enter("with a value") { record.add("entered \($1) \($0.add())") }
            record.add("returned \(resident.onLoop(2) { $0.add() ? $1 : 0 })")
        }
        await loop.stopAndWait()
        #expect(
            record.values
                == ["entered true", "entered with a value true", "returned 2", "queued", "sent true"])
    }

    @Test("entering from another thread goes through the queue, in the order of the calls")
    func enterElsewhere() async throws {
        let loop = try EventLoop(name: "elsewhere")
        let (resident, record) = (Resident(loop: loop), Record<Int>())
        let gate = DispatchSemaphore(value: 0)
        loop.execute { gate.wait() }
        for number in 0..<300 {
            switch number % 3 {
            case 0: resident.enter { if $0.add() { record.add(number) } }
            case 1: resident.enter(number) { if $0.add() { record.add($1) } }
            default: resident.send { if $0.add() { record.add(number) } }
            }
        }
        #expect(record.values.isEmpty)
        gate.signal()
        await loop.stopAndWait()
        #expect(record.values == Array(0..<300))
    }
}
