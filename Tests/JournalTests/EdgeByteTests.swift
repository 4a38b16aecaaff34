import DirectorLife
import Directors
import JSONValues
import JournalTesting
import TestSupport
import Testing

@testable import Journal

@Suite("Stored bytes with numbers at every edge")
struct EdgeByteTests {
    /// A number as it is stored, seven bits to a byte: at the ends of its lengths, beyond 64 bits, and without an end.
    private static func number(_ generator: inout SeededGenerator) -> [UInt8] {
        if generator.chance(8) { return Array(repeating: 0xFF, count: generator.below(12) + 1) }
        let edges: [UInt64] = [
            0, 1, 2, 0x7F, 0x80, 0x3FFF, 0x4000, 1 << 29, 1 << 31, 1 << 32, 1 << 53, 1 << 62, (1 << 63) - 1, 1 << 63,
            .max,
        ]
        var rest = edges[generator.below(edges.count)] &+ UInt64(generator.below(3)) &- 1
        var bytes: [UInt8] = []
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(truncatingIfNeeded: rest)]
    }

    /// The bytes with a few numbers in the place of what stood there: mostly of one byte, as most numbers are stored.
    private static func changed(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0...generator.below(3) {
            let place = generator.below(bytes.count)
            // The beginning has the counts and numbers of the whole.
            let start = generator.chance(2) ? min(place, generator.below(160)) : place
            let end = min(bytes.count, start + (generator.chance(4) ? generator.below(4) : 1))
            bytes.replaceSubrange(start..<end, with: number(&generator))
        }
        return bytes
    }

    @Test("a snapshot is decoded or refused, whatever numbers stand in it, and what is decoded goes on")
    func snapshots() throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("snapshots with numbers at every edge"))
        var snapshots: [[UInt8]] = []
        for _ in 0..<4 {
            var life = RandomLife("d", epoch: "e", seed: generator.next())
            _ = life.begin()
            for _ in 0..<30 { _ = life.step() }
            var bytes: [UInt8] = []
            try life.state.forEachSnapshotChunk { bytes += $0 }
            snapshots.append(bytes)
        }
        let change = try Directors.Operation.decode(JSONDocument(#"{"op":"setVariable","name":"v","value":1}"#).root)
        var decoded = 0
        for _ in 0..<EdgeNumbers.cases(percent: 4) {
            let bytes = Self.changed(snapshots[generator.below(snapshots.count)], &generator)
            var chunks = [bytes].makeIterator()
            var decoder = StateDecoder(isVerifying: true) { chunks.next() }
            guard let result = try? decoder.decode() else { continue }
            decoded += 1
            var director = result.director
            // What counts up from a number that was stored has room to.
            _ = try? director.perform([change])
            _ = try? director.reload(animations: nil)
        }
        print("\(decoded) were decoded")
    }

    @Test("a record is decoded or refused, whatever numbers stand in it, and what is decoded is performed or refused")
    func records() throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("records with numbers at every edge"))
        let retention = VersionRetention(count: 4, bytes: 1 << 20)
        var life = RandomLife("d", epoch: "e", seed: generator.next())
        var records = [life.begin()]
        for _ in 0..<60 { records.append(life.step()) }
        let payloads = records.map { RecordCoding.encode($0.entries) }
        var state = try LifeState(following: records[0], retention: retention)
        for round in 0..<EdgeNumbers.cases(percent: 4) {
            let place = round % payloads.count
            let bytes = Self.changed(payloads[place], &generator)
            if let entries = try? RecordCoding.decode(bytes) {
                var copy = state
                for case .entry(let entry) in entries { _ = try? copy.perform(entry) }
            }
            guard place > 0, place + 1 < payloads.count else {
                state = try LifeState(following: records[0], retention: retention)
                continue
            }
            for entry in records[place].entries { _ = try? state.perform(entry) }
        }
    }
}
