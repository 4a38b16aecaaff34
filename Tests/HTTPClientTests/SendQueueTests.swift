import TestSupport
import Testing

@testable import HTTPClient

@Suite("Whose request goes next")
struct SendQueueTests {
    private func entry(
        _ host: String = "a.example", _ urgency: ClientRequest.Urgency = .notification, sender: String = "hook",
        bytes: Int = 1
    ) throws -> SendQueue.Entry {
        SendQueue.Entry(
            ClientRequest(
                url: try HTTPURL("http://\(host)/"), body: [UInt8](repeating: 0, count: bytes), urgency: urgency,
                sender: sender, timeout: .seconds(1)))
    }

    private func queue(_ change: (inout HTTPClientConfiguration) -> Void = { _ in }) -> SendQueue {
        var limits = HTTPClientConfiguration(version: "")
        change(&limits)
        return SendQueue(limits: limits)
    }

    /// Everything that may go now.
    private func startAll(_ queue: inout SendQueue) -> [UInt64] {
        var started: [UInt64] = []
        while let id = queue.next() { started.append(id) }
        return started
    }

    @Test("a target has its places, and each that ends lets the next one go")
    func places() throws {
        var queue = queue { $0.concurrencyPerTarget = 2 }
        for id in UInt64(1)...5 { #expect(queue.add(id, try entry("a.example", .question)) == nil) }
        #expect(queue.add(6, try entry("b.example", .question)) == nil)
        #expect(startAll(&queue) == [1, 6, 2])
        #expect(queue.underWay == 3 && queue.waiting == 3)
        queue.remove(2)
        #expect(startAll(&queue) == [3])
        // One that waits and is given up takes nobody's place.
        queue.remove(4)
        queue.remove(1)
        #expect(startAll(&queue) == [5])
        for id in UInt64(1)...6 { queue.remove(id) }
        #expect(queue.underWay == 0 && queue.waiting == 0 && queue.targets == 0)
    }

    @Test("senders of one target take turns")
    func fairness() throws {
        var queue = queue { $0.concurrencyPerTarget = 1 }
        for id in UInt64(1)...4 { #expect(queue.add(id, try entry(sender: "loud")) == nil) }
        #expect(queue.add(5, try entry(sender: "quiet")) == nil)
        #expect(queue.add(6, try entry(sender: "other")) == nil)
        var order: [UInt64] = []
        while let id = queue.next() {
            order.append(id)
            queue.remove(id)
        }
        #expect(order == [1, 5, 6, 2, 3, 4])
    }

    @Test("targets take turns where all places are taken")
    func targets() throws {
        var queue = queue { $0.maxConcurrent = 1 }
        for id in UInt64(1)...3 { #expect(queue.add(id, try entry("a.example")) == nil) }
        for id in UInt64(4)...5 { #expect(queue.add(id, try entry("b.example")) == nil) }
        var order: [UInt64] = []
        while let id = queue.next() {
            order.append(id)
            #expect(queue.next() == nil)
            queue.remove(id)
        }
        #expect(order == [1, 4, 2, 5, 3])
    }

    @Test("many slow targets leave places for others, and the last ones for questions")
    func many() throws {
        var queue = queue { $0.maxConcurrent = 16 }
        for id in UInt64(1)...40 { #expect(queue.add(id, try entry("slow\(id % 4).example")) == nil) }
        #expect(startAll(&queue) == Array(1...12))
        for id in UInt64(101)...106 { #expect(queue.add(id, try entry("other\(id % 3).example")) == nil) }
        #expect(startAll(&queue) == [101, 102])
        for id in UInt64(201)...206 { #expect(queue.add(id, try entry("asked\(id % 3).example", .question)) == nil) }
        #expect(startAll(&queue) == [201, 202])
        #expect(queue.underWay == 16)
        // A place for one that is to be asked, then one for an idle target, then places for all again.
        queue.remove(201)
        #expect(startAll(&queue) == [203])
        for id in [202, 203, 101] as [UInt64] { queue.remove(id) }
        #expect(startAll(&queue) == [103, 204, 205])
        for id in [102, 103, 204, 205] as [UInt64] { queue.remove(id) }
        for id in UInt64(1)...3 { queue.remove(id) }
        #expect(startAll(&queue).first == 13)
    }

    @Test("questions go first, but a notification goes on after eight of them")
    func questionsFirst() throws {
        var queue = queue { $0.concurrencyPerTarget = 1 }
        for id in UInt64(101)...102 { #expect(queue.add(id, try entry()) == nil) }
        for id in UInt64(1)...20 { #expect(queue.add(id, try entry("a.example", .question)) == nil) }
        var order: [UInt64] = []
        while let id = queue.next() {
            order.append(id)
            queue.remove(id)
        }
        #expect(order == Array(1...8) + [101] + Array(9...16) + [102] + Array(17...20))
    }

    @Test("a quarter of a target's places is for questions alone")
    func reserve() throws {
        var queue = queue { $0.concurrencyPerTarget = 4 }
        for id in UInt64(101)...110 { #expect(queue.add(id, try entry()) == nil) }
        #expect(startAll(&queue) == [101, 102, 103])
        #expect(queue.add(1, try entry("a.example", .question)) == nil)
        #expect(queue.add(2, try entry("a.example", .question)) == nil)
        #expect(startAll(&queue) == [1])
        queue.remove(101)
        #expect(startAll(&queue) == [2])
        queue.remove(1)
        queue.remove(2)
        #expect(startAll(&queue) == [104])
    }

    @Test("one place alone serves both kinds")
    func onePlace() throws {
        var queue = queue { $0.concurrencyPerTarget = 1 }
        #expect(queue.add(1, try entry()) == nil)
        #expect(startAll(&queue) == [1])
    }

    @Test("what waits is bounded for a target, for all, and in bytes")
    func bounds() throws {
        var queue = queue {
            $0.concurrencyPerTarget = 1
            $0.maxWaitingPerTarget = 2
            $0.maxWaiting = 3
            $0.maxWaitingBytes = 10
        }
        #expect(queue.add(1, try entry()) == nil)
        #expect(startAll(&queue) == [1])
        #expect(queue.add(2, try entry(bytes: 4)) == nil)
        #expect(queue.add(3, try entry(bytes: 4)) == nil)
        #expect(queue.add(4, try entry()) == 2)
        #expect(queue.add(5, try entry("b.example", bytes: 3)) == 2)
        #expect(queue.add(6, try entry("b.example", bytes: 2)) == nil)
        #expect(queue.add(7, try entry("c.example", bytes: 0)) == 3)
        queue.remove(2)
        #expect(queue.add(8, try entry("c.example", bytes: 4)) == nil)
        #expect(queue.waiting == 3)
    }

    @Test("whatever comes and goes, no limit is passed, nothing is lost and nothing starves")
    func property() throws {
        var generator = SeededGenerator(seed: runSeed)
        for round in 0..<40 {
            let place: Comment = "seed \(runSeed), round \(round)"
            let (perTarget, total) = (1 + generator.below(6), 1 + generator.below(12))
            var queue = queue {
                $0.concurrencyPerTarget = perTarget
                $0.maxConcurrent = total
                $0.maxWaitingPerTarget = 20
                $0.maxWaiting = 50
            }
            var (underWay, waiting): ([UInt64: String], Set<UInt64>) = ([:], [])
            var hosts: [UInt64: String] = [:]
            for id in UInt64(1)...300 {
                let host = "h\(generator.below(4)).example"
                let urgency: ClientRequest.Urgency = generator.chance(2) ? .question : .notification
                if queue.add(id, try entry(host, urgency, sender: "s\(generator.below(5))")) == nil {
                    waiting.insert(id)
                    hosts[id] = host
                }
                if generator.chance(3), let gone = waiting.randomElement(using: &generator) {
                    queue.remove(gone)
                    waiting.remove(gone)
                }
                if generator.chance(2), let done = underWay.keys.sorted().first {
                    queue.remove(done)
                    underWay[done] = nil
                }
                while let next = queue.next() {
                    #expect(waiting.remove(next) != nil, place)
                    underWay[next] = hosts[next]
                }
                #expect(underWay.count <= total && underWay.count == queue.underWay, place)
                #expect(Dictionary(grouping: underWay.values) { $0 }.values.allSatisfy { $0.count <= perTarget }, place)
                #expect(waiting.count == queue.waiting, place)
            }
            // With places given back again and again, everything gets its turn.
            while !underWay.isEmpty {
                for id in underWay.keys { queue.remove(id) }
                underWay = [:]
                while let next = queue.next() {
                    waiting.remove(next)
                    underWay[next] = ""
                }
            }
            #expect(waiting.isEmpty && queue.waiting == 0 && queue.targets == 0, place)
        }
    }
}
