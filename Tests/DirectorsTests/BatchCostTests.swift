import JSONValues
import ListDiff
import Testing

@testable import Directors

/// That what a batch does is bounded by what it costs, counted in units: not by its length alone.
@Suite("What batches cost")
struct BatchCostTests {
    /// For each operation a form that does the most for its length on `director()`, and whether it costs more than its own
    /// text and a way down a list.
    static let operations: [String: (form: String, isOutOfProportion: Bool)] = [
        "setSections": (#""sections":[{}]"#, false), "addSections": (#""sections":[{}]"#, false),
        "setSection": (#""section":"s","value":{"headerTitle":"a"}"#, false),
        "patchSection": (#""section":"s","patch":{"isCollapsed":false}"#, false),
        "removeSection": (#""section":"s""#, false), "removeSections": (#""at":[0]"#, false),
        "removeAllSections": ("", false), "moveSection": (#""from":0,"to":1"#, false),
        "swapSections": (#""at":0,"with":1"#, false), "setElements": (#""section":"s","elements":[]"#, false),
        "addElements": (#""section":"s","elements":[{"model":"Item","value":{"id":"x","n":1}}]"#, false),
        "setElement": (#""section":"s","element":"@0","value":{"model":"Item","value":{"id":"x","n":1}}"#, false),
        "patchElement": (#""section":"s","element":"@0","patch":{}"#, true),
        "removeElement": (#""section":"s","element":"@0""#, false),
        "removeElements": (#""section":"s","at":[0]"#, false), "removeAllElements": (#""section":"s""#, false),
        "moveElement": (#""section":"s","from":0,"to":1"#, false),
        "swapElements": (#""section":"s","at":0,"with":1"#, false), "setRows": (#""section":"r","rows":[]"#, false),
        "addRows": (#""section":"r","rows":[{"type":"constant","cell":"C"}]"#, false),
        "setRow": (#""section":"r","row":"a","value":{"type":"constant","cell":"C"}"#, false),
        "patchRow": (#""section":"r","row":"a","patch":{"value":{}}"#, true),
        "removeRow": (#""section":"r","row":"a""#, false), "removeRows": (#""section":"r","at":[0]"#, false),
        "removeAllRows": (#""section":"r""#, false), "moveRow": (#""section":"r","from":0,"to":1"#, false),
        "swapRows": (#""section":"r","at":0,"with":1"#, false), "setVariable": (#""name":"v","value":1"#, false),
        "removeVariable": (#""name":"v""#, false),
        "setAdapter": (#""model":"Item","value":{"cell":"Cell","identifier":"{n}"}"#, true),
        "removeAdapter": (#""model":"Other""#, true),
    ]

    private func director(limits: DirectorLimits = DirectorLimits()) throws -> LiveDirector {
        let long = String(repeating: "x", count: 100_000)
        let director = try rowDirector(
            rowSection("r", constant("a", ",\"value\":{\"long\":\"\(long)\"}"), constant("b")), limits: limits)
        let elements = (0..<1_000).map { "{\"model\":\"Item\",\"value\":{\"id\":\"e\($0)\",\"n\":\($0)}}" }
        try director.perform(
            form: "{\"op\":\"addSections\",\"sections\":[{\"id\":\"s\",\"headerTitle\":\"\(long)\",\"elements\":["
                + "{\"model\":\"Item\",\"value\":{\"id\":\"long\",\"n\":-1,\"t\":\"\(long)\"}}]}]}")
        for start in stride(from: 0, to: elements.count, by: 50) {
            let part = elements[start..<start + 50].joined(separator: ",")
            try director.perform(form: "{\"op\":\"addElements\",\"section\":\"s\",\"elements\":[\(part)]}")
        }
        try director.perform(form: #"{"op":"setVariable","name":"v","value":0}"#)
        return director
    }

    private static func form(_ name: String) -> String? {
        operations[name].map { "{\"op\":\"\(name)\"\($0.form.isEmpty ? "" : ",")\($0.form)}" }
    }

    @Test("each operation's cost is said, and one beyond its own text counts", arguments: Directors.Operation.names)
    func price(_ name: String) throws {
        let (form, row) = (try #require(Self.form(name)), try #require(Self.operations[name]))
        let director = try director()
        let before = director.value.work
        try director.perform([try Directors.Operation.decode(node(form))])
        let units = director.value.work - before
        // Reading one element by an ordinary adapter is in proportion to its text.
        #expect(row.isOutOfProportion == (units > 2 * BatchWork.operation))
        if name.hasPrefix("patch"), row.isOutOfProportion { #expect(units > 4 * 100_000) }
        if name.hasSuffix("Adapter") { #expect(units > 4 * 1_000) }
    }

    @Test(
        "a batch of each operation is refused where it does too much, and changes nothing",
        arguments: ["patchElement", "patchRow", "setAdapter", "removeAdapter"])
    func bound(_ name: String) throws {
        let director = try director(limits: DirectorLimits(batchWork: 2_000))
        let before = director.traces
        let form = try #require(Self.form(name))
        let operation = try Directors.Operation.decode(node(form))
        let error = #expect(throws: DirectorError.self) { try director.perform([operation, operation]) }
        #expect(error?.category == .invalid && error?.detail.contains("2000 units") == true)
        #expect(director.traces == before)
    }

    @Test("patches of a row keep the expressions that they leave as they are")
    func keepsExpressions() throws {
        let holes = (0..<900).map { "{\"$logic\":{\"+\":[{\"var\":\"variables.x\"},\($0)]}}" }.joined(separator: ",")
        let director = try rowDirector(
            rowSection(
                "r", constant("a", ",\"additionalConfig\":{\"a\":[\(holes)]},\"hideWhen\":{\"var\":\"variables.h\"}")))
        let before = try #require(director.value.working.list.sections[0].rows?[0].settings)
        try director.performForms(
            (0..<350).map { "{\"op\":\"patchRow\",\"section\":\"r\",\"row\":\"a\",\"patch\":{\"height\":\($0)}}" })
        let after = try #require(director.value.working.list.sections[0].rows?[0].settings)
        #expect(after.height?.source == (try json("349")))
        // The same text in memory: nothing of it was written or read.
        let (one, other) = (before.additionalConfig?.source.bytes ?? [], after.additionalConfig?.source.bytes ?? [])
        #expect(one.withUnsafeBufferPointer { $0.baseAddress } == other.withUnsafeBufferPointer { $0.baseAddress })
        try director.perform(
            form: #"{"op":"patchRow","section":"r","row":"a","patch":{"additionalConfig":{"b":1}}}"#)
        #expect(director.value.working.list.sections[0].rows?[0].settings.additionalConfig?.holes.count == 900)
    }

    @Test("an expression of a template that fails is named where it stands")
    func failingHole() throws {
        let director = try rowDirector(
            rowSection(
                "r", constant("a", #","additionalConfig":{"x":[1,{"y":{"$logic":{"/":[1,{"var":"variables.z"}]}}}]}"#)))
        let error = #expect(throws: DirectorError.self) { try director.reload() }
        #expect(error?.pointer == "/sections/0/rows/0/additionalConfig/x/1/y/$logic/~1")
    }

    @Test("a patch beside a long title does not touch it")
    func longTitle() throws {
        let director = try director()
        let before = director.value.working.list.sections[1].attributes
        try director.perform(form: #"{"op":"patchSection","section":"s","patch":{"isCollapsed":null,"id":"s"}}"#)
        #expect(director.value.working.list.sections[1].attributes === before)
        try director.perform(
            form: #"{"op":"patchSection","section":"s","patch":{"isCollapsed":true,"footerTitle":"f"}}"#)
        let after = director.value.working.list.sections[1].attributes
        #expect(after.isCollapsed && after.footerTitle == "f" && after.headerTitle == before.headerTitle)
    }

    @Test("sections and expressions are counted while a request is read")
    func reading() throws {
        let limits = DirectorLimits(sectionsOfRequest: 3, expressionLength: 60)
        func read(_ operations: String) throws {
            _ = try OperationBatch.decode(node("{\"operations\":[\(operations)]}"), within: limits)
        }
        try read(#"{"op":"setSections","sections":[{},{}]},{"op":"addSections","sections":[{}]}"#)
        let many = #expect(throws: RepresentationError.self) {
            try read(#"{"op":"setSections","sections":[{},{}]},{"op":"addSections","sections":[{},5]}"#)
        }
        #expect(
            many?.faults == [
                Fault(
                    pointer: "/operations/1/sections",
                    detail: "a request brings in at most 3 sections; send them in several")
            ])
        func rows(_ expressions: String...) -> String {
            let rows = expressions.map { constant($0, ",\"hideWhen\":{\"var\":\"variables.\($0)\"}") }
            return "{\"op\":\"setRows\",\"section\":\"s\",\"rows\":[\(rows.joined(separator: ","))]}"
        }
        try read(rows("a", "b"))
        let long = #expect(throws: RepresentationError.self) { try read(rows("a", "b", "c")) }
        #expect(long?.detail.contains("at most 60 bytes") == true)
        // What was stored is read whatever the bounds are, and a text that is repeated is read once.
        try read(rows("a", "b") + "," + rows("a", "b"))
    }

    @Test("an identifier is not made longer than it may be")
    func longIdentifier() throws {
        let template = try IdentifierTemplate(parsing: String(repeating: "{a}", count: 341))
        func identifier(_ value: String) throws -> Result<String, ElementFault> {
            template.identifier(of: try node(value))
        }
        let long = String(repeating: "x", count: 1_000_000)
        #expect(try identifier("{\"a\":\"\(long)\"}") == .failure(.longIdentifier))
        #expect(try identifier("{\"a\":\"\(long.prefix(1_000))\"}") == .failure(.longIdentifier))
        #expect(try identifier(#"{"a":"xyz"}"#) == .success(String(repeating: "xyz", count: 341)))
        #expect(
            try identifier("{\"a\":1.\(String(repeating: "0", count: 10_000))}")
                == .success(String(repeating: "1", count: 341)))
    }

    @Test("content pointers that lead into each other are looked at once, and long ones are refused")
    func contentPointers() throws {
        func pointers(_ texts: String...) throws -> [JSONPointer] {
            try texts.map { try #require(JSONPointer(parsing: $0)) }
        }
        let adapter = CellAdapter(
            model: "M", cell: "C", content: try pointers("/a", "/a", "/a/b", "/c/d", "/c/d", "/cd"))
        #expect(adapter.contentPointers == (try pointers("/a", "/c/d", "/cd")))
        #expect(adapter.content?.count == 6)
        let director = try emptyDirector()
        let long = CellAdapter(
            model: "M", cell: "C", content: [JSONPointer(tokens: [String(repeating: "/", count: 1_024)])])
        let error = #expect(throws: DirectorError.self) { try director.register(long) }
        #expect(error?.pointer == "/content/0" && error?.detail.contains("1024 bytes") == true)
    }

    @Test("rows that several reloads have evaluated have to fit into one, after a restart too")
    func standingSteps() throws {
        let list = "[" + Array(repeating: "1", count: 100).joined(separator: ",") + "]"
        let sum = "{\"reduce\":[{\"var\":\"variables.list\"},{\"+\":[{\"var\":\"current\"},1]},0]}"
        let director = try rowDirector(
            rowSection("s", constant("x")), variables: ["list": list], limits: DirectorLimits(evaluationSteps: 1_000))
        var failures = 0
        for index in 0..<20 {
            try director.perform(
                form: "{\"op\":\"addRows\",\"section\":\"s\",\"rows\":[\(constant("c\(index)", ",\"height\":\(sum)"))]}"
            )
            do { _ = try director.reload() } catch {
                failures += 1
                #expect("\(error)".contains("more than 1000 steps"))
                try director.perform(form: "{\"op\":\"removeRow\",\"section\":\"s\",\"row\":\"c\(index)\"}")
                _ = try director.reload()
            }
        }
        #expect(failures > 0)
        let value = director.value
        let all = try #require(value.visibility?.steps)
        #expect(all > 1_000 && all <= 2_000)
        var restored = Director(
            restoring: value.name, epoch: value.epoch, properties: value.properties, adapters: value.adapters,
            working: value.working, published: value.published, limits: value.limits)
        #expect(try restored.reload() == nil)
        // Less by what each of those reloads has spent on reading the variable.
        #expect((restored.visibility?.steps ?? .max) <= all)
    }

    @Test("an adapter by itself is refused where it takes over too much, and says what to do")
    func singleAdapter() throws {
        let director = try director(limits: DirectorLimits(batchWork: 200_000))
        let before = director.traces
        for form in [
            #"{"cell":"Other","identifier":"{id}"}"#, #"{"cell":"Cell","identifier":"{n}"}"#,
        ] {
            let operation = "{\"op\":\"setAdapter\",\"model\":\"Item\",\"value\":\(form)}"
            let error = #expect(throws: DirectorError.self) { try director.perform(form: operation) }
            #expect(error?.detail.contains("bound of 200000 units") == true)
            #expect(error?.detail.contains("PUT …/content") == true)
        }
        #expect(director.traces == before)
        try director.perform(form: #"{"op":"setElements","section":"s","elements":[]}"#)
        try director.perform(
            form: #"{"op":"setAdapter","model":"Item","value":{"cell":"Other","identifier":"{id}"}}"#)
    }

    @Test("looking for identifiers that are unique has its price")
    func uniqueAdapter() throws {
        let director = try director()
        func units(_ adapter: String) throws -> Int {
            let form = "{\"op\":\"setAdapter\",\"model\":\"Item\",\"value\":\(adapter)}"
            return BatchWork.price(of: try Directors.Operation.decode(node(form)), on: director.value).units
        }
        let count = director.value.working.list.elementCount
        let shown = try units(#"{"cell":"Other","identifier":"{id}"}"#)
        #expect(shown >= BatchWork.takenElement * count)
        let unique = try units(#"{"cell":"Other","identifier":"{id}","unique":true}"#)
        #expect(unique - shown == BatchWork.comparedElement * count)
    }

    @Test("what short operations and reloads cost adds up")
    func sum() throws {
        let director = try director()
        _ = try director.reload()
        func cost(_ form: String, reload: Bool = false) throws -> Int {
            let before = director.value.work
            try director.perform(form: form)
            if reload { _ = try director.reload() }
            return director.value.work - before
        }
        let adapter = #"{"op":"setAdapter","model":"Item","value":{"cell":"Other","identifier":"{id}"}}"#
        #expect(try cost(adapter) >= BatchWork.takenElement * 1_000)
        let patch = #"{"op":"patchElement","section":"s","element":"@0","patch":{"n":0}}"#
        #expect(try cost(patch) >= BatchWork.patchedByte * 100_000)
        _ = try director.reload()
        let collapse = #"{"op":"patchSection","section":"s","patch":{"isCollapsed":true}}"#
        #expect(try cost(collapse, reload: true) >= BatchWork.shownElement * 1_000)
        #expect(try cost(#"{"op":"setVariable","name":"v","value":1}"#, reload: true) <= 2 * BatchWork.operation)
    }

    @Test("what a reload's expressions take counts")
    func expressions() throws {
        let list = "[" + Array(repeating: "1", count: 1_000).joined(separator: ",") + "]"
        let director = try rowDirector(
            rowSection("s", constant("a", ",\"height\":{\"+\":{\"var\":\"variables.list\"}}")),
            variables: ["list": list])
        let before = director.value.work
        _ = try director.reload()
        #expect(director.value.work - before >= BatchWork.step * 1_000)
    }
}
