import JSONValues
import ListDiff
import TestSupport
import Testing

@testable import Directors

@Suite("Reports, answers and operations with numbers at every edge")
struct AnswerEdgeTests {
    @Test("a question about any place is answered or refused, and an answer's operations are performed or refused")
    func questions() throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("questions with numbers at every edge"))
        let samples = try EventCatalog.forUIs.map { try EventSample($0) }
        func number() -> String {
            generator.chance(2) ? String(generator.below(3)) : EdgeNumbers.text(using: &generator)
        }
        for _ in 0..<EdgeNumbers.cases(percent: 4) {
            let choice = generator.below(samples.count)
            let (definition, start) = (EventCatalog.forUIs[choice], samples[choice].director)
            let place = [
                "", #","indexPath":[\#(number()),\#(number())]"#, #","header":\#(number())"#,
                #","footer":\#(number())"#,
                #","indexPaths":[[\#(number()),\#(number())],[0,0]]"#,
            ][generator.below(5)]
            let parameters = definition.parameters.map { "\"\($0.name)\":\(number())" }.joined(separator: ",")
            let report =
                #"{"event":"\#(definition.name)"\#(place),"version":\#(number()),"parameters":{\#(parameters)}}"#
            let answer =
                #"{"value":\#(EdgeNumbers.json(depth: 2, using: &generator)),"operations":["#
                + #"{"op":"moveElement","section":"@\#(number())","from":\#(number()),"to":\#(number())},"#
                + #"{"op":"setVariable","name":"v","value":\#(number())}]}"#
            let node = try JSONDocument(answer).root
            if let read = try? EventReport.decode(JSONDocument(report).root),
                let events = try? start.resolve(read, in: start.published)
            {
                for event in events { _ = (HookAnswer.decode(node, to: event), event.defaultAnswers) }
            }
            var director = start
            if let batch = HookAnswer.decodeNotification(node).batch { _ = try? director.perform(batch.operations) }
        }
    }

    @Test("a value that answers an event is taken or refused")
    func answers() throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("answers with numbers at every edge"))
        let events = EventCatalog.forUIs
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
