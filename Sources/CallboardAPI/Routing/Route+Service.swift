import Directors
import Foundation
import HTTPTypes
import Hosting
import Journal

extension Route {
    /// Health, metrics, nodes and the description of the API.
    static let service: [Route] = [
        Route(
            method: .get, path: PathTemplate("/livez"), requires: .nothing, operationID: "isAlive",
            summary: "Answers while the process works, with the program's version in the second line.",
            answers: [text(200, "It does.")],
            action: .service { call, _ in call.answer(plain(Application.alive)) }),
        Route(
            method: .get, path: PathTemplate("/readyz"), requires: .nothing, operationID: "isReady",
            summary: "Answers 200 while the server takes requests, 503 while it starts, stops or cannot store changes.",
            details: "Why it is not ready, and what an operator should know though it is, is for the right `operate`.",
            answers: [text(200, "It takes requests.")],
            action: .service { call, application throws(Problem) in
                let maySeeAll = call.principal.grants.allowSomewhere(.operate)
                do throws(Problem) {
                    let notes = try application.readiness()
                    call.answer(plain("ready\n" + (maySeeAll ? notes : "")))
                } catch {
                    var problem = error
                    if !maySeeAll { problem.detail = "The reason is for a credential with the right operate." }
                    throw problem
                }
            }),
        Route(
            method: .get, path: PathTemplate("/metrics"), requires: .server(.operate), operationID: "readMetrics",
            summary: "Counts and times in the Prometheus text format.",
            query: [node],
            answers: [text(200, "The metrics.")], failures: [.empty(404, "There is no node of that number.")],
            scope: .queriedNode,
            action: .service { call, application throws(Problem) in
                try application.answerMetrics(call) {
                    var reply = plain(application.metrics.page)
                    reply.contentType = "text/plain; version=0.0.4; charset=utf-8"
                    return reply
                }
            }),
        Route(
            method: .get, path: PathTemplate("/v1/metrics/history"), requires: .server(.operate),
            operationID: "readMetricsHistory",
            summary: "The numbers of GET /metrics during the last hour, every ten seconds, and at this moment.",
            details: "Numbers that differ by method or route alone are added up. They are kept in memory: the history "
                + "begins when the server is started.",
            query: [
                node,
                QueryParameter(
                    name: "metric", kind: .repeatedText,
                    summary: "A metric that is wanted, as GET /metrics declares it; once for each, all unless given."),
            ],
            answers: [.json(200, "The history.", "MetricsHistory")],
            failures: [.empty(404, "There is no node of that number.")], scope: .queriedNode,
            action: .service { call, application throws(Problem) in
                let metrics = Set(call.query.all("metric"))
                try application.answerMetrics(call) {
                    let now = WallTime.now().milliseconds
                    return Reply(
                        body: application.history.excerpt(of: metrics, now: now).encoded, isStorable: false)
                }
            }),
        Route(
            method: .get, path: PathTemplate("/v1/nodes"), requires: .server(.operate), operationID: "listNodes",
            summary: "The nodes that share this server's database, with how many directors each owns.",
            details: "None on a server that has its content for itself. Where the database cannot be asked, the "
                + "nodes as they were known last, with `Callboard-Stale`.",
            answers: [.json(200, "The nodes that live.", "NodeList")],
            action: .service { call, application in application.listNodes(call) }),
        Route(
            method: .get, path: PathTemplate("/openapi.json"), requires: .nothing, operationID: "readOpenAPI",
            summary: "This API as an OpenAPI 3.1 document.",
            answers: [
                .json(200, "The document.", "OpenAPI"),
                .empty(304, "The document is that of `If-None-Match`."),
            ],
            action: .service { call, application throws(Problem) in
                try application.answer(OpenAPIDocument.served, call)
            }),
    ]

    private static let node = QueryParameter(
        name: "node", kind: .integer(1...Int.max),
        summary: "The node that is meant, by its number in GET /v1/nodes; the one that is asked unless given.")

    private static func text(_ status: Int, _ summary: String) -> Answer {
        Answer(status: status, summary: summary, content: [("text/plain", "PlainText")])
    }

    private static func plain(_ text: String) -> Reply {
        // What holds at this moment only.
        Reply(body: Array(text.utf8), contentType: "text/plain; charset=utf-8", isStorable: false)
    }
}
