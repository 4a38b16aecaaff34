import Access
import Testing

@testable import CallboardAPI

/// Every route beside every right, against a running server.
@Suite("Routes and rights")
struct RouteRightTests {
    /// What each route asks for, written by hand: a route that is not here fails the test.
    private static let rights: [String: Right?] = {
        var rights: [String: Right?] = [:]
        for name in ["isAlive", "isReady", "readOpenAPI", "readSession", "beginSession", "endSession"] + files {
            rights.updateValue(nil, forKey: name)
        }
        let names: [Right: [String]] = [
            .read: [
                "listDirectors", "readDirector", "listSections", "readSection", "listElements", "readElement",
                "listAllElements", "listRows", "readRow", "listRowElements", "readRowElement", "listRowIndexPaths",
                "listVariables", "readVariable", "listAdapters", "readAdapter", "listHeaderFooterAdapters",
                "readHeaderFooterAdapter", "followDirector", "followDirectors",
                "createTicket",
            ],
            .mutate: [
                "setSections", "addSections", "removeSections", "moveSection", "swapSections", "putSection",
                "patchSection", "removeSection", "setElements", "addElements", "removeElements", "putElement",
                "patchElement", "removeElement", "moveElement", "swapElements", "transferElement", "transferRowElement",
                "appendElements", "setRows", "addRows",
                "removeRows", "putRow", "patchRow", "removeRow", "moveRow", "swapRows", "setVariable", "removeVariable",
                "reload", "performOperations", "refresh", "scroll", "replaceContent", "setRowElements",
                "addRowElements", "removeRowElements", "putRowElement", "patchRowElement", "removeRowElement",
                "moveRowElement", "swapRowElements",
            ],
            .define: [
                "putDirector", "patchDirector", "deleteDirector", "putAdapters", "putAdapter", "removeAdapter",
                "putHeaderFooterAdapter", "removeHeaderFooterAdapter", "listInstances",
            ],
            .hooks: ["AdapterEvent", "HeaderFooterEvent", "Event", "ScrollEvent", "RowEvent", "SectionEvent"].flatMap {
                ["list\($0)s", "put\($0)", "read\($0)", "remove\($0)"]
            } + ["listHooks", "listDeliveries", "readDelivery", "retryDelivery", "removeDelivery"],
            .report: ["reportEvent"],
            .operate: [
                "readMetrics", "readMetricsHistory", "listTokens", "createToken", "readToken", "revokeToken",
                "listStreams",
                "closeStream", "listIssuers", "listNodes",
            ],
        ]
        for (right, names) in names { for name in names { rights[name] = right } }
        return rights
    }()

    /// The files for browsers, with which nobody is asked for anything.
    private static let files = [
        "readClient", "readClientTypes", "readListModule", "readListTypes", "readOfflineModule", "readOfflineTypes",
        "readRoot", "readConsolePath", "readConsole", "readConsoleFile",
    ]

    private static let parameters = [
        "director": "d", "section": "s", "element": "a", "row": "r", "model": "M", "view": "V", "name": "v",
        "event": "didSelect", "delivery": "x", "token": "tok_0", "file": "main.js",
        "stream": "x",
    ]

    @Test("every route has its right, and no other route is there")
    func declared() {
        let known = Set(Self.rights.keys)
        #expect(Set(Route.all.map(\.operationID)).subtracting(known).sorted() == [])
        #expect(known.subtracting(Route.all.map(\.operationID)).sorted() == [])
    }

