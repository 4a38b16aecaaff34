import Access
import Directors
import JSONValues

extension Application {
    /// `GET /v1/issuers`.
    func listIssuers(_ call: Call) {
        call.answer(Reply(body: Coding.list("issuers", access.issuers) { $0.encode(to: &$1) }))
    }
}

extension IssuerKeys.Standing {
    /// Appends the issuer's JSON form.
    fileprivate func encode(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("issuer", settings.issuer.issuer)
            writer.key("audience")
            writer.array { writer in for audience in settings.issuer.audiences { writer.string(audience) } }
            writer.key("algorithms")
            writer.array { writer in
                for algorithm in settings.issuer.algorithms.map(\.rawValue).sorted() { writer.string(algorithm) }
            }
            switch settings.source {
            case .file(let path): writer.member("keysFile", path)
            case .url(let url): writer.member("jwksURL", url)
            }
            writer.key("keys")
            if let keys { writer.int(keys) } else { writer.null() }
            writer.member("fetchedAt", fetchedAt.map { WallTime(seconds: $0) })
            writer.key("lastError")
            writer.text(failure)
        }
    }
}
