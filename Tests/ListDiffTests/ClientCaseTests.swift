import Foundation
import ListDiff
import TestSupport
import Testing

@testable import ListDiffTesting

/// Hands the random cases and planted faults of these tests to the tests of the JavaScript client, as lines of JSON.
///
///     CALLBOARD_CLIENT_CASES=/tmp/cases.jsonl swift test --filter ClientCaseTests
///
/// Each line is a list, the changeset that leads to another, that other list, and for some the faults planted into the
/// changeset, each with the list that it leads to; null where it does not fit. Of the faults some are picked, so that the
/// file stays small.
@Suite("Cases for other clients")
struct ClientCaseTests {
    static let file = ProcessInfo.processInfo.environment["CALLBOARD_CLIENT_CASES"]
    static let count = 500

    @Test("are written where a file is named", .enabled(if: file != nil))
    func write() throws {
        let seed = SeededGenerator.seedOfRun("cases for other clients")
        var generator = SeededGenerator(seed: seed)
        var lines: [String] = []
        for number in 0..<Self.count {
            // Duplicates of identifiers in most; faults only where every identifier is one element's.
            let pair = number.isMultiple(of: 10) ? generator.distinctPair() : generator.pair()
            let changeset = StagedChangeset(from: pair.source, to: pair.target)
            try #require(try pair.source.applying(changeset) == pair.target)
            var line = Self.json(changeset)
            line["source"] = pair.source.map(Self.json)
            line["target"] = pair.target.map(Self.json)
            if number.isMultiple(of: 10) {
                line["faults"] = FaultPlanter(pair).faults().filter { _ in generator.below(12) == 0 }.map { fault in
                    let result = try? pair.source.applying(fault.changeset)
                    return Self.json(fault.changeset).merging(
                        ["name": fault.name, "result": result.map { $0.map(Self.json) } as Any? ?? NSNull()]
                    ) { $1 }
                }
            }
            let data = try JSONSerialization.data(withJSONObject: line, options: .sortedKeys)
            lines.append(String(decoding: data, as: UTF8.self))
        }
        let header = #"{"seed":"\#(seed)","count":\#(Self.count)}"#
        try ([header] + lines + [""]).joined(separator: "\n")
            .write(toFile: try #require(Self.file), atomically: true, encoding: .utf8)
    }
}

// A list as the wire has it: the identifier of a section or an element is text, and what it shows stands beside it.
extension ClientCaseTests {
    private static func json(_ changeset: StagedChangeset<Group>) -> [String: Any] {
        ["stages": changeset.stages.map(json), "replaced": changeset.replaced.map(json)]
    }

    private static func json(_ stage: Changeset<Group>) -> [String: Any] {
        var object: [String: Any] = [:]
        func add(_ operation: ChangesetOperation, _ entries: [Any]) {
            if !entries.isEmpty { object[operation.rawValue] = entries }
        }
        add(.elementUpdated, stage.elementUpdated.map(json))
        add(.sectionDeleted, stage.sectionDeleted)
        add(.elementDeleted, stage.elementDeleted.map(json))
        add(
            .sectionInserted,
            stage.sectionInserted.map { ["at": $0.at, "section": json($0.section)] as [String: Any] })
        add(.sectionMoved, stage.sectionMoved.map { ["from": $0.from, "to": $0.to] })
        add(.elementInserted, stage.elementInserted.map(json))
        add(.elementMoved, stage.elementMoved.map { ["from": json($0.from), "to": json($0.to)] })
        add(
            .sectionUpdated,
            stage.sectionUpdated.map { ["at": $0.at, "section": own($0.section)] as [String: Any] })
        return object
    }

    private static func json(_ path: ElementPath) -> [Int] { [path.section, path.element] }

    private static func json(_ change: ElementChange<Item>) -> [String: Any] {
        ["at": json(change.at), "element": json(change.element)]
    }

    private static func json(_ item: Item) -> [String: Any] {
        ["id": "\(item.id)", "model": "Item", "value": ["content": item.content, "detail": item.detail]]
    }

    private static func own(_ group: Group) -> [String: Any] {
        ["id": "\(group.id)", "headerTitle": "\(group.content)"]
    }

    private static func json(_ group: Group) -> [String: Any] {
        own(group).merging(["elements": group.elements.map(json)]) { $1 }
    }
}
