import Notation

/// Names one hook on a server: a director's life, the level and the event.
///
/// It stays the same while the hook is replaced. A director that is deleted and created again has another epoch: no
/// waiting delivery of the earlier one reaches a hook of the later one.
package struct HookAddress: Hashable, Sendable {
    /// The director's name.
    @Verbatim package private(set) var director: String
    /// Which life of that name.
    @Verbatim package private(set) var epoch: String
    /// Where in the director.
    package let level: HookLevel
    /// The event's name.
    @Verbatim package private(set) var event: String

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
        "/v1/directors/\(PercentEncoding.encode(director))/" + suffix
    }

    private var suffix: String {
        let event = PercentEncoding.encode(event)
        return switch level {
        case .cell(let model): "adapters/\(PercentEncoding.encode(model))/events/\(event)"
        case .headerFooter(let view): "header-footer-adapters/\(PercentEncoding.encode(view))/events/\(event)"
        case .director: "events/\(event)"
        case .scroll: "scroll-events/\(event)"
        case .row(let section, let row):
            "sections/\(HookAddress.segment(section))/rows/\(HookAddress.segment(row))/events/\(event)"
        }
    }
}

extension HookAddress {
    /// An identifier as a segment of a path, where one that begins with `@` has another in front.
    fileprivate static func segment(_ identifier: String) -> String {
        PercentEncoding.encode(Address.identifier(identifier).description)
    }

    /// The identifier that a segment stands for.
    fileprivate static func identifier(_ segment: String) -> String? {
        guard case .identifier(let identifier)? = Address(parsing: segment) else { return nil }
        return identifier
    }
}

extension HookAddress: LosslessStringConvertible {
    /// The address as one text, which no other hook has: `contacts/k3f9/adapters/Contact/events/didSelect`, each part
    /// percent-encoded.
    package var description: String {
        "\(PercentEncoding.encode(director))/\(PercentEncoding.encode(epoch))/" + suffix
    }

    /// Reads what ``description`` has written; nil for anything else.
    package init?(_ description: String) {
        var parts: [String] = []
        for segment in description.split(separator: "/", omittingEmptySubsequences: false) {
            guard let part = PercentEncoding.decode(segment) else { return nil }
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
        case (8, "sections") where parts[4] == "rows" && parts[6] == "events":
            guard let section = HookAddress.identifier(parts[3]), let row = HookAddress.identifier(parts[5]) else {
                return nil
            }
            self.init(
                director: parts[0], epoch: parts[1], level: .row(section: section, row: row), event: parts[7])
        default:
            return nil
        }
    }
}
