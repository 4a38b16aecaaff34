import JSONValues
import ListDiff
import Testing

@testable import Directors

@Suite("What is wrong with rows")
struct RowErrorTests {
    @Test(
        "a row that does not fit its kind is refused with its pointer",
        arguments: [
            (#"{"id":"r","type":"constant"}"#, ["/cell"]),
            (
                #"{"id":"r","type":"constant","cell":"C","model":"Item","elements":[{"value":"a"}]}"#,
                ["/model", "/elements"]
            ),
            (#"{"id":"r","type":"model"}"#, ["/model"]), (#"{"id":"r","type":"model","model":"None"}"#, ["/model"]),
            (#"{"id":"r","type":"model","model":"Item","value":1}"#, ["/value"]),
            (
                #"{"id":"r","type":"model","model":"Item","elements":[{"value":"a"},{"model":"Other","value":"b"}]}"#,
                ["/elements/1/model"]
            ),
            (#"{"id":"r","type":"model","model":"Item","elements":[{"value":{}}]}"#, ["/elements/0/value"]),
        ])
    func kinds(_ row: (String, [String])) throws {
        let director = try rowDirector(rowSection("s", constant("r")), rowSection("t"))
        let before = director.traces
        for (operation, pointer) in [
            ("{\"op\":\"addSections\",\"sections\":[\(rowSection("u", constant("c"), row.0))]}", "/sections/0/rows/1"),
            ("{\"op\":\"setRows\",\"section\":\"s\",\"rows\":[\(row.0)]}", "/rows/0"),
            ("{\"op\":\"addRows\",\"section\":\"t\",\"rows\":[\(row.0)]}", "/rows/0"),
            ("{\"op\":\"setRow\",\"section\":\"s\",\"row\":\"r\",\"value\":\(row.0)}", "/value"),
            ("{\"op\":\"patchSection\",\"section\":\"s\",\"patch\":{\"rows\":[\(row.0)]}}", "/patch/rows/0"),
        ] {
            let error = #expect(throws: DirectorError.self) { try director.perform(form: operation) }
            let found = (error?.faults ?? []).map(\.pointer)
            let right = zip(found, row.1).allSatisfy { $0.hasPrefix(pointer + $1) }
            #expect(right && found.count == row.1.count, "\(operation): \(found)")
        }
        #expect(director.traces == before)
    }

    @Test("two rows of one section have two identifiers")
    func duplicates() throws {
        let director = try rowDirector(rowSection("s", constant("a"), constant("b")), rowSection("t", constant("a")))
        let twice = #expect(throws: DirectorError.self) {
            try director.perform(
                form: "{\"op\":\"setRows\",\"section\":\"s\",\"rows\":[\(constant("c")),\(constant("c"))]}")
        }
        #expect(twice?.faults.map(\.pointer) == ["/rows/1/id"] && twice?.category == .invalid)
        for operation in [
            "{\"op\":\"addRows\",\"section\":\"s\",\"rows\":[\(constant("a"))]}",
            #"{"op":"patchRow","section":"s","row":"b","patch":{"id":"a"}}"#,
            "{\"op\":\"setRow\",\"section\":\"s\",\"row\":\"b\",\"value\":\(constant("a"))}",
            #"{"op":"moveRow","section":"t","from":"a","to":0,"toSection":"s"}"#,
        ] {
            let error = #expect(throws: DirectorError.self) { try director.perform(form: operation) }
            #expect(error?.category == .conflict, "\(operation)")
            #expect(error?.reason == .rowExists(identifier: "a", at: 0), "\(operation)")
        }
    }

    @Test("elements are not addressed in a section of rows, nor rows in a section of elements")
    func elsewhere() throws {
        let director = try rowDirector(
            rowSection("s", constant("c"), modelRow("m", ["\"a\""]), modelRow("n", [])),
            #"{"id":"t","elements":[{"model":"Item","value":"x"}]}"#)
        for operation in [
            #"{"op":"addElements","section":"s","elements":[{"model":"Item","value":"b"}]}"#,
            #"{"op":"setElements","section":"s","elements":[]}"#, #"{"op":"removeAllElements","section":"s"}"#,
            #"{"op":"removeElement","section":"s","element":"a"}"#,
            #"{"op":"swapElements","section":"s","at":0,"with":0}"#,
        ] {
            let error = #expect(throws: DirectorError.self) { try director.perform(form: operation) }
            #expect(error?.category == .conflict && error?.pointer == "/section", "\(operation)")
            #expect(error?.detail.contains(#""m", "n""#) == true)
        }
        let moved = #expect(throws: DirectorError.self) {
            try director.perform(form: #"{"op":"moveElement","section":"t","from":0,"to":0,"toSection":"s"}"#)
        }
        #expect(moved?.category == .conflict && moved?.pointer == "/toSection")
        let constantRow = #expect(throws: DirectorError.self) {
            try director.perform(form: #"{"op":"addElements","section":"s","row":"c","elements":[]}"#)
        }
        #expect(constantRow?.reason == .elementsElsewhere(.constantRow("c")) && constantRow?.pointer == "/row")
        for operation in [
            #"{"op":"addRows","section":"t","rows":[]}"#, #"{"op":"removeRow","section":"t","row":"c"}"#,
            #"{"op":"removeAllRows","section":"t"}"#, #"{"op":"addElements","section":"t","row":"m","elements":[]}"#,
        ] {
            let error = #expect(throws: DirectorError.self) { try director.perform(form: operation) }
            #expect(error?.reason == .noRows(section: 1) && error?.category == .conflict, "\(operation)")
        }
        let model = #expect(throws: DirectorError.self) {
            try director.perform(
                form: #"{"op":"addElements","section":"s","row":"m","elements":[{"model":"Other","value":"b"}]}"#)
        }
        #expect(model?.faults.map(\.pointer) == ["/elements/0/model"])
        let missing = #expect(throws: DirectorError.self) {
            try director.perform(form: #"{"op":"removeRow","section":"s","row":"x"}"#)
        }
        #expect(missing?.reason == .notFound(.row, .identifier("x"), count: 3))
    }

    @Test("an adapter that elements of rows have is not removed")
    func adapterInUse() throws {
        let director = try rowDirector(rowSection("s", constant("c"), modelRow("m", ["\"a\"", "\"b\""])))
        let error = #expect(throws: DirectorError.self) {
            try director.perform(form: #"{"op":"removeAdapter","model":"Item"}"#)
        }
        let paths = [1, 2].map { ElementPath(section: 0, element: $0) }
        #expect(error?.reason == .adapterInUse(model: "Item", at: paths, total: 2, state: .working))
        try director.perform(form: #"{"op":"removeAdapter","model":"Other"}"#)
    }
}
