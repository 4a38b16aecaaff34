import Foundation
import ListDiff
import Testing

@testable import CallboardClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Requests about rows")
struct RowRequestTests {
    /// A call, and the request that it has to make.
    struct Route: Sendable, CustomTestStringConvertible {
        let request: String
        var body: String?
        /// What the server answers, where the call reads it.
        var answer = ""
        let call: @Sendable (RemoteDirector) async throws -> Void
        var testDescription: String { request }
    }

    private static let draft = RowDraft.constant(1, cell: "C")
    private static let draftText = #"{"type":"constant","value":1,"cell":"C"}"#
    private static let page = #"{"rows":[],"offset":0,"limit":100,"total":0}"#
    private static let row = #"{"id":"r","type":"constant","cell":"C","value":1,"section":"s","position":0}"#
    private static let element = #"{"id":"e","model":"M","value":1,"row":"r","indexPath":null}"#

    private static let rows: [Route] = [
        Route(request: "GET s/rows?offset=0&limit=100", answer: page) { _ = try await $0.rows(in: "s") },
        Route(request: "GET s/rows?offset=2&limit=5&elements=false", answer: page) {
            _ = try await $0.rows(in: "s", offset: 2, limit: 5, elements: false)
        },
        Route(request: "GET s/rows/r%2F1", answer: row) { _ = try await $0.row("r/1", in: "s") },
        Route(request: "GET s/rows/@0?elements=false", answer: row) {
            _ = try await $0.row(.position(0), in: "s", elements: false)
        },
        Route(request: "PUT s/rows?reload=true", body: "[\(draftText)]") {
            try await $0.setRows([draft], in: "s", .reload)
        },
        Route(request: "POST s/rows", body: "[\(draftText)]") { try await $0.addRows([draft], in: "s") },
        Route(request: "POST s/rows?at=1", body: "[]") { try await $0.addRows([], in: "s", at: 1) },
        Route(request: "PUT s/rows/r", body: draftText) { try await $0.setRow(draft, at: "r", in: "s") },
        Route(request: "PUT s/rows/r?at=3", body: draftText) {
            try await $0.setRow(draft, at: "r", in: "s", position: 3)
        },
        Route(request: "PATCH s/rows/r", body: #"{"hideWhen":true}"#) {
            try await $0.updateRow("r", in: "s", ["hideWhen": true])
        },
        Route(request: "DELETE s/rows/@@r") { try await $0.removeRow("@r", in: "s") },
        Route(request: "DELETE s/rows?at=0%2C2") { try await $0.removeRows(at: [0, 2], in: "s") },
        Route(request: "DELETE s/rows") { try await $0.removeAllRows(in: "s") },
        Route(request: "POST s/rows:move", body: #"{"from":1,"to":0}"#) {
            try await $0.moveRow(in: "s", from: 1, to: 0)
        },
        Route(request: "POST s/rows:move", body: #"{"from":1,"to":0,"toSection":"t"}"#) {
            try await $0.moveRow(in: "s", from: 1, to: 0, ofSection: "t")
        },
        Route(request: "POST s/rows:swap", body: #"{"at":1,"with":0}"#) {
            try await $0.swapRows(in: "s", at: 1, with: 0)
        },
    ]

    private static let elements: [Route] = [
        Route(
            request: "GET s/rows/r/elements?offset=0&limit=100",
            answer: #"{"elements":[\#(element)],"offset":0,"limit":100,"total":1}"#
        ) {
            let page = try await $0.elements(in: "s", row: "r").value
            #expect(page.items == [RemoteElement(id: "e", model: "M", value: 1)])
        },
        Route(request: "GET s/rows/r/elements/e", answer: element) {
            _ = try await $0.element("e", in: "s", row: "r")
        },
        Route(
            request: "GET s/rows/r/elements/e?state=published&version=3",
            answer: #"{"id":"e","row":"r","cell":"C","reuseIdentifier":"c","model":"M","value":1,"height":4}"#
        ) {
            let element = try await $0.element("e", in: "s", row: "r", state: .published(version: 3)).value
            #expect(element.height == 4)
        },
        Route(request: "PUT s/rows/r/elements", body: #"[{"value":1}]"#) {
            try await $0.setElements([ElementDraft(1)], in: "s", row: "r")
        },
        Route(request: "POST s/rows/r/elements?at=2", body: #"[{"value":1}]"#) {
            try await $0.addElements([ElementDraft(1)], in: "s", row: "r", at: 2)
        },
        Route(request: "DELETE s/rows/r/elements") { try await $0.removeAllElements(in: "s", row: "r") },
        Route(request: "DELETE s/rows/r/elements?at=1%2C4") {
            try await $0.removeElements(at: [1, 4], in: "s", row: "r")
        },
        Route(request: "PUT s/rows/r/elements/e", body: #"{"value":1}"#, answer: element) {
            try await $0.setElement(ElementDraft(1), at: "e", in: "s", row: "r")
        },
        Route(request: "PATCH s/rows/r/elements/e", body: #"{"a":1}"#, answer: element) {
            try await $0.updateElement("e", in: "s", row: "r", ["a": 1])
        },
        Route(request: "DELETE s/rows/r/elements/@last") { try await $0.removeElement(.last, in: "s", row: "r") },
        Route(request: "POST s/rows/r/elements:move", body: #"{"from":0,"to":1,"toSection":"t","toRow":"q"}"#) {
            try await $0.moveElement(in: "s", row: "r", from: 0, to: 1, ofSection: "t", ofRow: "q")
        },
        Route(request: "POST s/rows/r/elements:swap", body: #"{"at":0,"with":1}"#) {
            try await $0.swapElements(in: "s", row: "r", at: 0, with: 1)
        },
        Route(request: "POST s/elements:move", body: #"{"from":0,"to":1}"#) {
            try await $0.moveElement(in: "s", from: 0, to: 1)
        },
        Route(
            request: "POST s/rows/r/elements:transfer?reload=true",
            body: ##"{"from":"e","toDirector":"other","toSection":"t","toRow":"q","at":"@first"}"##
        ) {
            try await $0.transferElement(
                "e", in: "s", row: "r", to: "other", section: "t", row: "q", at: .first, WriteOptions(reload: true))
        },
        Route(request: "POST s/elements:transfer", body: #"{"from":"@0","toDirector":"other","toSection":"t"}"#) {
            try await $0.transferElement(.position(0), in: "s", to: "other", section: "t")
        },
        Route(request: "POST s/elements:swap", body: #"{"at":0,"with":1}"#) {
            try await $0.swapElements(in: "s", at: 0, with: 1)
        },
    ]

