import HTTPTypes

extension Route {
    /// Whether conditions on the director's state are looked at (RFC 9110, section 13).
    var isConditional: Bool {
        isMutation || answers.contains { $0.status == 304 }
    }

    /// The problems that any route may answer, before or beside its own, in a sentence.
    static let anyProblem =
        "408 where the request came too slowly, 414 where the target is too long, 421 where the host is not one that the server "
        + "answers for, 431 where the header fields are too long or too many, 500 where the server made a mistake; and what "
        + "else went wrong."

    /// The problems that the route can answer, by their statuses, each with when it comes; but for ``anyProblem``.
    ///
    /// The common answers of a route follow from its form; ``failures`` has its own ones.
    var problems: [(status: Int, summary: String)] {
        var problems: [Int: String] = [
            400: "The path, the query or the content cannot be read.",
            406: "`Accept` takes no representation that there is.",
            503: "The server is starting, stopping or full, or cannot store changes.",
        ]
        if !method.isSafe { problems[403] = "The request comes from another site's page." }
        if requirement.right != nil {
            problems[401] = "A credential is needed, or the one that was sent is not good: see `WWW-Authenticate`."
            problems[403] = "The credential's grants do not give the right, or another site's page has asked."
            problems[429] = "Too much was asked for, or too many credentials were not good; see `Retry-After`."
        }
        if !path.parameterNames.isEmpty || query.contains(where: { $0.name == "director" && $0.isRequired }) {
            problems[404] = "Nothing is at this path, or it may not be read."
        }
        if takesBody {
            problems[413] = "The content is too large."
            problems[415] = "The content is not JSON by its type, or is coded."
            problems[422] = "The content, or a place that the query names, is not valid; `errors` says where."
        }
        if namesDirector {
            problems[409] = "An identifier stands for several, or the state does not allow this."
            if query.contains(where: { ["version", "since", "from"].contains($0.name) }) {
                problems[410] = "The version is no longer retained."
            }
        }
        if query.contains(where: { $0.name == QueryParameter.parameters.name }) {
            problems[422] = "A parameter of a view is unknown or missing, or has a value of another type."
        }
        if isConditional { problems[412] = "A condition of the request does not hold; nothing has changed." }
        if isMutation {
            problems[422] = problems[422] ?? "A place that the query names is not valid."
            problems[504] = "On a node among several: the director's owner has not answered."
            problems[507] = "There is no room, or a bound of the server would be passed; nothing has changed."
        }
        for failure in failures { problems[failure.status] = failure.summary }
        for answer in answers { problems[answer.status] = nil }
        return problems.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
