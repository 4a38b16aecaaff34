import JSONValues
import Testing

@Suite("Numbers")
struct NumberTests {
    static let equalPairs: [(String, String)] = [
        ("1", "1.0"), ("1", "10e-1"), ("1", "0.1e1"), ("100", "1E+2"), ("-0", "0"), ("0.0", "-0e-9"), ("0e5", "0E-5"),
        ("1.50", "15e-1"), ("0.001", "1e-3"), ("0.0010", "10e-4"),
        ("123456789012345678901234567890", "1.2345678901234567890123456789e29"),
        ("1e999999999", "10e999999998"), ("1e-999999999", "0.1e-999999998"),
        ("1e99999999999999999999", "10e99999999999999999998"), ("1e100000000000000000000", "10e99999999999999999999"),
        ("1e-100000000000000000000", "0.01e-99999999999999999998"), ("1e18", "10e17"),
        ("1e0000000000000000000000001", "10"),
        ("1e999999999999999999", "0.1e1000000000000000000"), ("1e9223372036854775807", "0.1e9223372036854775808"),
    ]

    @Test("numbers of the same value are equal", arguments: equalPairs)
    func equal(_ pair: (String, String)) throws {
        let (one, other) = (try JSONValue(parsing: pair.0), try JSONValue(parsing: pair.1))
        #expect(one == other)
        #expect(one.canonicalHash == other.canonicalHash)
    }

    static let differentPairs: [(String, String)] = [
        ("1", "-1"), ("1", "1.0000000000000000000000001"), ("9007199254740993", "9007199254740992"),
        ("1e999999999", "1e999999998"), ("1e99999999999999999999", "1e99999999999999999998"), ("1e400", "1e401"),
        ("1e-400", "0"), ("0.1", "0.10000000000000001"), ("1e100000000000000000000", "1e-100000000000000000000"),
        ("1", "\"1\""), ("0", "false"), ("0", "null"),
    ]

    @Test("numbers of different value are not equal, however close", arguments: differentPairs)
    func different(_ pair: (String, String)) throws {
        let (one, other) = (try JSONValue(parsing: pair.0), try JSONValue(parsing: pair.1))
        #expect(one != other)
        #expect(!one.document.root.isEqual(to: other.document.root))
    }

    @Test("a number goes out with the digits it came with")
    func digits() throws {
        let text = "[1.00,-0,1E+400,123456789012345678901234567890.5]"
        #expect(try JSONValue(parsing: text).text == text)
    }

    @Test(
        "a whole number is an integer however it is written",
        arguments: [
            ("10", 10), ("10.0", 10), ("1e1", 10), ("-0", 0), ("100e-2", 1), ("9223372036854775807", Int.max),
            ("-9223372036854775808", Int.min), ("-9.223372036854775808e18", Int.min),
        ])
    func integer(_ pair: (String, Int)) throws {
        #expect(try JSONDocument(pair.0).root.int == pair.1)
    }

    @Test(
        "what is no integer, or too large for one, is none",
        arguments: ["1.5", "1e19", "9223372036854775808", "1e999999999", "1e99999999999999999999", "\"1\"", "null"])
    func noInteger(_ text: String) throws {
        #expect(try JSONDocument(text).root.int == nil)
    }

    @Test(
        "equal numbers give the same text",
        arguments: [
            (["1", "1.0", "10e-1"], "1"), (["1.50", "15e-1"], "1.5"), (["-0", "0e7"], "0"),
            (["0.00001", "1e-5"], "0.00001"),
            (["1e21", "10e20"], "1e21"), (["1e20"], "100000000000000000000"), (["-12.5"], "-12.5"),
            (["1.25e-30"], "1.25e-30"),
            (["1e999999999", "10e999999998"], "1e999999999"),
            (["1e99999999999999999999", "0.1e100000000000000000000"], "0.1e100000000000000000000"),
        ])
    func canonicalText(_ row: ([String], String)) throws {
        for text in row.0 { #expect(try JSONDocument(text).root.scalarText == row.1) }
    }

    @Test("a long exponent costs no more than reading it")
    func longExponent() throws {
        let digits = String(repeating: "9", count: 200_000)
        let (one, other) = (try JSONValue(parsing: "1e\(digits)"), try JSONValue(parsing: "10e\(digits.dropLast())8"))
        #expect(one == other)
        #expect(try JSONValue(parsing: "1e-\(digits)") != one)
    }

    @Test("the nearest double is finite or none")
    func double() throws {
        #expect(try JSONDocument("1.5").root.double == 1.5)
        #expect(try JSONDocument("1e400").root.double == nil)
        #expect(try JSONDocument("1e-400").root.double == 0)
    }
}
