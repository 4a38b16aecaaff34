import Foundation
import JSONValues
import TestSupport
import Testing

@Suite("Hostile texts")
struct FuzzTests {
    @Test("no mutation of a text crashes, and what is taken Foundation takes too")
    func mutations() throws {
        let seed = SeededGenerator.seedOfRun("mutations")
        var generator = SeededGenerator(seed: seed)
        var taken = 0
        for _ in 0..<20_000 {
            var rendering = Rendering(seed: generator.next())
            var bytes = Array(rendering.text(.random(depth: 3, using: &generator)).utf8)
            mutate(&bytes, using: &generator)
            guard let document = try? JSONDocument(bytes) else { continue }
            taken += 1
            let value = document.root.value
            #expect(value == value)
            #expect(try JSONValue(parsing: value.bytes) == value, "seed \(seed)")
            let root = try? JSONSerialization.jsonObject(with: Data(value.bytes), options: [.fragmentsAllowed])
            #expect(root != nil || holdsHugeNumber(bytes), "seed \(seed): \(value)")
        }
        #expect(taken > 100)
    }

    /// Foundation has no place for a number whose exponent is out of a double's range.
    private func holdsHugeNumber(_ bytes: [UInt8]) -> Bool {
        bytes.contains { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    }

    private func mutate(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
        let interesting =
            Array("{}[],:\"\\ \n0123456789.eE+-truefalsn/u".utf8) + [0, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xF0, 0xFF]
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            let position = Int.random(in: 0...bytes.count, using: &generator)
            let byte = interesting.randomElement(using: &generator) ?? 0
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes.insert(byte, at: position)
            case 1: if position < bytes.count { bytes[position] = byte }
            case 2: if position < bytes.count { bytes.remove(at: position) }
            default:
                let end = Int.random(in: position...bytes.count, using: &generator)
                bytes.insert(contentsOf: Array(bytes[position..<end]), at: position)
            }
        }
    }

    @Test("texts around the width of a vector are read at every offset")
    func offsets() throws {
        for padding in 0..<140 {
            let space = String(repeating: " ", count: padding)
            let document = try JSONDocument(
                "[\(space)\"a\\\"\(space)\",\(space)-1.5e3\(space),{\"k\(space)\":null}\(space)]")
            let elements = Array(document.root.elements)
            #expect(elements.map(\.kind) == [.string, .number, .object])
            #expect(elements[0].string == "a\"\(space)")
            #expect(elements[1].numberText == "-1.5e3")
            #expect(elements[2]["k\(space)"]?.isNull == true)
        }
    }

    @Test("a large document takes time in proportion, and a thread keeps little of it")
    func large() throws {
        func seconds(_ count: Int) throws -> Double {
            let text = Array(
                ("[" + (0..<count).map { "{\"id\":\($0),\"name\":\"n\($0)\"}" }.joined(separator: ",") + "]").utf8)
            let clock = ContinuousClock()
            let time = try clock.measure {
                let document = try JSONDocument(text)
                #expect(document.root.elements.reduce(0) { sum, _ in sum + 1 } == count)
            }
            return Double(time.components.attoseconds) / 1e18 + Double(time.components.seconds)
        }
        _ = try seconds(1_000)
        let (small, large) = (try seconds(10_000), try seconds(160_000))
        #expect(large < small * 16 * 8, "\(small) s for 10,000, \(large) s for 160,000")
        #expect(JSONDocument.bytesKeptByThread < 2 * 1024 * 1024)
    }

    @Test("objects with very many members are read, compared and patched without comparing each with each")
    func manyMembers() throws {
        let names = (0..<50_000).map { "\"member\($0)\":\($0)" }
        let one = try JSONValue(parsing: "{" + names.joined(separator: ",") + "}")
        let other = try JSONValue(parsing: "{" + names.reversed().joined(separator: ",") + "}")
        let removal = try JSONValue(parsing: "{\"member7\":null}")
        let time = ContinuousClock().measure {
            #expect(one == other)
            #expect(one.merging(other) == one)
            #expect(one.merging(removal) != one)
        }
        #expect(time < .seconds(20))
    }
}
