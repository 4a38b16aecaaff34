import Foundation
import TestSupport
import Testing

@testable import CallboardClient

@Suite("Vectors of JSON, and numbers at every edge, in the client")
struct JSONVectorTests {
    @Test("what is JSON is taken and comes back; what is not is refused", arguments: JSONVectors.all)
    func vectors(_ vector: JSONVectors.Vector) throws {
        guard vector.isTaken else {
            #expect(throws: JSONParseError.self) { try JSON(parsing: vector.bytes) }
            return
        }
        let value = try JSON(parsing: vector.bytes)
        #expect(try JSON(parsing: value.utf8) == value)
    }

    @Test("a member that is there twice is named")
    func twice() {
        let error = #expect(throws: JSONParseError.self) { try JSON(parsing: #"{"a":1,"\u0061":2}"#) }
        #expect(error?.reason == #"The member "a" appears twice"#)
    }

    @Test(
        "numbers are equal however their exponents are written, and whatever size these have",
        arguments: [
            ("1e-9223372036854775808", "10e-9223372036854775809", true),
            ("1e9223372036854775807", "0.1e9223372036854775808", true),
            ("1e+99999999999999999999", "1e99999999999999999999", true),
            ("1e0099999999999999999999", "10e99999999999999999998", true),
            ("1e99999999999999999999", "1e99999999999999999998", false), ("1e-9223372036854775808", "0", false),
        ])
    func exponents(left: String, right: String, areEqual: Bool) throws {
        let (left, right) = (try JSON(parsing: left), try JSON(parsing: right))
        #expect((left == right) == areEqual)
        if areEqual { #expect(left.hashValue == right.hashValue) }
    }

    @Test("snapshots and changesets are applied or refused, whatever numbers stand in them")
    func streams() throws {
        var generator = SeededGenerator(
            seed: SeededGenerator.seedOfRun("the client's changesets with numbers at every edge"))
        func number() -> String {
            generator.chance(2) ? String(generator.below(3)) : EdgeNumbers.text(using: &generator)
        }
        func path() -> String { "[\(number()),\(number())]" }
        var applied = 0
        for _ in 0..<EdgeNumbers.cases(percent: 3) {
            let start = #"{"director":"d","epoch":"e","version":1,"kind":"table","sections":[{"id":"s","#
            let element = #"{"id":"a","model":"M","value":{"id":\#(number())}}"#
            let whole = start + #""elements":[\#(element),{"id":"b","model":"M","value":1}]}]}"#
            let counted = start + #""count":\#(number())}]}"#
            let stages = [
                #"{"elementUpdated":[{"at":\#(path()),"element":\#(element)}]}"#,
                #"{"sectionDeleted":[\#(number())],"elementDeleted":[\#(path())]}"#,
                #"{"sectionInserted":[{"at":\#(number()),"section":{"id":"n","elements":[]}}],"sectionMoved":[{"from":\#(number()),"to":\#(number())}]}"#,
                #"{"elementInserted":[{"at":\#(path()),"element":\#(element)}],"elementMoved":[{"from":\#(path()),"to":\#(path())}]}"#,
            ].filter { _ in generator.chance(2) }
            let changeset =
                #"{"epoch":"e","from":1,"version":\#(number()),"stages":[\#(stages.joined(separator: ","))],"#
                + #""replaced":[\#(generator.chance(4) ? #"{"at":\#(path()),"element":\#(element)}"# : "")]}"#
            let change = try? RemoteChangeset(JSONReader(JSON(parsing: changeset)))
            if var list = try? RemoteList(Snapshot(JSONReader(JSON(parsing: whole)))), let change {
                if (try? list.apply(change)) != nil { applied += 1 }
            }
            if var list = try? SparseList(Snapshot(JSONReader(JSON(parsing: counted)))), let change {
                if (try? list.apply(change)) != nil { applied += 1 }
                _ = list.counts
            }
        }
        #expect(applied > 0)
    }

    @Test("every number is read, compared, hashed, converted and written, whatever its size")
    func edges() throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("the client's numbers at every edge"))
        for _ in 0..<EdgeNumbers.cases(percent: 10) {
            let text = EdgeNumbers.json(depth: 2, using: &generator)
            let value = try JSON(parsing: text)
            #expect(try JSON(parsing: value.text) == value, "\(text)")
            guard let number = value.numberValue else { continue }
            #expect(number.text == text)
            let other = try #require(JSONNumber(text: text.contains("e") ? "0\(text)".trimmed : text))
            #expect(other == number && other.hashValue == number.hashValue, "\(text)")
            _ = (number.int, number.int64, number.uint64, number.double, number.decimal, value.intValue)
            // Foundation has no place for a number beyond a double, and says so.
            _ = try? JSON(encoding: value)
        }
    }
}

extension String {
    /// The number with another spelling of its exponent.
    fileprivate var trimmed: String {
        String(dropFirst()).replacing("e+", with: "E+0").replacing("e-", with: "E-00")
    }
}
