import TestSupport
import Testing

@testable import HTTPWire

@Suite("HTTP/1.1 on a connection: bytes in random pieces")
struct HTTP1MachinePropertyTests {
    /// What a connection came to; interim responses and deadlines depend on how the bytes are cut, and are left out.
    private struct Outcome: Equatable {
        let events: [MachineConnection.Event]
        let output: [UInt8]
        let stage: HTTP1Machine.Stage

        init(_ stream: [UInt8], cutAt cuts: [Int], fault: MachineConnection.Fault? = nil) {
            let connection = MachineConnection(.atOnce, limits: smallLimits, fault: fault)
            var start = 0
            for cut in cuts + [stream.count] {
                connection.feed(Array(stream[start..<cut]))
                start = cut
            }
            self.init(connection)
        }

        init(_ connection: MachineConnection) {
            events = connection.events
            output = connection.output
            stage = connection.stage
        }
    }

    /// One to four requests one after the other, some of them with a byte changed.
    private static func stream(_ generator: inout SeededGenerator) -> [UInt8] {
        var stream: [UInt8] = []
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            stream +=
                generator.percent(50)
                ? RandomRequest.make(&generator).rendered(&generator)
                : ValidRequest.all.randomElement(using: &generator)?.bytes ?? []
        }
        if generator.percent(30), !stream.isEmpty {
            stream[Int.random(in: stream.indices, using: &generator)] = .random(in: 0...255, using: &generator)
        }
        return stream
    }

    /// How many of `count` streams come out differently in pieces than as a whole; stops at the first that may not.
    private static func differences(
        _ count: Int, _ generator: inout SeededGenerator, fault: MachineConnection.Fault?
    ) -> (different: Int, answered: Int) {
        var (different, answered) = (0, 0)
        for _ in 0..<count {
            let stream = stream(&generator)
            let cuts = (0..<Int.random(in: 1...8, using: &generator))
                .map { _ in Int.random(in: 0...stream.count, using: &generator) }.sorted()
            let whole = Outcome(stream, cutAt: [])
            if Outcome(stream, cutAt: cuts, fault: fault) != whole {
                different += 1
                if fault == nil {
                    Issue.record("cut at \(cuts): \(String(decoding: stream, as: UTF8.self).debugDescription)")
                    break
                }
            }
            answered += whole.events.count
        }
        return (different, answered)
    }

    @Test("the same bytes lead to the same requests and the same answers, however they are cut")
    func pieces() {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("HTTP/1.1 in random pieces"))
        let (different, answered) = Self.differences(4000, &generator, fault: nil)
        #expect(different == 0)
        // Streams of which nothing is answered would test nothing.
        #expect(answered > 4000)
    }

    @Test("connections that share readers read what each reads alone, however their bytes come by turns")
    func sharedReaders() {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("HTTP/1.1 with shared readers"))
        for _ in 0..<1000 {
            let readers = RequestReaders(limits: smallLimits)
            let streams = (0..<3).map { _ in Self.stream(&generator) }
            let connections = streams.map { _ in MachineConnection(.atOnce, readers: readers) }
            var rest = streams.map { $0[...] }
            while let next = rest.indices.filter({ !rest[$0].isEmpty }).randomElement(using: &generator) {
                let count = Int.random(in: 1...40, using: &generator)
                connections[next].feed(Array(rest[next].prefix(count)))
                rest[next] = rest[next].dropFirst(count)
            }
            for (stream, connection) in zip(streams, connections)
            where Outcome(connection) != Outcome(stream, cutAt: []) {
                Issue.record("beside others: \(String(decoding: stream, as: UTF8.self).debugDescription)")
                return
            }
        }
    }

    @Test("a driver with a mistake is caught", arguments: MachineConnection.Fault.allCases)
    func plantedFaults(fault: MachineConnection.Fault) {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("HTTP/1.1 in random pieces"))
        #expect(Self.differences(1000, &generator, fault: fault).different > 10)
    }
}
