import TestSupport
import Testing

@testable import CallboardClient
@testable import CallboardProgram

@Suite("Batches that overlap")
struct OverlapTests {
    /// A server that takes a batch only if the one before it is in, and is asked in any order.
    private struct Server {
        var batches = [0]
        /// The batch that it refuses once all before it are in.
        var refused: Int?

        mutating func takes(_ position: Int) -> Bool {
            guard batches.last == position - 1, position != refused else { return false }
            batches.append(position)
            return true
        }
    }

    /// Sends batches to a server; which of those in flight arrives next, and whose answer arrives next, is left to
    /// chance.
    private func send(
        _ count: Int, to server: inout Server, _ random: inout SeededGenerator
    ) -> (overlap: Overlap, sent: Int) {
        var overlap = Overlap(count: count)
        var (onTheWay, answers): ([Int], [(Int, Bool)]) = ([], [])
        var sent = 0
        while !overlap.isOver {
            if let position = overlap.next() {
                onTheWay.append(position)
                sent += 1
            } else if !onTheWay.isEmpty, answers.isEmpty || random.below(2) == 0 {
                let position = onTheWay.remove(at: random.below(onTheWay.count))
                answers.append((position, server.takes(position)))
            } else {
                let (position, isAccepted) = answers.remove(at: random.below(answers.count))
                overlap.end(position, isAccepted: isAccepted)
            }
            #expect(onTheWay.count + answers.count <= 2)
        }
        return (overlap, sent)
    }

    @Test("in whatever order requests and answers arrive, every batch is in once, in its order")
    func order() {
        let seed = SeededGenerator.seedOfRun("overlap")
        var random = SeededGenerator(seed: seed)
        for round in 0..<2_000 {
            let count = 3 + random.below(12)
            var server = Server()
            let (overlap, sent) = send(count, to: &server, &random)
            #expect(server.batches == Array(0..<count), "seed \(seed), round \(round)")
            #expect(overlap.accepted == count && !overlap.isOutOfOrder, "seed \(seed), round \(round)")
            // The first one is in already; each of the others is too early once at worst.
            #expect(sent <= 2 * (count - 1), "seed \(seed), round \(round)")
        }
    }

    @Test("a batch that is refused although all before it are in ends it there, and none after it is in")
    func refusal() {
        let seed = SeededGenerator.seedOfRun("refusal")
        var random = SeededGenerator(seed: seed)
        for round in 0..<2_000 {
            let count = 3 + random.below(12)
            let refused = 1 + random.below(count - 1)
            var server = Server(refused: refused)
            let overlap = send(count, to: &server, &random).overlap
            #expect(server.batches == Array(0..<refused), "seed \(seed), round \(round)")
            #expect(overlap.accepted == refused && !overlap.isOutOfOrder, "seed \(seed), round \(round)")
        }
    }

    @Test("a batch that is in before the one in front of it is noticed")
    func outOfOrder() {
        var overlap = Overlap(count: 4)
        #expect(overlap.next() == 1 && overlap.next() == 2 && overlap.next() == nil)
        overlap.end(2, isAccepted: true)
        overlap.end(1, isAccepted: false)
        #expect(overlap.isOver && overlap.isOutOfOrder && overlap.accepted == 1)
    }

    @Test("a batch that overlaps says where its sections and records come to stand")
    func positions() throws {
        func record(_ number: Int) -> LoadRecord {
            LoadRecord(place: .init(record: number, line: nil), value: .number(JSONNumber(number)))
        }
        let batches = [
            LoadBatch(steps: [.replace([]), .addSection(.init(id: "a", title: nil, records: [record(1), record(2)]))]),
            LoadBatch(steps: [
                .append([record(3)], LoadPlace(section: "a")),
                .addSection(.init(id: "b", title: nil, records: [record(4)])),
                .append([record(5)], LoadPlace(section: "b")),
            ]),
        ]
        var bodies = BatchBodies(batches, model: "M")
        #expect(
            String(decoding: bodies[1], as: UTF8.self)
                == #"{"operations":[{"op":"addElements","section":"a","at":2,"elements":[{"model":"M","value":3}]},"#
                + #"{"op":"addSections","sections":[{"id":"b","elements":[{"model":"M","value":4}]}],"at":1},"#
                + #"{"op":"addElements","section":"b","at":1,"elements":[{"model":"M","value":5}]}]}"#)
    }
}
