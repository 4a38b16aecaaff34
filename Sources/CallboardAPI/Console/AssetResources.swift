import HTTPTypes
import WebAssets

extension Application {
    /// `GET /client.js`, `/list.js`, `/offline.js` and their types: a file for web pages.
    func answerAsset(_ path: String, _ call: Call) throws(Problem) {
        guard let asset = Asset.all[path] else { throw .notFound("No file has this name.") }
        try answer(asset, call)
    }

    /// Answers with a constant file, or with 304 if the client has it already.
    func answer(_ asset: Asset, _ call: Call) throws(Problem) {
        guard let form = asset.form(where: { call.takes($0) }) else { throw .notFound("No file has this name.") }
        var reply = Reply(body: form.bytes, contentType: asset.mediaType, etag: form.tag)
        reply.furtherFields = Self.fields(of: asset, form)
        if try Preconditions.isFresh(call, tag: form.tag, of: "file") {
            reply.status = .notModified
            reply.body = []
            reply.furtherFields.removeAll { $0.name == .contentEncoding }
        }
        call.answer(reply)
    }

    /// `GET /console/` and what is below it.
    func answerConsole(_ file: String, _ call: Call) throws(Problem) {
        try requireConsole()
        try answerAsset("console/" + file, call)
    }

    /// `GET /` and `GET /console`: leads to the console. The location is relative, so that a proxy may put a path in front.
    func leadToConsole(_ call: Call) throws(Problem) {
        try requireConsole()
        call.answer(Reply(status: .found, location: "console/"))
    }

    private func requireConsole() throws(Problem) {
        guard configuration.hasConsole else {
            throw .notFound(
                "This server has no console: console.enabled is \(configuration.console.rawValue). "
                    + "GET /openapi.json lists what it has.")
        }
    }

    /// The fields of an answer with a file, besides its type and tag.
    ///
    /// A page may load what the server itself serves and nothing else, stands in no other page's frame, and tells other
    /// sites nothing (Content Security Policy Level 3).
    private static func fields(of asset: Asset, _ form: Asset.Form) -> [HTTPField] {
        var fields = [HTTPField(name: .vary, value: "Accept-Encoding")]
        if form.coding != .identity {
            fields.append(HTTPField(name: .contentEncoding, value: form.coding.rawValue))
        }
        guard asset.mediaType.hasPrefix("text/html") else { return fields }
        return fields + [
            HTTPField(
                name: .contentSecurityPolicy,
                value:
                    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
            ),
            HTTPField(name: .referrerPolicy, value: "no-referrer"),
            HTTPField(name: .crossOriginOpenerPolicy, value: "same-origin"),
        ]
    }
}

extension Call {
    /// Whether the client takes a content coding (RFC 9110, section 12.5.3). The uncompressed file suits every client,
    /// even one whose `Accept-Encoding` excludes it: a usable answer is better than 406.
    fileprivate func takes(_ coding: Asset.Coding) -> Bool {
        guard coding != .identity else { return true }
        guard let accepted = self[.acceptEncoding] else { return false }
        return ContentNegotiation.accepts(coding: coding.rawValue, in: accepted)
    }
}
