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
        "/v1/directors/\(PercentEncoding.encode(level.view?.name ?? director))/" + suffix(of: level.unviewed)
    }

    private func suffix(of level: HookLevel) -> String {
        let event = PercentEncoding.encode(event)
        return switch level {
        case .cell(let model): "adapters/\(PercentEncoding.encode(model))/events/\(event)"
        case .headerFooter(let view): "header-footer-adapters/\(PercentEncoding.encode(view))/events/\(event)"
        case .director: "events/\(event)"
        case .scroll: "scroll-events/\(event)"
        case .section(let section): "sections/\(HookAddress.segment(section))/events/\(event)"
        case .row(let section, let row):
            "sections/\(HookAddress.segment(section))/rows/\(HookAddress.segment(row))/events/\(event)"
        case .viewed(let view, let level):
            "views/\(PercentEncoding.encode(view.name))/\(PercentEncoding.encode(view.epoch))/" + suffix(of: level)
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
        "\(PercentEncoding.encode(director))/\(PercentEncoding.encode(epoch))/" + suffix(of: level)
    }

    /// Reads what ``description`` has written; nil for anything else.
    package init?(_ description: String) {
        var parts: [String] = []
        for segment in description.split(separator: "/", omittingEmptySubsequences: false) {
            guard let part = PercentEncoding.decode(segment) else { return nil }
            parts.append(part)
        }
        guard parts.count > 2 else { return nil }
        let view = parts[2] == "views" && parts.count > 4 ? ViewLife(name: parts[3], epoch: parts[4]) : nil
        guard let (level, event) = HookAddress.level(parts.dropFirst(view == nil ? 2 : 5)) else { return nil }
        self.init(
            director: parts[0], epoch: parts[1], level: view.map { .viewed($0, level) } ?? level, event: event)
    }

    /// Reads the parts that say where in a director, and on which event.
    private static func level(_ parts: ArraySlice<String>) -> (HookLevel, event: String)? {
        let parts = Array(parts)
        switch (parts.count, parts.first) {
        case (4, "adapters") where parts[2] == "events": return (.cell(parts[1]), parts[3])
        case (4, "header-footer-adapters") where parts[2] == "events": return (.headerFooter(parts[1]), parts[3])
        case (2, "events"): return (.director, parts[1])
        case (2, "scroll-events"): return (.scroll, parts[1])
        case (4, "sections") where parts[2] == "events":
            guard let section = identifier(parts[1]) else { return nil }
            return (.section(section), parts[3])
        case (6, "sections") where parts[2] == "rows" && parts[4] == "events":
            guard let section = identifier(parts[1]), let row = identifier(parts[3]) else { return nil }
            return (.row(section: section, row: row), parts[5])
        default: return nil
        }
    }
}
