import Access
import JSONValues

/// An issuer of JSON Web Tokens, as the setting `auth.issuers` names it.
package struct IssuerSettings: Sendable, Hashable {
    /// The source of an issuer's keys.
    package enum Source: Sendable, Hashable {
        /// A file with a key set (RFC 7517, section 5).
        case file(String)
        /// An address that answers one.
        case url(String)
    }

    /// The issuer, its audience and its algorithms.
    package let issuer: TokenIssuer
    /// Where its keys come from.
    package let source: Source

    /// Reads an issuer: an object with `issuer`, `audience`, `algorithms`, and `keysFile` or `jwksURL`.
    ///
    /// - Throws: ``GrantError`` with the place of what is wrong.
    init(_ node: JSONNode) throws(GrantError) {
        guard node.kind == .object else { throw GrantError("expected an object") }
        let known = ["issuer", "audience", "algorithms", "keysFile", "jwksURL", "clockSkew"]
        for member in node.members where !known.contains(member.name) {
            throw GrantError(
                pointer: "/" + JSONPointer.escape(member.name),
                "an issuer has no such member; it has: \(known.joined(separator: ", "))")
        }
        guard let name = node["issuer"]?.string else { throw GrantError(pointer: "/issuer", "expected a text") }
        let audiences = try Self.texts(node, "audience")
        var algorithms: Set<SigningAlgorithm> = []
        for text in try Self.texts(node, "algorithms") {
            guard let algorithm = SigningAlgorithm(rawValue: text) else {
                let all = SigningAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
                throw GrantError(pointer: "/algorithms", "\(text.quoted) is none of: \(all)")
            }
            algorithms.insert(algorithm)
        }
        let skew = node["clockSkew"].map { $0.int ?? -1 } ?? 60
        do {
            issuer = try TokenIssuer(issuer: name, audiences: audiences, algorithms: algorithms, clockSkew: skew)
        } catch {
            throw GrantError(error.description)
        }
        source = try Self.source(node)
    }

    private static func texts(_ node: JSONNode, _ name: String) throws(GrantError) -> [String] {
        guard let member = node[name] else { throw GrantError("the member \(name) is missing") }
        if let text = member.string { return [text] }
        let texts = member.kind == .array ? member.elements.map(\.string) : [nil]
        guard !texts.contains(nil) else { throw GrantError(pointer: "/" + name, "expected a text, or a list of texts") }
        return texts.compactMap(\.self)
    }

    private static func source(_ node: JSONNode) throws(GrantError) -> Source {
        switch (node["keysFile"], node["jwksURL"]) {
        case (let file?, nil):
            guard let path = file.string, !path.isEmpty else {
                throw GrantError(pointer: "/keysFile", "expected a path")
            }
            return .file(path)
        case (nil, let url?):
            guard let text = url.string, isSafe(text) else {
                throw GrantError(
                    pointer: "/jwksURL",
                    "expected an https address; http is for this machine alone (http://localhost, http://127.0.0.1)")
            }
            return .url(text)
        default: throw GrantError("expected either keysFile or jwksURL")
        }
    }

    /// Whether nobody on the way can answer in the issuer's place.
    private static func isSafe(_ url: String) -> Bool {
        if url.hasPrefix("https://"), url.utf8.count > 8 { return true }
        guard url.hasPrefix("http://") else { return false }
        let authority = url.dropFirst(7).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else { return false }
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        return Loopback.contains(String(host))
    }
}

extension AccessConfiguration {
    /// Takes the issuers of tokens from a JSON array.
    ///
    /// - Throws: `GrantError` with the place of what is wrong.
    package mutating func read(issuers text: String) throws(GrantError) {
        let issuers = try Self.list(text, of: "issuers") { (node) throws(GrantError) in try IssuerSettings(node) }
        do {
            _ = try TokenVerifier(issuers: issuers.map { ($0.issuer, nil) })
        } catch {
            throw GrantError(error.description)
        }
        self.issuers = issuers
    }

    /// Reads a JSON array, each element by itself.
    ///
    /// - Parameter what: The plural name of its elements.
    package static func list<Item>(
        _ text: String, of what: String, _ make: (JSONNode) throws(GrantError) -> Item
    ) throws(GrantError) -> [Item] {
        let root = try document(text).root
        guard root.kind == .array else { throw GrantError("expected an array of \(what)") }
        var items: [Item] = []
        for (index, node) in root.elements.enumerated() {
            do throws(GrantError) {
                items.append(try make(node))
            } catch {
                throw error.within("/\(index)")
            }
        }
        return items
    }

    static func document(_ text: String) throws(GrantError) -> JSONDocument {
        do {
            return try JSONDocument(Array(text.utf8))
        } catch {
            throw GrantError("it is not JSON: \(error.reason)")
        }
    }
}
