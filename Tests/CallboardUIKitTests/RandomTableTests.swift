import CallboardUIKit
import Foundation
import ListDiff
import TestSupport
import Testing
import UIKitDouble

@testable import CallboardClient

/// Random histories of a table: versions, scrolls, taps, drags, changes that show at once, and hooks that answer late, wrongly
/// or never.
@Suite("A table that shows a followed list", .timeLimit(.minutes(10))) @MainActor
struct RandomTableTests {
    @Test(
        "no history brings about a batch update that UIKit refuses, a wrong cell, or a report that is lost or doubled")
    func histories() async throws {
        var random = SeededGenerator(seed: SeededGenerator.seedOfRun("tables"))
        for _ in 0..<200 * runLength {
            var history = try TableHistory(&random)
            for _ in 0..<12 { try await history.step(&random) }
            try await history.end()
        }
    }
}

/// One history.
@MainActor
private struct TableHistory {
    private let transport: HookTransport
    private let fixture: ListFixture
    private let table: TableFixture
    private var script: ListScript
    private var taps = 0
    private var moves = 0
    private var overlays: [String] = []

    init(_ random: inout SeededGenerator) throws {
        let answers: [JSON] = [
            ["value": 80, "source": "hook"], ["value": "tall", "source": "hook"],
            ["problem": ["status": 409, "title": "gone"]], ["problem": ["status": 422, "title": "no"]],
            ["delivery": nil],
        ]
        let kind = Int.random(in: 0..<6, using: &random)
        transport = HookTransport { event in
            let answer = kind < answers.count ? answers[kind] : ["value": true, "source": "hook"]
            guard let paths = event["indexPaths"]?.arrayValue, answer["problem"] == nil else { return answer }
            return ["values": .array(paths.map { _ in answer })]
        }
        let quick = ReconnectPolicy(initialDelay: .milliseconds(1), maximumDelay: .milliseconds(2))
        fixture = try ListFixture(transport, reconnect: quick)
        script = ListScript(
            hooks: [
                "didSelect": ["kind": "notification"], "moveRow": ["kind": "notification"],
                "rowHeight": ["kind": "question"], "shouldHighlight": ["kind": "question"],
            ], &random)
        table = TableFixture(fixture, inWindow: Bool.random(using: &random))
        fixture.list.take(try script.snapshot())
        transport.plan((0..<3).map { _ in HookTransport.Fate.allCases.randomElement(using: &random) ?? .lost })
    }

    mutating func step(_ random: inout SeededGenerator) async throws {
        let path = table.table.indexPathsForVisibleRows?.randomElement(using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3: fixture.list.take(try script.change(&random))
        case 4: table.table.scroll(to: Int.random(in: 0..<12, using: &random))
        case 5: tap(path)
        case 6: drag(path, &random)
        case 7: try overlay(&random)
        case 8 where !overlays.isEmpty: try endOverlay(&random)
        default: await Task.yield()
        }
        table.table.layoutIfNeeded()
        try #require(table.faults() == [])
    }

    private mutating func tap(_ path: IndexPath?) {
        guard let path else { return }
        let canTap = table.director.tableView(table.table, shouldHighlightRowAt: path)
        table.table.tap(at: path)
        if canTap { taps += 1 }
    }

    private mutating func drag(_ path: IndexPath?, _ random: inout SeededGenerator) {
        guard let path, let target = table.table.indexPathsForVisibleRows?.randomElement(using: &random) else { return }
        // Within a section only: the place after the move exists then.
        guard target.section == path.section else { return }
        if table.table.drag(from: path, to: target) { moves += 1 }
    }

    private mutating func overlay(_ random: inout SeededGenerator) throws {
        let cause = "c\(overlays.count)"
        overlays.append(cause)
        let kind = Int.random(in: 0..<3, using: &random)
        fixture.list.edit { overlays in
            overlays.add(cause: cause, epoch: "e") { sections in
                guard let first = sections.indices.first(where: { !sections[$0].elements.isEmpty }) else {
                    throw OverlayTests.Gone()
                }
                var sections = sections
                switch kind {
                case 0: sections[first].elements.removeFirst()
                case 1: sections[first].elements.append(ListScript.element("overlay-\(cause)", 1))
                default: sections[first].elements[0] = ListScript.element(sections[first].elements[0].id, 1_000)
                }
                return sections
            }
        }
    }

    /// The server publishes a change that is shown ahead, or refuses it.
    private mutating func endOverlay(_ random: inout SeededGenerator) throws {
        let cause = overlays.removeFirst()
        if Bool.random(using: &random) {
            fixture.list.take(try script.change(&random, causes: [cause]))
        } else {
            fixture.list.edit { $0.remove(cause: cause) }
        }
    }

    func end() async throws {
        try await fixture.settle(taps + moves)
        let names = transport.reports.compactMap { $0["event"]?.stringValue }
        #expect(names.count { $0 == "didSelect" } == taps && names.count { $0 == "moveRow" } == moves)
        #expect(table.faults() == [])
        // A table in no window is loaded anew; one in a window is never.
        for cause in overlays { fixture.list.edit { $0.remove(cause: cause) } }
        #expect(fixture.list.sections == script.sections)
        table.table.layoutIfNeeded()
        #expect(table.faults() == [])
    }
}
