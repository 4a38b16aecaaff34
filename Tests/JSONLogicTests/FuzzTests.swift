import Foundation
import JSONLogic
import JSONValues
import Notation
import TestSupport
import Testing

/// How many expressions each property is tried on: `CALLBOARD_LOGIC_ROUNDS` where it is set.
private let rounds = ProcessInfo.processInfo.environment["CALLBOARD_LOGIC_ROUNDS"].flatMap { Int($0) } ?? 20_000

@Suite("Random expressions")
struct FuzzTests {
    /// What an evaluation came to: a value's text, or the reason that there is none.
    private enum Outcome: Equatable {
        case value(JSONValue)
        case failure(LogicEvaluationError)

        init(_ expression: LogicExpression, _ data: LogicData) throws {
            let value: LogicValue
            do throws(LogicEvaluationError) {
                value = try expression.evaluate(data)
            } catch {
                self = .failure(error)
                return
            }
            self = .value(try value.json)
        }
    }

    private let limits = LogicLimits(steps: 5_000, size: 1 << 16)

    @Test("an expression is refused, fails or gives a value within its limits, and the same each time")
    func noTrap() throws {
        var random = RandomExpression(generator: SeededGenerator(seed: .seedOfRun("expressions")))
        var (taken, failed, longest) = (0, 0, Duration.zero)
        for _ in 0..<rounds {
            let text = random.expression(depth: random.generator.below(7))
            let root = try JSONDocument(random.value(depth: 3)).root
            let data = LogicData(.json(root))
            guard let expression = try? read(text, limits: limits) else { continue }
            taken += 1
            let begin = ContinuousClock.now
            let outcome = try Outcome(expression, data)
            longest = max(longest, ContinuousClock.now - begin)
            #expect(try Outcome(expression, data) == outcome, "\(text)")
            switch outcome {
            case .failure(let error):
                failed += 1
                let pointer = try #require(JSONPointer(parsing: error.pointer))
                #expect(expression.source.value(at: pointer) != nil, "\(text): \(error)")
                #expect(throws: LogicEvaluationError.self, "\(text)") { try expression.holds(data) }
            case .value(let value):
                let isTruthy = LogicValue.json(value.document.root).isTruthy
                #expect(try expression.holds(data) == isTruthy, "\(text)")
                #expect(value.bytes.count < (1 << 17) + text.utf8.count, "\(text)")
            }
        }
        #expect(taken > rounds / 4 && failed > rounds / 50 && taken - failed > rounds / 10, "\(taken), \(failed)")
        #expect(longest < .seconds(1))
    }

    @Test("what is not said to be read can change, and the value or error stays")
    func reads() throws {
        var random = RandomExpression(generator: SeededGenerator(seed: .seedOfRun("reads")))
        var compared = 0
        for _ in 0..<rounds {
            let text = random.expression(depth: random.generator.below(6))
            let members = random.members()
            guard let expression = try? read(text, limits: limits), !expression.reads.isEverything else { continue }
            let form = Form.allCases[compared % Form.allCases.count]
            let mutated = try data(mutate(members, expression.reads, &random), as: form)
            let data = try data(members, as: form)
            compared += 1
            let outcomes = (try Outcome(expression, data), try Outcome(expression, mutated))
            #expect(outcomes.0 == outcomes.1, "\(text) on \(members) reads \(expression.reads.paths)")
        }
        #expect(compared > rounds / 10)
    }

    /// The forms in which members are handed to an evaluation.
    private enum Form: Int, CaseIterable {
        case document
        case object
        case apart
    }

    private func data(_ members: [(name: String, value: String)], as form: Form) throws -> LogicData {
        switch form {
        case .document:
            let text = members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",")
            return LogicData(.json(try JSONDocument("{\(text)}").root))
        case .object:
            let values = try members.map { (Name($0.name), LogicValue.json(try JSONDocument($0.value).root)) }
            return LogicData(.object(Dictionary(uniqueKeysWithValues: values)))
        case .apart:
            var data = LogicData(members: [
                "a": .null, "b": .null, "c": .null, "0": .null, "1": .null, "": .null, "current": .null,
                "accumulator": .null, "index": .null,
            ])
            for (name, value) in members {
                data[try #require(data.place(of: name))] = .json(try JSONDocument(value).root)
            }
            return data
        }
    }

    /// Changes, adds and removes members that are not read, and those inside the ones that are read in part.
    private func mutate(
        _ members: [(name: String, value: String)], _ reads: LogicReads, _ random: inout RandomExpression
    ) throws -> [(name: String, value: String)] {
        var mutated: [(name: String, value: String)] = []
        for (name, value) in members {
            let node = try JSONDocument(value).root
            if !reads.mayRead([name]) {
                if !random.generator.chance(3) { mutated.append((name, random.value(depth: 2))) }
            } else if case .object = node.kind {
                var inner: [String] = []
                for member in node.members {
                    let isRead = reads.mayRead([name, member.name])
                    let value = isRead ? member.value.value.text : random.value(depth: 1)
                    if isRead || !random.generator.chance(3) { inner.append("\"\(member.name)\":\(value)") }
                }
                // A part of the value that is read as a whole is read, so there is nothing to change in it.
                mutated.append((name, "{\(inner.joined(separator: ","))}"))
            } else {
                mutated.append((name, value))
            }
        }
        return mutated
    }
}

extension UInt64 {
    fileprivate static func seedOfRun(_ property: String) -> UInt64 {
        SeededGenerator.seedOfRun(property)
    }
}
