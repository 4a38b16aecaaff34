import Directors
import Hosting
import JSONValues
import Notation
import Views

// What a request says of a view: the values that it binds, what it selects, and who makes it.

extension Call {
    /// Whether the query describes a view of the director that the path names.
    var selects: Bool {
        query["where"] != nil || query["sortBy"] != nil || limitsSelection && query["limit"] != nil
    }

    /// Whether `limit` is a view's, and not a page's.
    private var limitsSelection: Bool {
        if case .report = route.action { true } else { route.isStream }
    }

    /// The view of a director that the query describes; nil where it describes none.
    ///
    /// - Throws: 422 for what a view's definition may not be, with a pointer into it.
    func selection(from source: String) throws(Problem) -> ViewDefinition? {
        guard selects else { return nil }
        guard !query.hasParameters else {
            throw .unprocessable("Parameters of a view cannot be bound together with `where`, `sortBy` or `limit`.")
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("from", source)
        for parameter in QueryParameter.selection {
            guard let text = query[parameter.name] else { continue }
            writer.key(parameter.name)
            writer.value(try Self.json(text, of: parameter.name))
        }
        if limitsSelection, let limit = query.integer("limit") { writer.member("limit", limit) }
        writer.endObject()
        do throws(RepresentationError) {
            let definition = JSONValue(trusting: writer.takeBytes())
            return try ViewDefinition.decode(definition.document.root, within: DirectorLimits())
        } catch {
            throw Problem(error)
        }
    }

    private static func json(_ text: String, of name: String) throws(Problem) -> JSONValue {
        do {
            return try JSONValue(parsing: Array(text.utf8))
        } catch {
            throw .unprocessable(
                "The query parameter \(name.quoted) is \(error).",
                faults: [.init(pointer: "/\(name)", detail: "\(error)")])
        }
    }
}

extension Query {
    /// The values that a reader binds, as the view's parameters are typed: a number and a truth value are written as in
    /// JSON.
    func parameters(of definition: ViewDefinition) throws(Problem) -> [Name: JSONValue] {
        var bound: [Name: JSONValue] = [:]
        for (name, text) in parameters {
            guard let parameter = definition.parameters.first(where: { Name($0.name) == name }) else {
                let known = definition.parameters.map(\.name.quoted).joined(separator: ", ")
                throw .unprocessable(
                    "The view has no parameter \(name.text.quoted); "
                        + (known.isEmpty ? "it has none." : "it has: \(known)."))
            }
            var writer = JSONWriter()
            writer.string(text)
            let string = JSONValue(trusting: writer.takeBytes())
            switch parameter.values.kind {
            case .string: bound[name] = string
            case .number, .integer, .boolean:
                // What is no JSON stays a string, which is of another type.
                bound[name] = (try? JSONValue(parsing: Array(text.utf8))) ?? string
            }
        }
        return bound
    }
}

extension Principal {
    /// The principal as views know it: a token's claims, or its name and identifier, or a certificate's name.
    package var claims: JSONValue? {
        switch source {
        case .everybody, .anonymous: return nil
        case .node(_, let claims): return claims.map { JSONValue(trusting: $0) }
        case .issued(let token): return JSONValue(trusting: token.claims)
        case .token(let id, let name): return Self.object([("id", id), ("name", name)])
        case .certificate(let name): return Self.object([("name", name)])
        }
    }

    /// The name that a bound of instances is counted by; nil for a principal that is everybody.
    var holderOfViews: String? {
        switch source {
        case .everybody, .anonymous, .node(_, nil): nil
        case .issued, .token, .certificate, .node: name
        }
    }

    private static func object(_ members: [(String, String)]) -> JSONValue {
        var writer = JSONWriter()
        writer.object { writer in for (name, value) in members { writer.member(name, value) } }
        return JSONValue(trusting: writer.takeBytes())
    }
}
