import COpenSSL
import Glibc

/// A subject alternative name of a certificate (RFC 5280, section 4.2.1.6).
package enum TLSName: Hashable, Sendable, CustomStringConvertible {
    /// A host's name, or a wildcard such as `*.example.org`.
    case dns(String)
    /// An address of IPv4 or IPv6, as inet_ntop writes it.
    case address(String)
    /// A URI, of a workload for instance (`spiffe://…`).
    case uri(String)
    /// An address of electronic mail.
    case email(String)

    /// Parses an address, or else a host's name; nil for any other text.
    package init?(host text: String) {
        if let bytes = Self.addressBytes(text), let address = Self.addressText(bytes) {
            self = .address(address)
        } else {
            self = .dns(text)
            guard isWellFormed else { return nil }
        }
    }

    /// The name with its kind, as OpenSSL writes it: `DNS:example.org`.
    package var description: String {
        switch self {
        case .dns(let text): "DNS:\(text)"
        case .address(let text): "IP:\(text)"
        case .uri(let text): "URI:\(text)"
        case .email(let text): "email:\(text)"
        }
    }

    /// The name alone.
    package var text: String {
        switch self {
        case .dns(let text), .address(let text), .uri(let text), .email(let text): text
        }
    }

    /// Whether a certificate can be made for the name: nothing in it would be read as anything else.
    var isWellFormed: Bool {
        switch self {
        case .dns(let text):
            let labels = text.split(separator: ".", omittingEmptySubsequences: false)
            return text.utf8.count <= 253
                && labels.enumerated().allSatisfy { index, label in
                    label == "*" && index == 0 && labels.count > 1 || Self.isLabel(label)
                }
        case .address(let text):
            return Self.addressBytes(text) != nil
        case .uri(let text), .email(let text):
            return !text.isEmpty && text.utf8.count <= 1024
                && text.utf8.allSatisfy {
                    $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\\")
                }
        }
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private static func addressBytes(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        // SAFETY: the C library writes 4 or 16 bytes.
        if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes[..<4]) }
        return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
    }

    private static func addressText(_ bytes: [UInt8]) -> String? {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        // SAFETY: the text has room for any address and the zero at its end.
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else {
            return nil
        }
        return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }

    /// The names of a certificate, in their order. Empty names and names with bytes other than visible ASCII characters
    /// are left out: a zero byte inside could make one name pass for another.
    static func names(of certificate: OpaquePointer) -> [TLSName] {
        // SAFETY: the list is freed here, and its bytes are copied before that.
        guard let names = copenssl_names(certificate) else {
            OpenSSLErrors.clear()
            return []
        }
        defer { copenssl_free_names(names) }
        return (0..<copenssl_name_count(names)).compactMap { index in
            var type: Int32 = 0
            var count: Int32 = 0
            guard let data = copenssl_name(names, index, &type, &count) else { return nil }
            return name(of: Array(UnsafeBufferPointer(start: data, count: Int(count))), type: type)
        }
    }

    private static func name(of bytes: [UInt8], type: Int32) -> TLSName? {
        if type == GEN_IPADD { return addressText(bytes).map { .address($0) } }
        guard !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        switch type {
        case GEN_DNS: return .dns(text)
        case GEN_URI: return .uri(text)
        case GEN_EMAIL: return .email(text)
        default: return nil
        }
    }
}
