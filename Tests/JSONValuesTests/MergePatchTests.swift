import JSONValues
import TestSupport
import Testing

@Suite("Merge patch")
struct MergePatchTests {
    /// RFC 7396, appendix A.
    static let appendix: [(String, String, String)] = [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ]

    @Test("the examples of RFC 7396 give its results, in order", arguments: appendix)
    func examples(_ row: (String, String, String)) throws {
        let result = try JSONValue(parsing: row.0).merging(JSONValue(parsing: row.1))
        #expect(result.text == row.2)
        #expect(result.canonicalHash == (try JSONValue(parsing: row.2)).canonicalHash)
    }

    @Test("members that stay keep their place and their text")
    func order() throws {
        let value = try JSONValue(parsing: #"{"z":1.00,"\u0061":{"y":2,"x":3},"m":[1, 2]}"#)
        let patched = try value.merging(JSONValue(parsing: #"{"a":{"x":4,"w":5},"z":null,"n":6}"#))
        #expect(patched.text == #"{"\u0061":{"y":2,"x":4,"w":5},"m":[1,2],"n":6}"#)
    }

    /// RFC 7396, section 2, as plainly as it can be written.
    private func naive(_ target: Model?, _ patch: Model) -> Model {
        guard case .object(let changes) = patch else { return patch }
        var members: [(name: String, value: Model)] = []
        if case .object(let existing)? = target { members = existing }
        for change in changes {
            let place = members.firstIndex { Array($0.name.utf8) == Array(change.name.utf8) }
            if change.value == .null {
                if let place { members.remove(at: place) }
            } else if let place {
                members[place].value = naive(members[place].value, change.value)
            } else {
                members.append((change.name, naive(nil, change.value)))
            }
        }
        return .object(members)
    }

    private func counterexample(seed: UInt64, merge: (JSONValue, JSONValue) throws -> JSONValue) throws -> String? {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<4_000 {
            let target = Model.random(depth: 3, using: &generator)
            let patch = Model.random(depth: 3, using: &generator)
            let renderingSeed = generator.next()
            func fails(_ target: Model, _ patch: Model) throws -> Bool {
                var rendering = Rendering(seed: renderingSeed)
                let (value, change) = (
                    try JSONValue(parsing: rendering.text(target)), try JSONValue(parsing: rendering.text(patch))
                )
                return try merge(value, change) != JSONValue(parsing: rendering.text(naive(target, patch)))
            }
            guard try fails(target, patch) else { continue }
            var smallest = (target, patch)
            while true {
                if let target = try smallest.0.shrunk.first(where: { try fails($0, smallest.1) }) {
                    smallest.0 = target
                } else if let patch = try smallest.1.shrunk.first(where: { try fails(smallest.0, $0) }) {
                    smallest.1 = patch
                } else {
                    break
                }
            }
            var rendering = Rendering(seed: renderingSeed)
            return "\(rendering.text(smallest.0)) patched with \(rendering.text(smallest.1))"
        }
        return nil
    }

    @Test("patches do what the procedure of RFC 7396 does")
    func property() throws {
        let seed = SeededGenerator.seedOfRun("merge patch")
        #expect(try counterexample(seed: seed) { $0.merging($1) } == nil, "seed \(seed)")
    }

    @Test("a patch that is put in place of the value is caught")
    func planted() throws {
        #expect(try counterexample(seed: 3) { $1.document.root.kind == .object ? $0.merging($1) : $0 } != nil)
        #expect(try counterexample(seed: 4) { $1.document.root.kind == .object ? $1 : $0.merging($1) } != nil)
    }

    @Test("members that stay, change, go and come are written in order, in objects of few and of many members")
    func wide() throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("wide merge patch"))
        // Every third name is written with an escape, which stands for the same member.
        func name(_ number: Int, _ isEscaped: Bool) -> String { isEscaped ? "\\u006d\(number)" : "m\(number)" }
        func object(_ members: [(name: String, value: String)]) -> String {
            "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
        }
        for _ in 0..<2_000 {
            let width = Int.random(in: 0...24, using: &generator)
            let kept = (0..<30).shuffled(using: &generator).prefix(width).map {
                (number: $0, name: name($0, $0 % 3 == 0), value: $0 % 5 == 0 ? "[1,{}]" : "\($0)")
            }
            let changes = (0..<30).shuffled(using: &generator).prefix(Int.random(in: 0...12, using: &generator)).map {
                (number: $0, name: name($0, Bool.random(using: &generator)), value: $0 % 4 == 0 ? "null" : "\"new\"")
            }
            var expected = kept
            for change in changes {
                let place = expected.firstIndex { $0.number == change.number }
                switch (place, change.value) {
                case (let place?, "null"): expected.remove(at: place)
                case (let place?, _): expected[place].value = change.value
                case (nil, "null"): break
                case (nil, _): expected.append(change)
                }
            }
            let value = try JSONValue(parsing: object(kept.map { ($0.name, $0.value) }))
            let patched = try value.merging(JSONValue(parsing: object(changes.map { ($0.name, $0.value) })))
            try #require(patched.text == object(expected.map { ($0.name, $0.value) }))
        }
    }

    @Test("a patch as deep as a document may be is applied")
    func deep() throws {
        let patch = String(repeating: "{\"a\":", count: 128) + "1" + String(repeating: "}", count: 128)
        let value = try JSONValue(parsing: patch)
        #expect(value.merging(value) == value)
        #expect(try JSONValue(parsing: "{}").merging(value) == value)
    }
}
