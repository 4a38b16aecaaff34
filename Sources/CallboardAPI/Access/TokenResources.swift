import Access
import DirectorLife
import Directors
import HTTPTypes
import JSONValues
import Notation

extension Application {
    /// `POST /v1/tokens`: makes a token; this answer alone has its text.
    func createToken(_ call: Call) throws(Problem) {
        let draft = try TokenDraft(try call.document().root, now: access.now)
        guard access.tokenCount < TokenBook.limit else {
            throw .overBound("This server keeps at most \(TokenBook.limit) tokens; revoke those that nobody uses.")
        }
        let token = StaticToken.random()
        let entry = TokenEntry(
            name: draft.name, digest: token.digest, grants: draft.grants, createdAt: access.now,
            expiresAt: draft.expiresAt)
        access.add(entry) { error in
            if let error { return call.answer(Problem(error)) }
            call.answer(
                Reply(
                    status: .created, body: NewToken(entry: entry, text: token.text).encoded,
                    location: Location.path("v1", "tokens", entry.id), isStorable: false,
                    subject: AuditEntry.Subject(entry)))
        }
    }

    /// `GET /v1/tokens`.
    func listTokens(_ call: Call) {
        let (offset, limit) = call.query.page
        let all = access.tokens
        let page = all.dropFirst(offset).prefix(limit)
        call.answer(
            Reply(
                body: ListForm.tokens.page(page, offset: offset, limit: limit, total: all.count) { $0.write(to: &$1) }))
    }

    /// `GET /v1/tokens/{token}`.
    func readToken(_ call: Call) throws(Problem) {
        call.answer(Reply(body: try token(call).encoded))
    }

    /// `DELETE /v1/tokens/{token}`: revokes it. Streams that it has opened end within two seconds.
    func revokeToken(_ call: Call) throws(Problem) {
        access.revoke(id: try token(call).id) { error in
            if let error { return call.answer(Problem(error)) }
            guard let cluster = self.environment.cluster else { return call.answer(.noContent(etag: nil)) }
            // The other nodes take it for good until they have looked.
            cluster.lookEverywhere { call.answer(.noContent(etag: nil)) }
        }
    }

    private func token(_ call: Call) throws(Problem) -> TokenEntry {
        guard let entry = access.token(id: call.parameters[0]) else {
            throw .notFound("There is no token \(call.parameters[0].quoted); GET /v1/tokens lists them.")
        }
        return entry
    }
}

/// A token as a request asks for it.
private struct TokenDraft {
    let name: String
    let grants: Grants
    let expiresAt: Int?

    init(_ node: JSONNode, now: Int) throws(Problem) {
        guard node.kind == .object else { throw Self.invalid("", "expected an object with name and grants") }
        for member in node.members where !["name", "grants", "expiresAt"].contains(member.name) {
            throw Self.invalid(
                member.value.pointer.description, "a token has no such member; it has: name, grants, expiresAt")
        }
        guard let name = node["name"]?.string, (1...TokenEntry.nameLimit).contains(name.utf8.count) else {
            throw Self.invalid("/name", "expected a text of 1 to \(TokenEntry.nameLimit) bytes")
        }
        guard !name.hasControlCharacters else { throw Self.invalid("/name", "a name has no control characters") }
        guard let list = node["grants"] else { throw Self.invalid("/grants", "the member grants is missing") }
        do {
            grants = try Grants(decoding: list)
        } catch {
            throw Self.invalid("/grants" + error.pointer, error.detail)
        }
        guard !grants.list.isEmpty else { throw Self.invalid("/grants", "expected at least one grant") }
        self.name = name
        expiresAt = try node["expiresAt"].flatMap { end throws(Problem) in try Self.end(end, now: now) }
    }

    private static func end(_ node: JSONNode, now: Int) throws(Problem) -> Int? {
        if node.isNull { return nil }
        guard let text = node.string, let end = DateText.millisecondsSince1970(rfc3339: text).map({ $0 / 1000 }),
            end <= WallTime.distantFuture.seconds
        else {
            throw invalid(
                "/expiresAt",
                "expected null or a time that the calendar has, up to the year 9999, such as \"2030-12-31T23:59:59Z\"")
        }
        guard end > now else { throw invalid("/expiresAt", "the time is over already") }
        return end
    }

    private static func invalid(_ pointer: String, _ detail: String) -> Problem {
        .unprocessable("The token is not valid.", faults: [.init(pointer: pointer, detail: detail)])
    }
}

/// A new token, with the text that is shown once.
struct NewToken: AnswerObject {
    let entry: TokenEntry
    let text: String

    static let form = AnswerForm<Self>(
        AnswerField("id") { $0.entry.id },
        AnswerField("name") { $0.entry.name },
        AnswerField("token", "The secret; shown here only.") { $0.text },
        AnswerField("grants") { $0.entry.grants },
        AnswerField("createdAt") { WallTime(seconds: $0.entry.createdAt) },
        AnswerField("expiresAt") { $0.entry.expiresAt.map { WallTime(seconds: $0) } },
        AnswerField("lastUsedAt", "About when, to the hour.") { $0.entry.lastUsedAt.map { WallTime(seconds: $0) } })
}

extension TokenEntry: AnswerObject {
    package static let form = AnswerForm<Self>(
        AnswerField("id") { $0.id },
        AnswerField("name") { $0.name },
        AnswerField("grants") { $0.grants },
        AnswerField("createdAt") { WallTime(seconds: $0.createdAt) },
        AnswerField("expiresAt") { $0.expiresAt.map { WallTime(seconds: $0) } },
        AnswerField("lastUsedAt", "About when, to the hour.") { $0.lastUsedAt.map { WallTime(seconds: $0) } })
}

extension Grants: AnswerValue {
    package static var schema: JSONSchema { .array(.reference("Grant")) }
    package func write(to writer: inout JSONWriter) { encode(to: &writer) }
}
