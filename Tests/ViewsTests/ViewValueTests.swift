import Foundation
import JSONLogic
import JSONValues
import Notation
import TestSupport
import Testing

@testable import Views

@Suite("Values of views")
struct ViewValueTests {
    private func key(_ text: String, _ collation: ViewSortRule.Collation = .scalars) throws -> SortKey {
        try #require(SortKey(.json(try JSONDocument(text).root), collation: collation))
    }

    @Test("null, booleans, numbers, strings and the rest are in this order, numbers exactly")
    func order() throws {
        let texts = [
            "null", "false", "true", "-1e400", "-2", "-1.5", "0", "1e-400", "0.1", "1", "9007199254740992",
            "9007199254740993", "12345678901234567890", "1e400", #""""#, #""10""#, #""2""#, #""a""#, #""b""#, "[1]",
            "[2]", "{}",
        ]
        for (index, one) in texts.enumerated() {
            for (other, text) in texts.enumerated() {
                let (left, right) = (try key(one), try key(text))
                #expect((left < right) == (index < other), "\(one) and \(text)")
                #expect((left == right) == (index == other), "\(one) and \(text)")
            }
        }
    }

    @Test("natural order takes digits as numbers and ignores case, and the text decides at last")
    func natural() throws {
        let texts = [
            "a", "A1", "a1", "A2", "a02", "a2", "a10", "a010b", "a10b", "b", "B1", "z99999999999999999999",
            "z100000000000000000000",
        ]
        let sorted = try texts.shuffled().map { try key("\"\($0)\"", .natural) }.sorted()
        #expect(sorted.map { String(decoding: $0.json, as: UTF8.self) } == texts.map { "\"\($0)\"" })
    }

    @Test(
        "equal values have one canonical text",
        arguments: [
            (#"{"b":1,"a":[1.0,2]}"#, #"{"a":[1,2],"b":1}"#), ("1.50", "1.5"), ("100e-2", "1"), (#""\u0061""#, #""a""#),
            ("12345678901234567890.0", "12345678901234567890"), ("-0", "0"),
        ])
    func canonical(_ text: String, _ expected: String) throws {
        let bytes = CanonicalText.bytes(of: .json(try JSONDocument(text).root))
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test("sums are exact in any order, and what is taken away leaves no trace")
    func sums() {
        var random = SeededGenerator(seed: SeededGenerator.seedOfRun("sums"))
        for _ in 0..<200 {
            var (sum, expected, added) = (ExactSum(), Decimal(0), [String]())
            for _ in 0..<40 {
                let sign = random.percent(50) ? "-" : ""
                let text = "\(sign)\(random.below(1_000_000_000)).\(random.below(1_000_000))e\(random.below(12) - 6)"
                sum.add(DecimalNumber(Array(text.utf8)[...]))
                expected += Decimal(string: text) ?? 0
                added.append(text)
                #expect(Decimal(string: sum.number.description) == expected, "after \(added)")
            }
            for text in added.shuffled(using: &random) { sum.add(DecimalNumber(Array(text.utf8)[...]), sign: -1) }
            #expect(sum.number == DecimalNumber(0))
        }
    }

    @Test("sums of the largest integers do not overflow")
    func largeSums() {
        var sum = ExactSum()
        for _ in 0..<1_000 { sum.add(Int.max) }
        #expect(sum.number.description == "9.223372036854775807e21")
        for _ in 0..<2_000 { sum.add(Int.min) }
        #expect(sum.number.isNegative)
        #expect(!ExactSum.accepts(DecimalNumber(Array("1e999".utf8)[...])))
        #expect(!ExactSum.accepts(DecimalNumber(Array("1e99999999999999999999".utf8)[...])))
    }

    @Test(
        "fields show the named parts, in the order of the definition",
        arguments: [
            (["/b", "/a"], #"{"b":2,"a":1}"#), (["/o/x", "/o/y"], #"{"o":{"x":1,"y":{"z":2}}}"#),
            (["/l/2", "/l/0"], #"{"l":[1,3]}"#),
            (["/none", "/a/b", "/l/9"], "{}"), ([], "{}"), (["/o/y/z", "/a"], #"{"o":{"y":{"z":2}},"a":1}"#),
            (["/o", "/o/x"], #"{"o":{"x":1,"y":{"z":2}}}"#), (["/s~1t"], #"{"s/t":true}"#), (["/l/-", "/l/00"], "{}"),
        ])
    func fields(_ pointers: [String], _ expected: String) throws {
        let value = try json(#"{"a":1,"b":2,"o":{"x":1,"y":{"z":2}},"l":[1,2,3],"s/t":true}"#)
        let tree = ViewFieldTree(try pointers.map { try #require(JSONPointer(parsing: $0)) })
        #expect(tree.shown(of: value).text == expected)
    }

    @Test("the whole value is shown where a pointer is empty, and nothing of what is no object")
    func wholeValue() throws {
        #expect(ViewFieldTree([JSONPointer(tokens: [])]).shown(of: try json("[1]")).text == "[1]")
        #expect(ViewFieldTree([JSONPointer(tokens: ["a"])]).shown(of: try json("\"a\"")).text == "{}")
    }
}
