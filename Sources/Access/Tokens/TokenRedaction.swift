import Notation

extension StringProtocol where SubSequence == Substring {
    /// A part of a request's target in its logged form, without credentials, percent-encoded ones too.
    package var partShownInLogs: String {
        guard let plain = PercentEncoding.decode(self[...]) else { return String(self).shownInLogs }
        let shown = plain.withoutTokens
        return shown == plain ? String(self).shownInLogs : shown.shownInLogs
    }
}

extension String {
    /// The text with `cbt_…`, `cbs_…`, `eyJ…` or `whsec_…` in place of what looks like a static token, a stream ticket, a
    /// JSON Web Token or a hook's secret, for logs and for answers: people put credentials where they do not belong.
    ///
    /// - Complexity: O(bytes); a text without one is returned as it is.
    package var withoutTokens: String {
        let bytes = Array(utf8)
        var result: [UInt8] = []
        var (index, kept) = (0, 0)
        while index < bytes.count {
            guard let (prefix, end) = Credential.find(in: bytes, at: index) else {
                index += 1
                continue
            }
            result += bytes[kept..<index] + prefix + Array("…".utf8)
            (index, kept) = (end, end)
        }
        guard kept > 0 else { return self }
        return String(decoding: result + bytes[kept...], as: UTF8.self)
    }

    /// The text as logs and the audit show it: without credentials, and without what moves a terminal's cursor or the
    /// direction of its text: control characters and the marks of bidirectional text are written as `\u{…}`.
    package var shownInLogs: String {
        let text = withoutTokens
        guard text.unicodeScalars.contains(where: \.isUnfitForLogs) else { return text }
        return text.unicodeScalars.reduce(into: "") { shown, scalar in
            if scalar.isUnfitForLogs {
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character, or a mark that has text run the other way.
    fileprivate var isUnfitForLogs: Bool {
        switch value {
        case 0..<0x20, 0x7f..<0xa0, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: true
        default: false
        }
    }
}

/// Texts that are credentials by their look.
private enum Credential {
    private static let kinds: [(prefix: [UInt8], least: Int)] = [
        // A word that happens to begin so is no secret.
        (Array(StaticToken.prefix.utf8), 24), (Array(TicketKey.prefix.utf8), 24), (Array("eyJ".utf8), 32),
        (Array("whsec_".utf8), 24),
    ]

    /// The credential that begins at a position: the prefix that is kept of it, and its end; nil if there is none.
    static func find(in bytes: [UInt8], at start: Int) -> (prefix: [UInt8], end: Int)? {
        let first = bytes[start]
        guard first == UInt8(ascii: "c") || first == UInt8(ascii: "e") || first == UInt8(ascii: "w") else { return nil }
        for (prefix, least) in kinds where first == prefix[0] && bytes[start...].starts(with: prefix) {
            let isToken = prefix.count == 3
            let end = bytes[(start + prefix.count)...].firstIndex { !isPart($0, ofToken: isToken) } ?? bytes.count
            guard end - start >= least else { continue }
            // Header, claims and signature: two dots at least.
            if isToken, bytes[start..<end].count(where: { $0 == UInt8(ascii: ".") }) < 2 { continue }
            return (prefix, end)
        }
        return nil
    }

    private static func isPart(_ byte: UInt8, ofToken isToken: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "_"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
            true
        case UInt8(ascii: "."): isToken
        case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): !isToken
        default: false
        }
    }
}
