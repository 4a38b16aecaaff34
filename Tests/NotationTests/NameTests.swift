import Testing

@testable import Notation

@Suite("Names")
struct NameTests {
    /// Texts that `String` takes for equal, and whose bytes differ.
    static let pairs = [
        ("caf\u{E9}", "cafe\u{301}"), ("\u{212A}1", "K1"), ("\u{212B}", "\u{C5}"), ("\u{C5}", "A\u{30A}"),
        ("\u{AC00}", "\u{1100}\u{1161}"), ("a\u{323}\u{307}", "a\u{307}\u{323}"), ("\u{37E}", ";"), ("\u{1FEF}", "`"),
    ]

    @Test("canonically equivalent texts are different names, in every use of one", arguments: pairs)
    func equivalent(_ one: String, _ other: String) {
        #expect(one == other, "String folds them, or they are no example")
        #expect(Name(one) != Name(other) && !one.isVerbatim(other))
        #expect(Set(texts: [one, other]).count == 2)
        var values: [Name: Int] = [:]
        values[one] = 1
        values[other, default: 1] += 1
        #expect(values[one] == 1 && values[other] == 2 && values.count == 2)
        #expect(!Set(texts: [one]).contains(other))
        #expect((Name(one) < Name(other)) == one.utf8.lexicographicallyPrecedes(other.utf8))
        #expect(Verbatim(wrappedValue: one) != Verbatim(wrappedValue: other))
        #expect(Verbatim<String?>(wrappedValue: one) != Verbatim<String?>(wrappedValue: other))
    }

    @Test("the same bytes are the same name, however the text was made", arguments: pairs)
    func same(_ one: String, _ other: String) {
        for text in [one, other] {
            let bytes = Array(text.utf8)
            let copy = String(decoding: bytes, as: UTF8.self)
            let part = ("x" + text + "y").dropFirst().dropLast()
            #expect(Name(copy) == Name(text) && Name(copy).hashValue == Name(text).hashValue)
            if part.utf8.elementsEqual(bytes) { #expect(Name(part) == Name(text)) }
        }
    }

    @Test("a name ends where it ends: two in a row hash otherwise than the same bytes divided elsewhere")
    func ends() {
        func hash(_ names: Name...) -> Int { names.hashValue }
        #expect(hash("ab", "c") != hash("a", "bc"))
    }

    @Test("controls are U+0000 to U+001F and U+007F to U+009F, and nothing else is")
    func controls() {
        for scalar in UInt32(0)...0x2FF {
            let text = "a\(UnicodeScalar(scalar).map(String.init) ?? "")b"
            let isControl = scalar < 0x20 || 0x7F...0x9F ~= scalar
            #expect(Name.hasControls(text) == isControl, "U+\(String(scalar, radix: 16))")
        }
    }

    @Test("only the letters A to Z have another case in ASCII: the Kelvin sign is none of them")
    func lowerCase() {
        #expect("KIOSK.Example-1".lowercasedASCII == "kiosk.example-1")
        #expect("\u{212A}".lowercasedASCII.isVerbatim("\u{212A}") && "\u{C9}".lowercasedASCII.isVerbatim("\u{C9}"))
    }
}
