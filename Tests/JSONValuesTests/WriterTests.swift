import Foundation
import JSONValues
import Testing

@Suite("Writing JSON")
struct WriterTests {
    private func written(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("commas stand between members and elements and nowhere else")
    func commas() throws {
        let text = written { writer in
            writer.beginObject()
            writer.key("a")
            writer.beginArray()
            writer.int(1)
            writer.beginObject()
            writer.endObject()
            writer.beginArray()
            writer.endArray()
            writer.null()
            writer.endArray()
            writer.key("b")
            writer.bool(true)
            writer.key("c")
            writer.raw("[0]".utf8)
            writer.key("d")
            writer.double(0.5)
            writer.endObject()
        }
        #expect(text == #"{"a":[1,{},[],null],"b":true,"c":[0],"d":0.5}"#)
    }

    @Test("every string reads back as itself, by Foundation too")
    func strings() throws {
        let strings =
            (0..<0x100).map { String(Unicode.Scalar(UInt8($0))) } + [
                "", "a\u{301}", "😀", "\u{2028}", "</script>", #"\u0041"#,
            ]
        let text = written { writer in
            writer.beginArray()
            for string in strings { writer.string(string) }
            writer.endArray()
        }
        #expect(try JSONDocument(text).root.elements.compactMap(\.string) == strings)
        #expect(try JSONDecoder().decode([String].self, from: Data(text.utf8)) == strings)
        #expect(!text.utf8.contains(where: { $0 < 0x20 }))
    }

    @Test(
        "numbers are written in short and read back as themselves",
        arguments: [
            (0.0, "0"), (-0.0, "0"), (44, "44"), (44.5, "44.5"), (0.1, "0.1"), (1e300, "1e+300"), (-1.5e-7, "-1.5e-07"),
            (9_007_199_254_740_992, "9007199254740992.0"), (.infinity, "null"), (.nan, "null"),
        ])
    func doubles(_ row: (Double, String)) throws {
        let text = written { $0.double(row.0) }
        #expect(text == row.1)
        if row.0.isFinite { #expect(try JSONDocument(text).root.double == row.0) }
    }

    @Test("integers of any size are written", arguments: [0, 9, 10, -1, Int.max, Int.min])
    func integers(_ int: Int) {
        #expect(written { $0.int(int) } == String(int))
    }

    @Test("a writer goes on in a buffer that holds something else")
    func appending() {
        var writer = JSONWriter(appendingTo: Array("data: ".utf8))
        writer.string("a")
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "data: \"a\"")
    }
}