    @Test("each call makes its request", arguments: rows + elements)
    func route(route: Route) async throws {
        let transport = TestTransport([.status(route.answer.isEmpty ? 204 : 200, fields: [:], body: route.answer)])
        try await route.call(try Callboard(server: "http://h", transport: transport).director("d"))
        let request = try #require(transport.requests.first)
        let base = "http://h/v1/directors/d/sections/"
        let target = try #require(request.url?.absoluteString)
        #expect("\(request.httpMethod ?? "") \(target.dropFirst(base.count))" == route.request)
        #expect(target.hasPrefix(base))
        #expect(request.httpBody.map { String(decoding: $0, as: UTF8.self) } == route.body)
        let type = request.httpMethod == "PATCH" ? "application/merge-patch+json" : "application/json"
        #expect(request.value(forHTTPHeaderField: "Content-Type") == (route.body == nil ? nil : type))
    }

    private static func director(_ answers: String...) throws -> (RemoteDirector, TestTransport) {
        let transport = TestTransport(answers.map { .status(200, fields: ["ETag": "\"e-r4\""], body: $0) })
        return (try Callboard(server: "http://h", transport: transport).director("d"), transport)
    }

    @Test("rows are read with their revision and their page")
    func reading() async throws {
        let (director, _) = try Self.director(
            #"{"rows":[\#(Self.row),{"id":"m","type":"model","model":"M","count":3}],"offset":1,"limit":2,"total":4}"#)
        let answer = try await director.rows(in: "s", offset: 1, limit: 2)
        #expect(answer.value.items.map(\.id) == ["r", "m"])
        #expect(answer.value.nextOffset == 3 && answer.revision == Revision(epoch: "e", number: 4))
    }

    @Test("a row's index paths are those of a version of the published list")
    func indexPaths() async throws {
        let (director, transport) = try Self.director(
            #"{"director":"d","version":7,"indexPaths":[[1,0],[1,1]]}"#, #"{"version":8,"indexPaths":[]}"#,
            #"{"version":8,"indexPaths":[[1]]}"#)
        let paths = try await director.indexPaths(ofRow: "people", in: "settings")
        #expect(
            paths.version == 7
                && paths.indexPaths == [ElementPath(section: 1, element: 0), ElementPath(section: 1, element: 1)])
        #expect(
            transport.requests.first?.url?.absoluteString
                == "http://h/v1/directors/d/sections/settings/rows/people/index-paths")
        #expect(try await director.indexPaths(ofRow: .first, in: .last).indexPaths == [])
        await #expect(throws: ClientError.self) { try await director.indexPaths(ofRow: "r", in: "s") }
    }

    @Test("a refresh names rows by section and row")
    func refresh() async throws {
        let (director, transport) = try Self.director("")
        try await director.refresh(rows: [
            RowAddress(section: "settings", row: "people"), RowAddress(section: .first, row: .last),
        ])
        #expect(
            transport.requests.first?.httpBody.map { String(decoding: $0, as: UTF8.self) }
                == #"{"rows":[{"section":"settings","row":"people"},{"section":"@first","row":"@last"}]}"#)
        #expect(transport.requests.first?.url?.path == "/v1/directors/d/refresh")
    }

    @Test("a scroll names an element or a section, and where it is to be")
    func scroll() async throws {
        var bodies: [String?] = []
        for isWhole in [true, false] {
            let (director, transport) = try Self.director("")
            if isWhole {
                try await director.scroll(to: "Ada", in: "friends", at: .top, isAnimated: false)
            } else {
                try await director.scroll(in: .first)
            }
            bodies.append(transport.requests.first?.httpBody.map { String(decoding: $0, as: UTF8.self) })
            #expect(transport.requests.first?.url?.path == "/v1/directors/d/scroll")
        }
        #expect(
            bodies == [
                #"{"to":{"section":"friends","element":"Ada"},"position":"top","animated":false}"#,
                #"{"to":{"section":"@first"},"position":"none","animated":true}"#,
            ])
    }

    @Test("a dry run answers the changeset that would be published")
    func dryRun() async throws {
        let answer =
            #"{"director":"d","epoch":"e","from":3,"version":4,"stages":[{"elementDeleted":[[0,1]]}],"counts":{"sections":1,"elements":1}}"#
        let (director, transport) = try Self.director(answer, #"{"performed":1}"#)
        let changeset = try await director.changeset(afterPerforming: [.setVariable("hidePeople", to: true)])
        #expect(changeset.stages.stages.first?.elementDeleted == [ElementPath(section: 0, element: 1)])
        #expect(
            transport.requests.first?.httpBody.map { String(decoding: $0, as: UTF8.self) }
                == #"{"operations":[{"op":"setVariable","name":"hidePeople","value":true}],"dryRun":true}"#)
        await #expect(throws: ClientError.self) { try await director.changeset(afterPerforming: []) }
    }
}
