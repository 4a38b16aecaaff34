import JSONValues

/// The allowed actions on some directors: `{"actions": ["read"], "directors": ["shop-*", "menu"]}`.
package struct Grant: Hashable, Sendable {
    /// The most patterns that one grant has.
    package static let patternLimit = 256

    /// What may be done.
    package let rights: Rights
    /// The directors it may be done to; empty in a grant of nothing but `operate`.
    package let directors: [DirectorPattern]

    /// Makes a grant.
    ///
    /// - Throws: ``GrantError`` where there is no action, too many directors or none that a right is about, and where
    ///   `operate` is limited to some directors: it concerns the whole server.
    package init(_ rights: Rights, on directors: [DirectorPattern]) throws(GrantError) {
        guard !rights.isEmpty else { throw GrantError(pointer: "/actions", "expected at least one action") }
        guard directors.count <= Self.patternLimit else {
            throw GrantError(pointer: "/directors", "a grant names at most \(Self.patternLimit) directors")
        }
        if rights.contains(.operate), !directors.allSatisfy(\.isAll) {
            throw GrantError(
                pointer: "/directors",
                #"the action "operate" concerns the whole server: its grant names no directors, or all with "*""#)
        }
        guard rights == [.operate] || !directors.isEmpty else {
            throw GrantError(pointer: "/directors", #"expected at least one director, or "*" for all"#)
        }
        self.rights = rights
        self.directors = directors
    }

    private init(unchecked rights: Rights, on directors: [DirectorPattern]) {
        self.rights = rights
        self.directors = directors
    }

    /// Every right to every director.
    package static let everything = Grant(unchecked: .all, on: [.all])

    /// The right to read these directors.
    static func reading(_ names: [String]) -> Grant {
        Grant(unchecked: [.read], on: names.map(DirectorPattern.exactly))
    }

    /// Reads a grant.
    ///
    /// - Parameters:
    ///   - node: The grant: an object with the members `actions` and `directors`.
    ///   - others: Members that the object may have besides.
    package init(decoding node: JSONNode, besides others: Set<String> = []) throws(GrantError) {
        guard node.kind == .object else { throw GrantError("expected an object with actions and directors") }
        for member in node.members where !["actions", "directors"].contains(member.name) {
            guard others.contains(member.name) else {
                throw GrantError(
                    pointer: "/\(JSONPointer.escape(member.name))",
                    "a grant has no such member; it has: actions, directors")
            }
        }
        guard let actions = node["actions"] else { throw GrantError("the member actions is missing") }
        let rights = try Self.list(actions, at: "/actions") { text throws(GrantError) in
            guard let right = Right(rawValue: text) else {
                let known = Right.allCases.map(\.rawValue).joined(separator: ", ")
                throw GrantError("there is no such action; there are: \(known)")
            }
            return right
        }
        let directors =
            if let directors = node["directors"] {
                try Self.list(directors, at: "/directors") { text throws(GrantError) in try DirectorPattern(text) }
            } else {
                [DirectorPattern]()
            }
        try self.init(Rights(rights), on: directors)
    }

    private static func list<Item>(
        _ node: JSONNode, at place: String, _ make: (String) throws(GrantError) -> Item
    ) throws(GrantError) -> [Item] {
        guard node.kind == .array else { throw GrantError(pointer: place, "expected an array of strings") }
        var items: [Item] = []
        for (index, element) in node.elements.enumerated() {
            guard items.count < patternLimit else {
                throw GrantError(pointer: place, "expected at most \(patternLimit) strings")
            }
            do throws(GrantError) {
                guard let text = element.string else { throw GrantError("expected a string") }
                items.append(try make(text))
            } catch {
                throw error.within("\(place)/\(index)")
            }
        }
        return items
    }

    /// Writes the grant as it is read.
    package func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("actions")
        writer.beginArray()
        for right in rights.sorted { writer.string(right.rawValue) }
        writer.endArray()
        if !directors.isEmpty {
            writer.key("directors")
            writer.beginArray()
            for pattern in directors { writer.string(pattern.description) }
            writer.endArray()
        }
        writer.endObject()
    }
}
