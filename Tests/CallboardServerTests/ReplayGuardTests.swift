import Dispatch
import Synchronization
import Testing

@testable import CallboardServer

@Suite("A message of another node is taken once")
struct ReplayGuardTests {
    private static func message(
        _ number: Int, sender: String = "s", to: Int = 2, epoch: String? = nil, time: Int = 1000
    ) -> NodeEnvelope {
        NodeEnvelope(
            request: ForwardedRequest("LOOK /"), from: 1, to: to, sender: sender, epoch: epoch, number: number,
            time: time)
    }

    /// Why a message is not taken; nil where it is.
    private static func refusal(_ received: ReplayGuard, _ message: NodeEnvelope, node: Int = 2) -> NodeRefusal? {
        do throws(NodeRefusal) {
            try received.admit(message, at: node, now: 1000)
            return nil
        } catch {
            return error
        }
    }

    /// The epoch, as a sender learns it.
    private static func epoch(of received: ReplayGuard, sender: String = "s") throws -> String {
        guard case .epoch(let epoch) = refusal(received, message(1, sender: sender)) else { throw NoEpoch() }
        return epoch
    }

    private struct NoEpoch: Error {}

    @Test("a message without the epoch is never taken, and one with it once")
    func once() throws {
        let received = ReplayGuard()
        let epoch = try Self.epoch(of: received)
        #expect(Self.refusal(received, Self.message(1)) == .epoch(epoch))
        let message = Self.message(1, epoch: epoch)
        #expect(Self.refusal(received, message) == nil)
        #expect(Self.refusal(received, message) == .repeated)
        #expect(Self.refusal(received, Self.message(1, sender: "other", epoch: epoch)) == nil)
        #expect(Self.refusal(received, Self.message(SequenceWindow.size + 1, epoch: epoch)) == nil)
        #expect(Self.refusal(received, Self.message(1, epoch: epoch)) == .repeated)
    }

    @Test("a message is refused by another node, and by the node once it was started again")
    func elsewhere() throws {
        let (received, restarted) = (ReplayGuard(), ReplayGuard())
        let message = Self.message(1, epoch: try Self.epoch(of: received))
        #expect(Self.refusal(received, message, node: 3) == .addressee)
        #expect(Self.refusal(restarted, message) == .epoch(try Self.epoch(of: restarted)))
        #expect(Self.refusal(received, message) == nil)
    }

    @Test(
        "a message that was kept back is refused, on either side of the tolerance", arguments: [-301, -300, 300, 301])
    func late(by seconds: Int) throws {
        let received = ReplayGuard()
        let message = Self.message(1, epoch: try Self.epoch(of: received), time: 1000 + seconds)
        #expect(Self.refusal(received, message) == (abs(seconds) > NodeEnvelope.tolerance ? .clock : nil))
        for time in [Int.min, Int.max] {
            #expect(Self.refusal(received, Self.message(2, epoch: message.epoch, time: time)) == .clock)
        }
    }

    @Test("with more senders than are known at once a new epoch begins, in which nothing of the one before is taken")
    func senders() throws {
        let received = ReplayGuard()
        let epoch = try Self.epoch(of: received)
        let messages = (0..<ReplayGuard.maxSenders).map { Self.message(1, sender: "s\($0)", epoch: epoch) }
        for message in messages { #expect(Self.refusal(received, message) == nil) }
        // One that is known goes on.
        #expect(Self.refusal(received, Self.message(2, sender: "s0", epoch: epoch)) == nil)
        let next = try Self.epoch(of: received, sender: "another")
        #expect(next != epoch)
        for message in messages + [Self.message(3, sender: "s0", epoch: epoch)] {
            #expect(Self.refusal(received, message) == .epoch(next))
        }
        #expect(Self.refusal(received, Self.message(4, sender: "s0", epoch: next)) == nil)
    }

    @Test("of a message that comes on many threads at once one is taken")
    func threads() throws {
        let received = ReplayGuard()
        let epoch = try Self.epoch(of: received)
        let taken = Atomic(0)
        for number in 1...200 {
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                if Self.refusal(received, Self.message(number, epoch: epoch)) == nil {
                    taken.add(1, ordering: .relaxed)
                }
            }
        }
        #expect(taken.load(ordering: .relaxed) == 200)
    }

    @Test("no two messages to one node have the same number, however many nodes there are")
    func sequences() {
        var sequences = PeerSequences()
        var used: Set<[Int]> = []
        for round in 0..<3 {
            for node in 1...PeerSequences.maxNodes + 1 {
                let (epoch, number) = sequences.next(for: node)
                #expect(used.insert([node, number]).inserted, "node \(node), round \(round)")
                #expect(epoch == nil || epoch == "e\(node)")
                sequences.note("e\(node)", of: node)
            }
        }
        sequences.note(nil, of: 1)
        #expect(sequences.next(for: 1).epoch == nil)
    }
}
