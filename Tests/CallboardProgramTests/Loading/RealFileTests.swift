import Foundation
import Testing

@testable import CallboardProgram

@Suite("Real files")
struct RealFileTests {
    private static let subdivisions = "/usr/share/iso-codes/json/iso_3166-2.json"
    private static let countries = "/usr/share/iso-codes/json/iso_3166-1.json"
    private static let emoji = "/usr/share/unicode/emoji/emoji-test.txt"

    private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test(
        "ISO 3166-2 comes as one section for each country, with the country's name",
        .enabled(if: exists(subdivisions) && exists(countries), "needs Debian's package iso-codes"))
    func isoCodes() throws {
        let loaded = try RecordReader(path: Self.subdivisions, format: .json).read(Program.read(Self.subdivisions))
        let titles = try SectionTitles(
            path: Self.countries, content: Program.read(Self.countries), pointer: nil, key: "alpha_2", title: "name")
        let content = LoadContent(
            loaded, rule: try SectionRule(field: "code", separator: "-"), titles: titles, fallback: "all")
        #expect(content.rejected.isEmpty)
        #expect(content.recordCount > 4000)
        #expect(content.sections.count > 150)
        #expect(content.sections.allSatisfy { $0.title != nil && $0.id.count == 2 })
        #expect(content.sections.first { $0.id == "AD" }?.title == "Andorra")
        try IdentifierCheck.check("{code}", against: content)
    }

    @Test(
        "Unicode's emoji come as one section for each group",
        .enabled(if: exists(emoji), "needs Debian's package unicode-data"))
    func emojiTest() throws {
        let loaded = try RecordReader(path: Self.emoji, format: .emojiTest).read(Program.read(Self.emoji))
        let content = LoadContent(loaded, rule: nil, titles: nil, fallback: "all")
        #expect(content.rejected.isEmpty)
        #expect(content.recordCount > 4000)
        #expect(content.sections.map(\.id).contains("Smileys & Emotion"))
        let codePoints = loaded.records.compactMap { $0.value["codePoints"]?.stringValue }
        #expect(Set(codePoints).count == loaded.records.count)
    }
}
