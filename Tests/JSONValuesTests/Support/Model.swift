import TestSupport

/// A JSON value as plainly as it can be held: the model that properties compare with.
indirect enum Model: Equatable {
    case null
    case bool(Bool)
    /// An integer times a power of ten.
    case number(Int, exponent: Int)
    case string(String)
    case array([Model])
    case object([(name: String, value: Model)])

    static func == (left: Model, right: Model) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number, .number): left.normalized == right.normalized
        case (.string(let one), .string(let other)): Array(one.utf8) == Array(other.utf8)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)):
            one.count == other.count
                && one.allSatisfy { member in
                    other.contains { Array($0.name.utf8) == Array(member.name.utf8) && $0.value == member.value }
                }
        default: false
        }
    }

    private var normalized: [Int] {
        guard case .number(var mantissa, var exponent) = self, mantissa != 0 else { return [0, 0] }
        while mantissa % 10 == 0 {
            mantissa /= 10
            exponent += 1
        }
        return [mantissa, exponent]
    }

    static func random(depth: Int, using generator: inout SeededGenerator) -> Model {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2, 3:
            let mantissa = generator.chance(4) ? Int.random(in: -999_999_999...999_999_999, using: &generator) : 0
            let small = Int.random(in: -12...12, using: &generator)
            return .number(generator.chance(3) ? mantissa : small, exponent: .random(in: -3...3, using: &generator))
        case 4: return .string(randomString(using: &generator))
        case 5:
            return .array(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in random(depth: depth - 1, using: &generator) })
        default:
            var members: [(name: String, value: Model)] = []
            for _ in 0..<Int.random(in: 0...(generator.chance(8) ? 20 : 5), using: &generator) {
                let name = randomString(using: &generator)
                guard !members.contains(where: { Array($0.name.utf8) == Array(name.utf8) }) else { continue }
                members.append((name, random(depth: depth - 1, using: &generator)))
            }
            return .object(members)
        }
    }

    private static func randomString(using generator: inout SeededGenerator) -> String {
        let alphabet: [Unicode.Scalar] = ["a", "b", "c", "é", "\u{301}", "e", "\"", "\\", "/", "\n", "\u{0}", "😀", "~"]
        var string = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            string.append(alphabet.randomElement(using: &generator) ?? "a")
        }
        return String(string)
    }

    /// What is a little smaller than this and may show the same fault.
    var shrunk: [Model] {
        switch self {
        case .null: []
        case .bool, .number, .string: [.null]
        case .array(let elements):
            elements
                + elements.indices.map { position in
                    var fewer = elements
                    fewer.remove(at: position)
                    return .array(fewer)
                }
        case .object(let members):
            members.map(\.value)
                + members.indices.map { position in
                    var fewer = members
                    fewer.remove(at: position)
                    return .object(fewer)
                }
        }
    }
}
