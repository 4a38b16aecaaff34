import CallboardClient

/// An event's subject and origin, in words.
enum EventText {
    /// The element, header or footer; nil where it is about the list as a whole.
    static func subject(_ event: ReceivedEvent) -> String? {
        let data = event.data
        if let items = event.items { return Count.of(items.count, "element") }
        if data["indexPath"] != nil || data["element"] != nil { return element(data) }
        for name in ["header", "footer"] {
            if let position = data[name] { return "\(name) \(position.text)" }
        }
        return nil
    }

    /// An index path and its element, such as `[5, 0] AD-07  Andorra la Vella`.
    static func element(_ data: JSON) -> String {
        let path = data["indexPath"]?.arrayValue.map { "[\($0.map(\.text).joined(separator: ", "))]" }
        guard let element = data["element"], let id = element["id"]?.stringValue else { return path ?? "" }
        let model = element["model"]?.stringValue ?? ""
        let text = ElementText.summary(RemoteElement(id: id, model: model, value: element["value"] ?? .null))
        return path.map { "\($0) \(text)" } ?? text
    }

    /// The event's origin: its director and version, section and cell or view.
    static func origin(_ event: ReceivedEvent) -> [String] {
        let data = event.data
        var parts: [String] = []
        if let director = data["director"]?.stringValue { parts.append("director \(director)") }
        if let version = data["version"] { parts.append("version \(version.text)") }
        if let section = data["section"]?["id"]?.stringValue { parts.append("section \(section)") }
        for name in ["cell", "view"] {
            if let view = data[name]?.stringValue { parts.append("\(name) \(view)") }
        }
        return parts
    }
}
