import Directors
import HTTPTypes

/// The words of a list's routes, for the API's description; what is made of the item's name is the same for every list.
struct ListWords: Sendable {
    /// The item, capitalised, as the names of schemas have it.
    let item: String
    /// The text before the item in the routes' names.
    var prefix = ""
    /// The item with its article.
    let one: String
    /// The summaries.
    let list, set, add, move, swap, put, patch: String
    /// Notes on replacing all, and on replacing one.
    var setDetails = "", putDetails = ""
    /// The schema of one item that is read by itself, and what it has.
    let placed: (schema: String, summary: String)
    /// The schemas of the bodies of one item, of a patch, and of a move.
    let bodies: (put: String, patch: String, move: String)
    /// The parameters of the queries of reads, of several items and of one.
    let pageQuery, readQuery: [QueryParameter]
    /// The parameters of requests that bring in items, of a put and of a patch.
    let bodyQuery, putQuery, patchQuery: [QueryParameter]

    fileprivate func name(_ verb: String, plural: Bool = false) -> String {
        verb + prefix + item + (plural ? "s" : "")
    }

    fileprivate var items: String { item.lowercased() + "s" }
}

extension Route {
    /// The routes of a list and of its items; the path says which list.
    ///
    /// - Parameters:
    ///   - path: The list's path.
    ///   - words: What the description says of it.
    ///   - find: The list that the path of a call names.
    ///   - put: Replaces an item or adds it.
    ///   - patch: Applies a merge patch to an item.
    static func list<Resource: ListResource>(
        at path: String, _ words: ListWords, _ find: @escaping @Sendable (Call) throws(Problem) -> Resource,
        put: @escaping @Sendable (Call, inout Mutation, Resource) throws(Problem) -> Reply,
        patch: @escaping @Sendable (Call, inout Mutation, Resource) throws(Problem) -> Reply
    ) -> [Route] {
        let (item, items) = (words.item, words.items)
        let named = path + "/{\(item.lowercased())}"
        return [
            Route(
                method: .get, path: PathTemplate(path), requires: .right(.read),
                operationID: words.name("list", plural: true), summary: words.list,
                query: [.offset, .limit] + words.pageQuery,
                answers: [.json(200, "A page of \(items).", "\(item)List"), .unchanged], asksSources: true,
                action: .read { call, reading throws(Problem) in try reading.list(call, try find(call)) }),
            .change(
                .put, path, words.name("set", plural: true), words.set, words.setDetails, words.bodyQuery,
                .json("\(item)sBody"), [.json(200, "The first page of the new \(items).", "\(item)List"), .minimal]
            ) { call, mutation throws(Problem) in try mutation.set(call, try find(call)) },
            .change(
                .post, path, words.name("add", plural: true), words.add, "", [.insertAt] + words.bodyQuery,
                .json("\(item)sBody"),
                [
                    .json(201, "The \(item.lowercased()) that was added, or the list of them.", "\(item)OrList"),
                    .minimal,
                ]
            ) { call, mutation throws(Problem) in try mutation.add(call, try find(call)) },
            .change(
                .delete, path, words.name("remove", plural: true), "Removes the \(items) at some positions, or all.",
                "", [.removeAt, .reload], .none, [.empty(204, "They are gone.")]
            ) { call, mutation throws(Problem) in try mutation.removeSeveral(call, try find(call)) },
            .change(
                .post, path + ":move", words.name("move"), words.move, "", [.reload], .json(words.bodies.move),
                [.json(200, "The director.", "Director"), .minimal]
            ) { call, mutation throws(Problem) in try mutation.rearrange(call, .move, try find(call).list) },
            .change(
                .post, path + ":swap", words.name("swap", plural: true), words.swap, "", [.reload], .json("Swap"),
                [.json(200, "The director.", "Director"), .minimal]
            ) { call, mutation throws(Problem) in try mutation.rearrange(call, .swap, try find(call).list) },
            Route(
                method: .get, path: PathTemplate(named), requires: .right(.read), operationID: words.name("read"),
                summary: "Reads \(words.one).", query: words.readQuery,
                answers: [.json(200, words.placed.summary, words.placed.schema), .unchanged], asksSources: true,
                action: .read { call, reading throws(Problem) in try reading.read(call, try find(call)) }),
            .change(
                .put, named, words.name("put"), words.put, words.putDetails, words.putQuery, .json(words.bodies.put),
                [
                    .json(200, "It was there.", words.placed.schema), .json(201, "It is new.", words.placed.schema),
                    .minimal,
                ]
            ) { call, mutation throws(Problem) in try put(call, &mutation, try find(call)) },
            .change(
                .patch, named, words.name("patch"), words.patch, "", words.patchQuery,
                .mergePatch(words.bodies.patch),
                [.json(200, "The \(item.lowercased()).", words.placed.schema), .minimal]
            ) { call, mutation throws(Problem) in try patch(call, &mutation, try find(call)) },
            .change(
                .delete, named, words.name("remove"), "Removes \(words.one).", "", [.reload], .none,
                [.empty(204, "It is gone.")]
            ) { call, mutation throws(Problem) in try mutation.remove(call, try find(call)) },
        ]
    }

    /// A route that changes the content of a director.
    private static func change(
        _ method: HTTPRequest.Method, _ path: String, _ operationID: String, _ summary: String, _ details: String,
        _ query: [QueryParameter], _ body: Body, _ answers: [Answer],
        _ action: @escaping @Sendable (Call, inout Mutation) throws(Problem) -> Reply
    ) -> Route {
        Route(
            method: method, path: PathTemplate(path), requires: .right(.mutate), operationID: operationID,
            summary: summary, details: details, query: query, body: body, answers: answers, action: .change(action))
    }
}
