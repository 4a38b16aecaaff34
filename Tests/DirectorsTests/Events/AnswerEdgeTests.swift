import JSONValues
import ListDiff
import TestSupport
import Testing

@testable import Directors

@Suite("Reports, answers and operations with numbers at every edge")
struct AnswerEdgeTests {
    @Test("a hook's answer to every event is taken or refused, and its operations performed or refused")
    func answers() throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("answers with numbers at every edge"))
        let events = EventCatalog.all
        for _ in 0..<EdgeNumbers.cases(percent: 4) {
            let definition = events[generator.below(events.count)]
            let value = EdgeNumbers.json(depth: 2, using: &generator)
            let node = try JSONDocument(value).root
            _ = try? definition.answerType?.check(node)
            let keys = ["width", "height", "x", "y", "top", "left", "bottom", "right"]
            let members = keys.map { "\"\($0)\":" + EdgeNumbers.text(using: &generator) }
            for count in [2, 4, 8] {
                let object = "{" + members.prefix(count).joined(separator: ",") + "}"
                _ = try? definition.answerType?.check(JSONDocument(object).root)
            }
        }
    }
}
