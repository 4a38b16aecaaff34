import JSONValues
import Notation
import TestSupport
import Testing

@Suite("Vectors of JSON")
struct VectorTests {
    @Test("what is JSON is taken and comes back; what is not is refused", arguments: JSONVectors.all)
    func vectors(_ vector: JSONVectors.Vector) throws {
        guard vector.isTaken else {
            #expect(throws: JSONError.self) { try JSONDocument(vector.bytes) }
            return
        }
        let value = try JSONValue(parsing: vector.bytes)
        #expect(try JSONValue(parsing: value.bytes) == value)
        #expect(try JSONValue(parsing: value.bytes).bytes == value.bytes)
    }

    @Test(
        "what is JSON and not taken is told as that, with the way to it",
        arguments: [
            (#"{"a":1,"a":2}"#, "/a"), (#"[0,{"x":{"b":1,"\u0062":[2]}}]"#, "/1/x/b"), (#"{"":1,"":2}"#, "/"),
            (#"{"a/b":1,"~":[],"a/b":2}"#, "/a~1b"), (#"{"o":[[],"]",{"n":0,"m":0,"n":1}],"z":1}"#, "/o/2/n"),
            (#"{"a":["x","\ud800"]}"#, "/a/1"), (#"{"a":{"\udc00":1}}"#, "/a"),
            (#"{"a":{"n":[1,"\ud800"]},"b":"#, "/a/n/1"),
            (#"{"x":[0,"# + String(repeating: "[", count: 127), "/x/1" + String(repeating: "/0", count: 126)),
        ])
    func pointers(_ row: (String, String)) {
        let error = #expect(throws: JSONError.self) { try JSONDocument(row.0) }
        #expect(error?.reason.isOfJSON == true)
        #expect(error?.pointer(in: Array(row.0.utf8)).description == row.1)
        #expect(error?.description.hasPrefix("a JSON document that is not taken: ") == true)
    }
}

@Suite("Numbers at every edge")
struct EdgeNumberTests {
    @Test("an exponent at the end of 64 bits is read, compared, hashed and written as any other")
    func ends() throws {
        // 1e-9223372036854775809 has the power -9223372036854775808 behind its point, from which one was subtracted.
        for text in ["1e-9223372036854775809", "-12.5e-9223372036854775810", "0.1e-9223372036854775808"] {
            let value = try JSONValue(parsing: "{\"id\":\(text)}")
            let canonical = try #require(value.document.root["id"]?.scalarText)
            let again = try JSONValue(parsing: "{\"id\":\(canonical)}")
            #expect(again == value && again.canonicalHash == value.canonicalHash)
            #expect(again.document.root["id"]?.scalarText == canonical)
        }
    }

    @Test("equality, hash, order and text agree, whatever the number")
    func agreement() throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("numbers at every edge"))
        var last = try JSONDocument("0").root
        for _ in 0..<EdgeNumbers.cases(percent: 20) {
            let text = EdgeNumbers.text(using: &generator)
            let node = try JSONDocument(text).root
            let canonical = try #require(node.scalarText)
            let again = try JSONDocument(canonical).root
            #expect(again.scalarText == canonical, "\(text)")
            #expect(again.isEqual(to: node) && node.canonicalHash == again.canonicalHash, "\(text)")
            let (one, other) = (node.decimal, last.decimal)
            #expect((one < other ? 1 : 0) + (other < one ? 1 : 0) + (one == other ? 1 : 0) == 1, "\(text) \(last.text)")
            #expect((one == other) == node.isEqual(to: last), "\(text)")
            #expect(one.negated.negated == one && (one.negated < one) == (DecimalNumber(0) < one), "\(text)")
            _ = (node.int, node.double, node.isZero, node.shortInteger, node.number)
            last = node
        }
    }
}

extension JSONNode {
    fileprivate var decimal: DecimalNumber { DecimalNumber(Array(text)[...]) }
}
