import Access
import Directors
import JSONValues

extension Application {
    /// `GET /v1/issuers`.
    func listIssuers(_ call: Call) {
        call.answer(Reply(body: ListForm.issuers.list(access.issuers)))
    }
}

extension IssuerKeys.Standing: AnswerObject {
    package static let form = AnswerForm<Self>(
        AnswerField("issuer") { $0.settings.issuer.issuer },
        AnswerField("audience") { $0.settings.issuer.audiences },
        AnswerField("algorithms") { $0.settings.issuer.algorithms.map(\.rawValue).sorted() },
        .ifAny("keysFile") { if case .file(let path) = $0.settings.source { path } else { nil } },
        .ifAny("jwksURL") { if case .url(let url) = $0.settings.source { url } else { nil } },
        AnswerField("keys", "How many keys are there; null before the first.") { $0.keys },
        AnswerField("fetchedAt") { $0.fetchedAt.map { WallTime(seconds: $0) } },
        AnswerField("lastError", "Why the newest fetch has brought no keys; those before are kept.") { $0.failure })
}
