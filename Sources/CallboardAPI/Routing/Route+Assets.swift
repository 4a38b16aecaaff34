import HTTPTypes

extension Route {
    /// The JavaScript client and the console: files of the program, which anybody may have.
    static let assets: [Route] = [
        asset(
            "client.js", operationID: "readClient", type: "text/javascript",
            summary: "The JavaScript client, one module without imports."),
        asset(
            "client.d.ts", operationID: "readClientTypes", type: "application/typescript",
            summary: "The types of the JavaScript client, for TypeScript."),
        asset(
            "list.js", operationID: "readListModule", type: "text/javascript",
            summary: "The module for long lists on web pages; it imports the client beside it."),
        asset(
            "list.d.ts", operationID: "readListTypes", type: "application/typescript",
            summary: "The types of what shows long lists, for TypeScript."),
        asset(
            "offline.js", operationID: "readOfflineModule", type: "text/javascript",
            summary: "The module that keeps reports and lists on web pages; it imports the client beside it."),
        asset(
            "offline.d.ts", operationID: "readOfflineTypes", type: "application/typescript",
            summary: "The types of what keeps reports and lists, for TypeScript."),
        toConsole("/", operationID: "readRoot"),
        toConsole("/console", operationID: "readConsolePath"),
        Route(
            method: .get, path: PathTemplate("/console/"), requires: .open, operationID: "readConsole",
            summary: "The console, a page for browsers.",
            answers: [file("text/html"), .sameFile], failures: [noConsole],
            action: .service { call, application throws(Problem) in
                try application.answerConsole("index.html", call)
            }),
        Route(
            method: .get, path: PathTemplate("/console/{file}"), requires: .open, operationID: "readConsoleFile",
            summary: "The files of the console's page.",
            answers: [
                Answer(
                    status: 200, summary: "The file.",
                    content: ["text/javascript", "text/css", "image/svg+xml", "text/html"].map { ($0, "PlainText") }),
                .sameFile,
            ],
            action: .service { call, application throws(Problem) in
                try application.answerConsole(call.parameters[0], call)
            }),
    ]

    private static func asset(_ name: String, operationID: String, type: String, summary: String) -> Route {
        Route(
            method: .get, path: PathTemplate("/" + name), requires: .open, operationID: operationID, summary: summary,
            answers: [file(type), .sameFile],
            action: .service { call, application throws(Problem) in try application.answerAsset(name, call) })
    }

    private static func toConsole(_ path: String, operationID: String) -> Route {
        Route(
            method: .get, path: PathTemplate(path), requires: .open, operationID: operationID,
            summary: "Leads a browser to the console.", answers: [.empty(302, "To the console.")],
            failures: [noConsole],
            action: .service { call, application throws(Problem) in try application.leadToConsole(call) })
    }

    private static func file(_ type: String) -> Answer {
        Answer(status: 200, summary: "The file.", content: [(type, "PlainText")])
    }

    private static let noConsole = Answer.empty(404, "The server has no console.")
}

extension Route.Answer {
    /// A browser's copy is good.
    fileprivate static let sameFile = Route.Answer.empty(304, "The file is that of `If-None-Match`.")
}
