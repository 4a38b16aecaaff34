extension ListDefinition {
    /// The members of the definition as a snapshot has them.
    var members: JSONObject {
        var object: JSONObject = ["director": .string(name)]
        object["kind"] = kind.map { .string($0.rawValue) }
        object["properties"] = .object(properties)
        object["adapters"] = .array(adapters)
        object["headerFooterAdapters"] = .array(headerFooterAdapters)
        object["events"] = .object(hooks.director)
        object["scrollEvents"] = .object(hooks.scroll)
        if !hooks.rows.isEmpty { object["rowEvents"] = .array(hooks.rows) }
        return object
    }
}

extension RemoteList {
    /// The list as a snapshot of the stream has it.
    var json: JSON {
        var object = definition.members
        object["epoch"] = .string(epoch)
        object["version"] = .number(JSONNumber(version))
        object["counts"] = counts.json
        if !totals.isEmpty { object["totals"] = .object(totals) }
        object["sections"] = .array(sections.map(\.json))
        return .object(object)
    }
}
