/// Which certificate has a host's name, exactly or by a wildcard.
struct NameTable: Sendable {
    private var exact: [String: Int] = [:]
    /// By what follows the asterisk: `.example.org`.
    private var wildcards: [String: Int] = [:]

    /// Notes the names of certificates. If several have the same name, the first one gets it.
    init(_ certificates: [TLSCertificateInfo]) {
        for (index, certificate) in certificates.enumerated() {
            for case .dns(let name) in certificate.names {
                let name = Self.normalized(name)
                if name.hasPrefix("*.") {
                    let suffix = String(name.dropFirst())
                    wildcards[suffix] = min(index, wildcards[suffix] ?? index)
                } else {
                    exact[name] = min(index, exact[name] ?? index)
                }
            }
        }
    }

    /// The certificate's place; nil where none has the name. A wildcard stands for one label alone (RFC 9525, section 6.3).
    func index(of name: String) -> Int? {
        let name = Self.normalized(name)
        if let index = exact[name] { return index }
        guard let dot = name.firstIndex(of: "."), dot != name.startIndex else { return nil }
        return wildcards[String(name[dot...])]
    }

    /// Without regard to case (ASCII's alone) and to the root's dot.
    private static func normalized(_ name: String) -> String {
        var bytes = name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
