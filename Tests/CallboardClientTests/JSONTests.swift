import CallboardClient
import Foundation
import Testing

@Suite("JSON values")
struct JSONTests {
    @Test(
        "a text comes back as it was, digits and member order included",
        arguments: [
            #"{"b":1,"a":[true,false,null],"é":"\u0001\"\\"}"#, "[]", "{}", "0", "-0.0", "1.10", "1e400",
            "123456789012345678901234567890", #""😀""#, "[[[[]]]]",
        ])
    func roundTrip(text: String) throws {
        #expect(try JSON(parsing: text).text == text)
    }

    @Test(
        "what is not JSON is refused with its place",
        arguments: [
            ("", 0), ("nul", 0), ("[1,]", 3), ("{\"a\":1,\"a\":2}", 7), ("{\"a\" 1}", 5), ("01", 1), ("1.", 0),
            ("\"\u{1}\"", 1), (#""\ud800""#, 1), (#""\x""#, 1), ("\"a", 0), ("[1] 2", 4), ("-", 0), ("{1:2}", 1),
        ])
    func refusals(text: String, offset: Int) {
        #expect {
            try JSON(parsing: text)
        } throws: { error in
            (error as? JSONParseError)?.offset == offset
        }
    }

    @Test("bytes that are not UTF-8 are refused")
    func invalidUTF8() {
        #expect(throws: JSONParseError.self) { try JSON(parsing: [0x22, 0xFF, 0x22] as [UInt8]) }
    }

    @Test("nesting beyond the limit is refused, not followed")
    func depth() {
        let deep = Array(repeating: UInt8(ascii: "["), count: 100_000)
        #expect(throws: JSONParseError.self) { try JSON(parsing: deep) }
    }

    @Test(
        "numbers are equal by what they stand for",
        arguments: [
            ("1", "1.0", true), ("1e2", "100", true), ("-0", "0", true), ("0.1", "0.10", true), ("1", "2", false),
            ("1e999999999999999999999", "1e999999999999999999999", true),
            ("10000000000000000000001", "10000000000000000000002", false),
        ])
    func numbers(left: String, right: String, areEqual: Bool) throws {
        let (left, right) = (try JSON(parsing: left), try JSON(parsing: right))
        #expect((left == right) == areEqual)
        if areEqual { #expect(left.hashValue == right.hashValue) }
    }

    @Test("whole numbers are read exactly up to their type's end")
    func integers() throws {
        #expect(try JSON(parsing: "9223372036854775807").intValue == Int.max)
        #expect(try JSON(parsing: "-9223372036854775808").intValue == Int.min)
        #expect(try JSON(parsing: "9223372036854775808").intValue == nil)
        #expect(try JSON(parsing: "12e1").intValue == 120)
        #expect(try JSON(parsing: "1.5").intValue == nil)
        #expect(try JSON(parsing: "1.10").numberValue?.decimal == Decimal(string: "1.1"))
    }

    @Test("the order of members does not count, in small objects and large")
    func memberOrder() throws {
        let names = (0..<100).map { "m\($0)" }
        let forward = JSON.object(JSONObject(names.map { ($0, .string($0)) }))
        let backward = JSON.object(JSONObject(names.reversed().map { ($0, .string($0)) }))
        #expect(forward == backward)
        #expect(forward.hashValue == backward.hashValue)
        #expect(try JSON(parsing: #"{"a":1,"b":2}"#) == JSON(parsing: #"{"b":2,"a":1.0}"#))
    }

    @Test("members are set, replaced and removed in place")
    func members() {
        var object = JSONObject((0..<40).map { ("m\($0)", .number(JSONNumber($0))) })
        object["m3"] = "new"
        object["m20"] = nil
        object["last"] = true
        #expect(object.count == 40)
        #expect(object["m3"] == "new")
        #expect(object["m20"] == nil)
        #expect(object["m39"] == 39)
        #expect(object.members.last?.name == "last")
    }

    @Test(
        "a pointer leads to a value",
        arguments: [
            ("", "{\"a/b\":[10,{\"~\":null}]}"), ("/a~1b/0", "10"), ("/a~1b/1/~0", "null"),
        ])
    func pointers(pointer: String, expected: String) throws {
        #expect(try JSON(parsing: #"{"a/b":[10,{"~":null}]}"#).value(at: pointer)?.text == expected)
    }

    @Test("a pointer that leads nowhere is nil", arguments: ["a", "/x", "/a~1b/01", "/a~1b/-", "/a~1b/2", "/a~2"])
    func danglingPointers(pointer: String) throws {
        #expect(try JSON(parsing: #"{"a/b":[10,{"~":null}]}"#).value(at: pointer) == nil)
    }

    @Test("Foundation's coders carry values as exactly as they say")
    func coders() throws {
        let text = #"{"big":18446744073709551615,"decimal":0.1,"list":[1,null,true,"x"]}"#
        let value = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
        #expect(try value == JSON(parsing: text))
        #expect(try JSON(encoding: value) == value)
        #expect(try value["list"]?[0]?.decode(as: Int.self) == 1)
    }
}
