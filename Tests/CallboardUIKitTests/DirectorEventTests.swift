import CallboardUIKit
import Foundation
import ListDiff
import Testing
import UIKitDouble

@testable import CallboardClient

@Suite("A director's own events", .timeLimit(.minutes(5))) @MainActor
struct DirectorEventTests {
    private static let notification: JSON = ["kind": "notification"]

    @Test("an event of the scroll view goes to the director's closure, else to the hook, else nowhere")
    func scrolling() async throws {
        for kind in ShownView.Kind.allCases {
            let transport = HookTransport()
            let fixture = try ListFixture(transport)
            let view = ShownView.make(kind, fixture)
            let director = view.director
            let scroll = UIScrollView()
            scroll.contentOffset = CGPoint(x: 0, y: 5)
            try fixture.publish(["a"])
            director.scrollViewDidScroll(scroll)
            try fixture.publish(["a"], version: 2, scroll: ["endDecelerating": Self.notification])
            director.scrollViewDidEndDecelerating(scroll)
            var offsets: [JSON?] = []
            director.events.endDecelerating = { offsets.append($0.parameters["contentOffset"]?["y"]) }
            director.scrollViewDidEndDecelerating(scroll)
            director.events.endDecelerating = nil
            scroll.contentOffset.y = 6
            director.scrollViewDidEndDecelerating(scroll)
            try await fixture.settle(2)
            #expect(offsets == [5])
            #expect(transport.reports.map { $0["event"] } == ["endDecelerating", "endDecelerating"])
            #expect(transport.reports.map { $0["parameters"]?["contentOffset"]?["y"] } == [5, 6])
        }
    }

    @Test("whether a tap brings the list to its beginning: the closure, the hook that was asked ahead, true")
    func question() async throws {
        for kind in ShownView.Kind.allCases {
            let transport = HookTransport { _ in ["value": false, "source": "hook"] }
            let fixture = try ListFixture(transport)
            let view = ShownView.make(kind, fixture)
            let (director, scroll) = (view.director, UIScrollView())
            try fixture.publish(["a", "b"])
            view.layout()
            #expect(director.scrollViewShouldScrollToTop(scroll))
            let hooks: JSON = ["shouldScrollToTop": ["kind": "question"]]
            try fixture.publish(["a", "b"], version: 2, scroll: hooks)
            view.layout()
            try await fixture.until { transport.questions.count == 1 }
            try await fixture.idle(view)
            #expect(!director.scrollViewShouldScrollToTop(scroll))
            try fixture.publish(["b"], version: 3, scroll: hooks)
            view.layout()
            #expect(!director.scrollViewShouldScrollToTop(scroll), "the answer is of no version")
            director.events.shouldScrollToTop = { _ in true }
            #expect(director.scrollViewShouldScrollToTop(scroll))
            try await fixture.idle(view)
            #expect(transport.questions.count == 1)
        }
    }

    @Test("a header that comes into sight is told with its section: to the closure, else to the hook")
    func headers() async throws {
        let transport = HookTransport()
        let fixture = try ListFixture(transport)
        let view = ShownView.make(.table, fixture)
        guard case .table(let table, let director) = view else { return }
        let hooks: JSON = ["willDisplayHeader": Self.notification, "endDisplayFooter": Self.notification]
        try fixture.publish(["a"], director: hooks)
        view.layout()
        director.tableView(table, willDisplayHeaderView: UIView(), forSection: 0)
        director.tableView(table, willDisplayFooterView: UIView(), forSection: 0)
        director.tableView(table, didEndDisplayingFooterView: UIView(), forSection: 0)
        try await fixture.settle(2)
        #expect(transport.reports.map { $0["event"] } == ["willDisplayHeader", "endDisplayFooter"])
        #expect(transport.reports[0]["header"] == 0 && transport.reports[1]["footer"] == 0)
        var sections: [Int?] = []
        director.events.willDisplayHeader = { sections.append($0.section) }
        director.tableView(table, willDisplayHeaderView: UIView(), forSection: 0)
        #expect(sections == [0])
    }
}
