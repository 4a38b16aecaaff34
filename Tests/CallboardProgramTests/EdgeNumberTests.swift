import CallboardClient
import Foundation
import TestSupport
import Testing

@testable import CallboardProgram

@Suite("Files, options and settings with numbers at every edge")
struct ProgramEdgeTests {
    @Test("every setting takes a number or says what it takes, in the file and in the environment")
    func settings() throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("settings with numbers at every edge"))
        for _ in 0..<EdgeNumbers.cases(percent: 2) / 10 {
            for setting in Setting.all {
                let text = EdgeNumbers.anyText(using: &generator)
                let loader = SettingsLoader(environment: [setting.environmentName: text])
                if let settings = try? loader.load() { _ = setting.read(settings) }
                let value = EdgeNumbers.json(depth: 1, using: &generator)
                let names = setting.key.split(separator: ".")
                let content =
                    names.map { "{\"\($0)\":" }.joined() + value + String(repeating: "}", count: names.count)
                guard let file = try? SettingsFile(path: "settings.json", content: Array(content.utf8)) else {
                    continue
                }
                if let settings = try? SettingsLoader(file: file).load() { _ = setting.read(settings) }
            }
        }
    }

    @Test("records of every format are read or left out, and keep their digits")
    func records() throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("records with numbers at every edge"))
        for _ in 0..<EdgeNumbers.cases(percent: 2) / 10 {
            let values = (0..<10).map { _ in EdgeNumbers.json(depth: 2, using: &generator) }
            let lines = values.joined(separator: "\n")
            let loaded = try RecordReader(path: "f", format: .ndjson, pointer: nil).read(Array(lines.utf8))
            for record in loaded.records { #expect(values.contains(record.value.text)) }
            let array = "[" + values.joined(separator: ",") + "]"
            _ = try? RecordReader(path: "f", format: .json, pointer: "").read(Array(array.utf8))
            let table =
                "id,n\n" + values.map { _ in EdgeNumbers.anyText(using: &generator) + ",1" }.joined(separator: "\n")
            _ = try? RecordReader(path: "f", format: .csv, pointer: nil).read(Array(table.utf8))
        }
    }

    @Test("spans and times of the command line are taken or refused")
    func arguments() throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfRun("arguments with numbers at every edge"))
        for _ in 0..<EdgeNumbers.cases(percent: 1) {
            let number = EdgeNumbers.anyText(using: &generator)
            for unit in ["", "ms", "s", "m", "h", "d", "w"] {
                _ = SpanArgument(argument: number + unit)
                if let expiry = TokenExpiry(argument: number + unit) { _ = try? expiry.seconds(now: 1_800_000_000) }
            }
        }
    }

    @Test(
        "a time that the calendar does not have ends no token",
        arguments: ["2030-02-31", "2030-02-30T10:00:00Z", "2030-13-01"])
    func noSuchDay(text: String) {
        #expect(TokenExpiry(argument: text) == nil)
    }
}
