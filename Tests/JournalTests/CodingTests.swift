import DirectorLife
import Directors
import JSONValues
import JournalTesting
import TestSupport
import Testing

@testable import Journal
@testable import JournalSQLite

/// Bytes and what they mean.
struct CodingTests {
    @Test("the stable hash is XXH64, whose values are published")
    func hash() {
        #expect(StableHash.hash([]) == 0xEF46_DB37_51D8_E999)
        #expect(StableHash.hash(Array("a".utf8)) == 0xD24E_C4F1_A98C_6E5B)
        #expect(StableHash.hash(Array("abc".utf8)) == 0x44BC_2CF5_AD77_0999)
        let sentence = "Nobody inspects the spammish repetition"
        #expect(StableHash.hash(Array(sentence.utf8)) == 0xFBCE_A83C_8A37_8BF1)
    }

    @Test("every byte of a text matters to its hash, whatever its length")
    func everyByte() {
        for length in 1...70 {
            let bytes = (0..<length).map { UInt8($0) }
            let hash = StableHash.hash(bytes)
            for position in bytes.indices {
                var other = bytes
                other[position] ^= 0x40
                #expect(StableHash.hash(other) != hash)
            }
            #expect(StableHash.hash(bytes + [0]) != hash)
        }
    }

    @Test("numbers, texts and bytes come back, however they are cut into chunks")
    func byteCoding() throws {
        let numbers = [0, 1, 127, 128, 16_383, 16_384, 1 << 40, Int.max]
        var writer = ByteWriter()
        for number in numbers { writer.number(number) }
        writer.text("Grüße")
        writer.counted([UInt8](repeating: 7, count: 1000))
        writer.counted([])
        for size in [1, 2, 3, 7, 100, 10_000] {
            var chunks = stride(from: 0, to: writer.bytes.count, by: size).map { start in
                Array(writer.bytes[start..<min(start + size, writer.bytes.count)])
            }.makeIterator()
            var reader = ByteReader { chunks.next() }
            for number in numbers { #expect(try reader.number() == number) }
            #expect(try reader.text() == "Grüße")
            #expect(try reader.counted() == [UInt8](repeating: 7, count: 1000))
            #expect(try reader.counted() == [])
            #expect(try reader.isAtEnd())
        }
    }

    @Test(
        "a JSON value is written as one that was encoded apart, whatever the bytes of its count",
        arguments: [0, 1, 125, 126, 16_381, 16_382, 2_097_149, 2_097_150], [0, 64, 1 << 22])
    func json(length: Int, estimate: Int) throws {
        let text = String(repeating: "x", count: length)
        var (apart, json) = (ByteWriter(), JSONWriter())
        json.string(text)
        apart.text("before")
        apart.counted(json.bytes)
        apart.number(7)
        var writer = ByteWriter()
        writer.text("before")
        writer.json(estimate: estimate) { $0.string(text) }
        writer.number(7)
        #expect(writer.bytes == apart.bytes)
        var reader = ByteReader(writer.bytes)
        #expect(try reader.text() == "before")
        #expect(try reader.counted() == json.bytes)
        #expect(try reader.number() == 7)
    }

    @Test("bytes of any kind are read or refused, and never trap")
    func randomBytes() {
        let seed = SeededGenerator.seedOfRun("random bytes")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3000 {
            let bytes = (0..<random.below(40)).map { _ in
                UInt8(truncatingIfNeeded: random.below(random.chance(2) ? 6 : 256))
            }
            _ = try? RecordCoding.decode(bytes)
            var snapshot = ByteWriter()
            snapshot.counted(StateEncoder.magic)
            var chunks = [snapshot.bytes, bytes].makeIterator()
            var decoder = StateDecoder { chunks.next() }
            _ = try? decoder.decode()
        }
    }

    @Test("a snapshot whose bytes were changed is read or refused, and never traps")
    func changedSnapshot() throws {
        let seed = SeededGenerator.seedOfRun("changed snapshot")
        var random = SeededGenerator(seed: seed)
        var life = RandomLife("contacts", epoch: "e", seed: seed)
        _ = life.begin()
        for _ in 0..<30 { _ = life.step() }
        let state = life.state
        var bytes: [UInt8] = []
        try state.forEachSnapshotChunk { bytes += $0 }
        for _ in 0..<1500 {
            var changed = bytes
            changed[random.below(changed.count)] = UInt8(truncatingIfNeeded: random.below(256))
            if random.chance(3) { changed.removeLast(random.below(changed.count)) }
            var chunks = [changed].makeIterator()
            var decoder = StateDecoder { chunks.next() }
            _ = try? decoder.decode()
        }
    }

    @Test("a list is put together from another one, and shared elements are not written again")
    func listCopy() throws {
        let adapter = CellAdapter(model: "Item", cell: "Cell")
        let seed = SeededGenerator.seedOfRun("list copy")
        var random = SeededGenerator(seed: seed)
        let all = try (0..<400).map { try Element(restoring: JSONValue(parsing: "\($0)"), adapter: adapter) }
        for _ in 0..<200 {
            let source = Array(all[..<300])
            var target = source
            for _ in 0..<random.below(6) {
                switch random.below(4) {
                case 0: target.insert(all[300 + random.below(100)], at: random.below(target.count))
                case 1: target.remove(at: random.below(target.count))
                case 2: target[random.below(target.count)] = all[300 + random.below(100)]
                default: target.insert(target.remove(at: random.below(target.count)), at: random.below(target.count))
                }
            }
            var made: [Element] = []
            var own = 0
            for piece in ListCopy(target, from: source).pieces {
                switch piece {
                case .copy(let range): made += source[range]
                case .own(let range):
                    made += target[range]
                    own += range.count
                }
            }
            #expect(made.elementsEqual(target, by: ===), "seed \(seed)")
            #expect(own <= 24, "seed \(seed)")
        }
    }

    @Test("a snapshot of a director whose two lists are alike holds each element once")
    func snapshotSize() throws {
        var director = Director(
            name: "contacts", epoch: "e", properties: DirectorProperties(defaultsOf: .table), limits: DirectorLimits())
        try director.register(CellAdapter(model: "Item", cell: "Cell"))
        let drafts = try (0..<5000).map { ElementDraft(value: try JSONValue(parsing: #"{"id":"element \#($0)"}"#)) }
        try director.perform([.sections(.set([SectionDraft(identifier: "s", elements: drafts)]))])
        _ = try director.reload()
        try director.perform([.elements(of: .section(.first), .remove(.position(100)))])
        let elements = Array(director.working.list.sections).flatMap(\.elements)
        let text = elements.reduce(0) { $0 + $1.value.bytes.count + $1.identifier.utf8.count }
        let state = LifeState(new: director, retention: VersionRetention(count: 1, bytes: 0))
        var sizes: [Int] = []
        try state.forEachSnapshotChunk { sizes.append($0.count) }
        #expect(sizes.allSatisfy { $0 <= SnapshotLimits.chunk })
        #expect(sizes.reduce(0, +) < text + text / 5)
    }

    @Test("a snapshot in the form before this one is read, adapters and several sections and all")
    func earlierForm() throws {
        let seed = SeededGenerator.seedOfRun("earlier form")
        for round in 0..<20 {
            // That form is older than rows.
            var life = RandomLife("contacts", epoch: "e", seed: seed &+ UInt64(round), hasRows: false)
            _ = life.begin()
            for _ in 0..<30 { _ = life.step() }
            let state = life.state
            var chunks = [EarlierSnapshot.bytes(of: state)].makeIterator()
            var decoder = StateDecoder { chunks.next() }
            let decoded = try decoder.decode()
            #expect(decoded.director.working.list == state.director.working.list, "seed \(seed), round \(round)")
            #expect(decoded.director.published.list == state.director.published.list, "seed \(seed), round \(round)")
            #expect(decoded.director.revision == state.director.revision)
        }
    }

    @Test("verifying reads every value of a snapshot; a start takes them as they are", arguments: [false, true])
    func verifying(isVerifying: Bool) throws {
        var director = Director(
            name: "contacts", epoch: "e", properties: DirectorProperties(defaultsOf: .table), limits: DirectorLimits())
        try director.register(CellAdapter(model: "Item", cell: "Cell"))
        let drafts = try (0..<50).map { ElementDraft(value: try JSONValue(parsing: #"{"id":"e \#($0)"}"#)) }
        try director.perform([.sections(.set([SectionDraft(identifier: "s", elements: drafts)]))])
        var bytes: [UInt8] = []
        try LifeState(new: director, retention: VersionRetention(count: 1, bytes: 0))
            .forEachSnapshotChunk { bytes += $0 }
        let text = Array(#"{"id":"e 42"}"#.utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
        for (offset, byte) in [(9, UInt8(ascii: "3")), (0, UInt8(ascii: "["))] {
            var changed = bytes
            changed[place + offset] = byte
            var chunks = [changed].makeIterator()
            var decoder = StateDecoder(isVerifying: isVerifying) { chunks.next() }
            let result = Result { try decoder.decode() }
            #expect((try? result.get()) == nil || !isVerifying, "\(byte)")
            if !isVerifying { #expect(try result.get().director.working.list.counts.elements == 50) }
        }
    }

    @Test("a list that differs from another one in few places or in many comes back and shares what it can")
    func copies() throws {
        let seed = SeededGenerator.seedOfRun("copies")
        var random = SeededGenerator(seed: seed)
        for changes in [0, 1, 3, 60, 900] {
            var director = Director(
                name: "contacts", epoch: "e", properties: DirectorProperties(defaultsOf: .table),
                limits: DirectorLimits())
            try director.register(CellAdapter(model: "Item", cell: "Cell"))
            let drafts = try (0..<1000).map { ElementDraft(value: try JSONValue(parsing: #"{"id":\#($0)}"#)) }
            try director.perform([.sections(.set([SectionDraft(identifier: "s", elements: drafts)]))])
            _ = try director.reload()
            for _ in 0..<changes {
                let position = random.below(director.working.list.counts.elements)
                switch random.below(3) {
                case 0: try director.perform([.elements(of: .section(.first), .remove(.position(position)))])
                case 1:
                    let value = try JSONValue(parsing: "\(random.below(5000))")
                    try director.perform([
                        .elements(of: .section(.first), .put(.position(position), ElementDraft(value: value)))
                    ])
                default:
                    try director.perform([
                        .elements(of: .section(.first), .move(from: .position(position), to: .position(0)))
                    ])
                }
            }
            let state = LifeState(new: director, retention: VersionRetention(count: 1, bytes: 0))
            var chunks: [[UInt8]] = []
            try state.forEachSnapshotChunk { chunks.append($0) }
            var remaining = chunks.makeIterator()
            var decoder = StateDecoder { remaining.next() }
            let decoded = try decoder.decode().director
            #expect(decoded.working.list == director.working.list, "seed \(seed), \(changes) changes")
            #expect(decoded.published.list == director.published.list, "seed \(seed), \(changes) changes")
            #expect(
                decoded.published.list.bytesNotShared(with: decoded.working.list)
                    < director.published.list.bytesNotShared(with: ListState()) / 4 + changes * 4096)
        }
    }
}