    @Test("each route beside each right, on its director and on another, without a credential and with an ended one")
    func table() async throws {
        // One loop, so that it has seen every token before it is no good any more: no attempt counts as a guess.
        try await AccessServer.run {
            $0.loops = 1
        } _: { server in
            try server.makeDirector()
            let (own, other) = (try tokens(server, on: "d"), try tokens(server, on: "other"))
            let revoked = try server.makeToken(#"[{"actions":["read"],"directors":["*"]}]"#)
            try server.send(revoked.text, "GET", "/v1/directors/d").expect(200)
            try server.send(server.admin, "DELETE", "/v1/tokens/\(revoked.id)").expect(204)
            var tried = 0
            for route in Route.all {
                guard let right = Self.rights[route.operationID] else { continue }
                for (held, token) in own {
                    let answer = try ask(server, route, token)
                    #expect(
                        outcome(answer) == expected(route, right, holding: held),
                        "\(route.operationID) with \(held): \(answer.status) \(answer.text)")
                }
                for (held, token) in other {
                    let answer = try ask(server, route, token)
                    #expect(
                        outcome(answer) == expectedElsewhere(route, right, holding: held),
                        "\(route.operationID) with \(held) elsewhere: \(answer.status) \(answer.text)")
                }
                // A session is begun with a token, whatever that allows.
                let isOpen = right == nil && route.operationID != "beginSession"
                #expect(outcome(try ask(server, route, nil)) == (isOpen ? .passed : .status(401)))
                let withRevoked = outcome(try ask(server, route, revoked.text))
                #expect(
                    withRevoked == (Self.files.contains(route.operationID) ? .passed : .status(401)),
                    "\(route.operationID), revoked")
                if right != nil {
                    try server.makeDirector()
                    #expect(outcome(try ask(server, route, server.admin)) == .passed, "\(route.operationID), admin")
                    try server.makeDirector()
                }
                tried += 1
            }
            #expect(tried == Self.rights.count)
        }
    }

    private enum Outcome: Equatable {
        /// The request came to the route's action.
        case passed
        case status(Int)
    }

    /// Whether a request came to the action; the action itself may still have refused it.
    private func outcome(_ answer: TestResponse) -> Outcome {
        if [401, 403, 429].contains(answer.status) { return .status(answer.status) }
        if answer.status == 404, answer.text.contains("There is no director") { return .status(404) }
        return .passed
    }

    private func expected(_ route: Route, _ right: Right?, holding held: Right) -> Outcome {
        if right == nil || right == held { return .passed }
        if ["createToken", "listTokens"].contains(route.operationID) { return .status(403) }
        // What is about a director that may not be read is not there; what is about no director in particular, or makes
        // one, is forbidden.
        let isAboutOne = route.path.parameterNames.first == "director" && route.operationID != "putDirector"
        return .status(isAboutOne && held != .read ? 404 : 403)
    }

    private func expectedElsewhere(_ route: Route, _ right: Right?, holding held: Right) -> Outcome {
        if right == nil || (right == held && held == .operate) { return .passed }
        let isAboutOne = route.path.parameterNames.first == "director" && route.operationID != "putDirector"
        if isAboutOne { return .status(404) }
        // Lists show what there is to see elsewhere; a stream of this director is one of nothing.
        guard right == held,
            [
                "listDirectors", "listHooks", "listDeliveries", "readDelivery", "retryDelivery", "removeDelivery",
                "createTicket",
            ].contains(route.operationID)
        else { return .status(right == held && route.operationID == "followDirectors" ? 404 : 403) }
        return .passed
    }

    private func tokens(_ server: AccessServer, on director: String) throws -> [(Right, String)] {
        try Right.allCases.map { ($0, try server.token([$0], on: [director])) }
    }

    private func ask(_ server: AccessServer, _ route: Route, _ token: String?) throws -> TestResponse {
        var path = route.path.description
        for (name, value) in Self.parameters { path = path.replacing("{\(name)}", with: value) }
        if route.operationID == "followDirectors" { path += "?director=d" }
        let body: String? = route.takesBody ? "{}" : nil
        if route.isStream {
            // The head alone: a stream that is let through has no end.
            let connection = try TestConnection(port: server.server.port)
            let credential = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
            try connection.write(
                "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\(credential)\r\n")
            let (status, fields) = try connection.readHead()
            let length = fields["content-length"].flatMap { Int($0) }
            return TestResponse(status: status, fields: fields, body: try length.map { try connection.take($0) } ?? [])
        }
        return try server.send(token, route.method.rawValue, path, body)
    }
}
