/// Names one hook on a server: a director's life, the level and the event.
///
/// It stays the same while the hook is replaced. A director that is deleted and created again has another epoch, so that
/// nothing that waits for a hook of the earlier one reaches a hook of the later.
package struct HookAddress: Hashable, Sendable {
    /// The director's name.
    package let director: String
    /// Which life of that name.
    package let epoch: String
    /// Where in the director.
    package let level: HookLevel
    /// The event's name.
    package let event: String

    /// Makes an address; nothing is checked.
    package init(director: String, epoch: String, level: HookLevel, event: String) {
        self.director = director
        self.epoch = epoch
        self.level = level
        self.event = event
    }
}

extension HookAddress {
    /// The path of the hook's resource, `/v1/directors/contacts/adapters/Contact/events/didSelect`; it does not tell the
    /// epoch.
    package var path: String {
        "/v1/directors/\(PathSegment.encode(director))/" + suffix
    }

    private var suffix: String {
        let event = PathSegment.encode(event)
        return switch level {
        case .cell(let model): "adapters/\(PathSegment.encode(model))/events/\(event)"
        case .headerFooter(let view): "header-footer-adapters/\(PathSegment.encode(view))/events/\(event)"
        case .director: "events/\(event)"
        case .scroll: "scroll-events/\(event)"
        }
    }
}

extension HookAddress: LosslessStringConvertible {
    /// The address as one text, which no other hook has: `contacts/k3f9/adapters/Contact/events/didSelect`, each part
    /// percent-encoded.
    package var description: String {
        "\(PathSegment.encode(director))/\(PathSegment.encode(epoch))/" + suffix
    }

    /// Reads what ``description`` has written; nil for anything else.
    package init?(_ description: String) {
        var parts: [String] = []
        for segment in description.split(separator: "/", omittingEmptySubsequences: false) {
            guard let part = PathSegment.decode(segment) else { return nil }
            parts.append(part)
        }
        switch (parts.count, parts.dropFirst(2).first) {
        case (6, "adapters") where parts[4] == "events":
            self.init(director: parts[0], epoch: parts[1], level: .cell(parts[3]), event: parts[5])
        case (6, "header-footer-adapters") where parts[4] == "events":
            self.init(director: parts[0], epoch: parts[1], level: .headerFooter(parts[3]), event: parts[5])
        case (4, "events"):
            self.init(director: parts[0], epoch: parts[1], level: .director, event: parts[3])
        case (4, "scroll-events"):
            self.init(director: parts[0], epoch: parts[1], level: .scroll, event: parts[3])
        default:
            return nil
        }
    }
}

/// A part of a path, percent-encoded (RFC 3986, section 2.1).
enum PathSegment {
    /// Leaves unreserved characters as they are and encodes the rest byte by byte.
    static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }

    /// The text that was encoded; nil for a stray percent sign and for bytes that are no UTF-8.
    static func decode(_ segment: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = segment.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexadecimal), let low = rest.popFirst().flatMap(hexadecimal) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
