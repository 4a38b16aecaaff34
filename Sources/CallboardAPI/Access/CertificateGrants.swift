import Access
import HTTPServer
import JSONValues
import Notation

/// The rights of a client's certificate, from the setting `auth.certificates`.
package struct CertificateGrants: Sendable, Hashable {
    /// A subject alternative name, or a prefix of several with `*` behind.
    let pattern: String
    /// What may be done.
    let grants: Grants

    /// Reads an entry: an object with `name` and `grants`.
    ///
    /// - Throws: ``GrantError`` with the place of what is wrong.
    init(_ node: JSONNode) throws(GrantError) {
        guard node.kind == .object else { throw GrantError("expected an object with name and grants") }
        for member in node.members where !["name", "grants"].contains(member.name) {
            throw GrantError(
                pointer: "/" + JSONPointer.escape(member.name), "there is no such member; there are: name, grants")
        }
        guard let name = node["name"]?.string, !name.isEmpty else {
            throw GrantError(pointer: "/name", "expected a subject alternative name, or the beginning of one and '*'")
        }
        guard let list = node["grants"] else { throw GrantError("the member grants is missing") }
        do throws(GrantError) {
            grants = try Grants(decoding: list)
        } catch {
            throw error.within("/grants")
        }
        pattern = name.lowercasedASCII
    }

    /// Whether a certificate has a name that is meant. Upper and lower case are the same, as in hosts' names.
    func match(_ certificate: PeerCertificate) -> Bool {
        certificate.names.contains { name in
            let (name, pattern) = (name.lowercasedASCII.utf8, pattern.utf8)
            let isPrefix = pattern.last == UInt8(ascii: "*")
            return isPrefix ? name.starts(with: pattern.dropLast()) : name.elementsEqual(pattern)
        }
    }
}

extension AccessConfiguration {
    /// Takes what clients' certificates allow from a JSON array.
    ///
    /// - Throws: `GrantError` with the place of what is wrong.
    package mutating func read(certificates text: String) throws(GrantError) {
        certificates = try Self.list(text, of: "names with their grants") { (node) throws(GrantError) in
            try CertificateGrants(node)
        }
    }

    /// The rights of a certificate: the union of the entries with one of its names.
    func grants(of certificate: PeerCertificate) -> Grants {
        Grants(joining: certificates.filter { $0.match(certificate) }.map(\.grants))
    }
}
