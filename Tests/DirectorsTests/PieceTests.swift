import JSONValues
import TestSupport
import Testing

@testable import Directors

@Suite("Snapshots and changes that are encoded in pieces")
struct PieceTests {
    /// The pieces of something, each as short as the size allows.
    private func pieces(size: Int, _ write: (inout JSONWriter, Int) -> Bool) -> [[UInt8]] {
        var writer = JSONWriter()
        var pieces: [[UInt8]] = []
        var isComplete = false
        while !isComplete {
            isComplete = write(&writer, size)
            pieces.append(writer.takeBytes())
        }
        return pieces
    }

    private func together(_ pieces: [[UInt8]]) -> String {
        String(decoding: pieces.joined(), as: UTF8.self)
    }

    @Test("the pieces of a snapshot are the whole, in both forms and for every size", arguments: [true, false])
    func snapshot(includingElements: Bool) throws {
        let director = try filledDirector()
        try director.register(HeaderFooterAdapter(view: "V"))
        try director.perform([.sections(.patch(.first, ValueDraft(json(#"{"isCollapsed":true,"headerView":"V"}"#))))])
        _ = try director.reload()
        let (value, state) = (director.value, director.published)
        let whole = text { value.encodeSnapshot(of: state, includingElements: includingElements, to: &$0) }
        for size in 1...whole.utf8.count + 1 {
            var encoder = SnapshotEncoder(value, state, includingElements: includingElements)
            let pieces = pieces(size: size) { encoder.write(to: &$0, upTo: $1) }
            #expect(together(pieces) == whole, "size \(size)")
        }
        var encoder = SnapshotEncoder(value, state, includingElements: includingElements)
        #expect(pieces(size: 1) { encoder.write(to: &$0, upTo: $1) }.count >= (includingElements ? 5 : 4))
    }

    @Test("why a client begins anew stands at the end of the snapshot")
    func reset() throws {
        let director = try filledDirector()
        _ = try director.reload()
        let whole = text { director.value.encodeSnapshot(of: director.published, includingElements: true, to: &$0) }
        var encoder = SnapshotEncoder(
            director.value, director.published, includingElements: true, reset: #"the "id" is gone"#)
        let found = together(pieces(size: 16) { encoder.write(to: &$0, upTo: $1) })
        #expect(found == whole.dropLast() + #","reset":"the \"id\" is gone"}"#)
    }

    @Test("a piece is as long as it was asked to be and an element more, however many elements there are")
    func lengths() throws {
        let director = try emptyDirector()
        let elements = try (0..<5_000).map { try draft(#""\#(100_000 + $0)""#) }
        try director.perform([.sections(.set([SectionDraft(identifier: "s", elements: elements)]))])
        _ = try director.reload()
        var encoder = SnapshotEncoder(director.value, director.published, includingElements: true)
        let pieces = pieces(size: 4_096) { encoder.write(to: &$0, upTo: $1) }
        #expect(pieces.count > 50)
        #expect(pieces.dropLast().allSatisfy { (4_096..<4_196).contains($0.count) })
        let estimate = director.published.snapshotEstimate(includingElements: true)
        #expect(estimate >= pieces.reduce(0) { $0 + $1.count })
    }

    @Test("the pieces of random changes are the whole")
    func changes() throws {
        let seed = SeededGenerator.seedOfRun("pieces of changes")
        var random = SeededGenerator(seed: seed)
        var compared = 0
        var subject = Subject()
        subject.reload = { director in
            let change = try director.reload()
            guard let change else { return nil }
            let whole = text { change.encode(to: &$0) }
            var encoder = ChangeEncoder(change)
            let size = 1 + random.below(200)
            let found = together(pieces(size: size) { encoder.write(to: &$0, upTo: $1) })
            compared += found == whole ? 1 : -1_000_000
            return change
        }
        let failure = try LifePropertyTests().counterexample(seed: seed, runs: 300, subject)
        #expect(failure == nil, "seed \(seed)")
        #expect(compared > 300, "seed \(seed)")
    }
}
