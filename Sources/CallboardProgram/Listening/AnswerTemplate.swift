import CallboardClient

/// A JSON value whose texts name parts of an event in braces.
///
/// `{section}` and `{element}` stand for identifiers, and `{/element/value/name}` for what a JSON pointer leads to in
/// the event's `data`. A text that is nothing but such a name becomes what it leads to, be it a number or an object;
/// within a longer text, the value is put in its place. All other braces stay as they are.
struct AnswerTemplate: Sendable, Equatable {
    /// Why there is no value for an event.
    enum Fault: Error, Equatable {
        /// The event has no such part; the name has its braces.
        case missing(String)
        /// The values of names take more bytes than there is room for.
        case tooLong
    }

    /// The value with its names.
    let json: JSON

    init(_ json: JSON) {
        self.json = json
    }

    /// Whether there is any name, so that the value depends on the event.
    var hasNames: Bool { Self.hasNames(json) }

    /// The value for an event.
    ///
    /// - Parameters:
    ///   - scopes: The values in which names are looked up, in this order.
    ///   - room: The remaining bytes for values of names; each value is subtracted.
    func value(in scopes: [JSON], room: inout Int) throws(Fault) -> JSON {
        try Self.value(of: json, in: scopes, &room)
    }

    private static func value(of json: JSON, in scopes: [JSON], _ room: inout Int) throws(Fault) -> JSON {
        switch json {
        case .string(let text): return try value(ofText: text, in: scopes, &room)
        case .array(let elements):
            var values: [JSON] = []
            for element in elements { values.append(try value(of: element, in: scopes, &room)) }
            return .array(values)
        case .object(let object):
            var values = JSONObject()
            for member in object.members { values[member.name] = try value(of: member.value, in: scopes, &room) }
            return .object(values)
        case .null, .bool, .number: return json
        }
    }

    private static func value(ofText text: String, in scopes: [JSON], _ room: inout Int) throws(Fault) -> JSON {
        let parts = parts(of: text)
        if parts.count == 1, case .name(let pointer, let name) = parts[0] {
            return try look(up: pointer, name, in: scopes, &room)
        }
        var result = ""
        for part in parts {
            switch part {
            case .text(let text): result += text
            case .name(let pointer, let name):
                let value = try look(up: pointer, name, in: scopes, &room)
                result += value.stringValue ?? value.text
            }
        }
        return .string(result)
    }

    private static func look(
        up pointer: String, _ name: String, in scopes: [JSON], _ room: inout Int
    ) throws(Fault) -> JSON {
        for scope in scopes {
            guard let value = scope.value(at: pointer) else { continue }
            room -= value.utf8.count
            guard room >= 0 else { throw .tooLong }
            return value
        }
        throw .missing(name)
    }

    // MARK: Names in a text

    private enum Part {
        case text(String)
        case name(pointer: String, written: String)
    }

    private static func hasNames(_ json: JSON) -> Bool {
        switch json {
        case .string(let text): parts(of: text).contains { if case .name = $0 { true } else { false } }
        case .array(let elements): elements.contains(where: hasNames)
        case .object(let object): object.members.contains { hasNames($0.value) }
        case .null, .bool, .number: false
        }
    }

    private static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var plain = ""
        var rest = text[...]
        // The next closing brace, which is looked for once, however many open before it.
        var close = text.firstIndex(of: "}")
        while let open = rest.firstIndex(of: "{") {
            if let former = close, former < open { close = rest[open...].firstIndex(of: "}") }
            guard let close else { break }
            plain += rest[..<open]
            let inner = rest[rest.index(after: open)...]
            if let pointer = pointer(of: inner[..<close]) {
                if !plain.isEmpty { parts.append(.text(plain)) }
                plain = ""
                parts.append(.name(pointer: pointer, written: "{\(inner[..<close])}"))
                rest = inner[inner.index(after: close)...]
            } else {
                plain += "{"
                rest = inner
            }
        }
        plain += rest
        if !plain.isEmpty { parts.append(.text(plain)) }
        return parts
    }

    private static func pointer(of name: Substring) -> String? {
        switch name {
        case "section": "/section/id"
        case "element": "/element/id"
        default: name.hasPrefix("/") ? String(name) : nil
        }
    }
}
