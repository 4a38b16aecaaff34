import JSONValues
import TestSupport
import Testing

@Suite("Equality of JSON values")
struct EqualityPropertyTests {
    private static let runs = 4_000

    /// Looks for a value of which two renderings differ under `areEqual`, or one that equals another value, and shrinks
    /// it.
    private func counterexample(
        seed: UInt64, runs: Int = runs, areEqual: (JSONValue, JSONValue) -> Bool
    ) throws -> String? {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<runs {
            let model = Model.random(depth: 3, using: &generator)
            let other = Model.random(depth: 1, using: &generator)
            let renderingSeed = generator.next()
            func fails(_ model: Model) throws -> Bool {
                var rendering = Rendering(seed: renderingSeed)
                let one = try JSONValue(parsing: rendering.text(model))
                let two = try JSONValue(parsing: rendering.text(model))
                let third = try JSONValue(parsing: rendering.text(other))
                return !areEqual(one, two) || areEqual(one, third) != (model == other)
            }
            guard try fails(model) else { continue }
            var smallest = model
            while let smaller = try smallest.shrunk.first(where: fails) { smallest = smaller }
            var rendering = Rendering(seed: renderingSeed)
            return "\(rendering.text(smallest)) and \(rendering.text(smallest)), beside \(rendering.text(other))"
        }
        return nil
    }

    @Test("values are equal however they are written, and only then; their hashes agree")
    func spelling() throws {
        let seed = SeededGenerator.seedOfRun("equality")
        let found = try counterexample(seed: seed) { one, other in
            (one == other) && (one.canonicalHash == other.canonicalHash) && (one.hashValue == other.hashValue)
        }
        #expect(found == nil, "seed \(seed)")
    }

    @Test("equality does not rest on the hash")
    func withoutHash() throws {
        let seed = SeededGenerator.seedOfRun("equality without hash")
        let found = try counterexample(seed: seed) { $0.document.root.isEqual(to: $1.document.root) }
        #expect(found == nil, "seed \(seed)")
    }

    @Test("a comparison of texts is caught")
    func plantedTextComparison() throws {
        #expect(try counterexample(seed: 1) { $0.bytes == $1.bytes } != nil)
    }

    @Test("a comparison that takes everything of one kind for equal is caught")
    func plantedKindComparison() throws {
        #expect(try counterexample(seed: 2) { $0.document.root.kind == $1.document.root.kind } != nil)
    }

    @Test("a value's text is minified, on one line, and reads back as the same value")
    func minified() throws {
        let seed = SeededGenerator.seedOfRun("minified")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.runs {
            var rendering = Rendering(seed: generator.next())
            let value = try JSONValue(parsing: rendering.text(.random(depth: 3, using: &generator)))
            let again = try JSONValue(parsing: value.bytes)
            #expect(again.bytes == value.bytes, "seed \(seed)")
            #expect(again == value, "seed \(seed)")
            #expect(!value.bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }), "seed \(seed)")
        }
    }
}
