import JSONValues

/// Parts of the OpenAPI document that several operations share: each stands once, under `components`, and operations refer
/// to it.
struct OpenAPIComponents {
    private let kind: String
    private var names: [[UInt8]: String] = [:]
    private var taken: Set<String> = []
    private var parts: [(name: String, content: [UInt8])] = []

    /// No parts yet.
    ///
    /// - Parameter kind: The member of `components` that has them: `parameters` or `responses`.
    init(_ kind: String) {
        self.kind = kind
    }

    /// Writes a reference to a part that is made by a closure. Parts of one name that differ are numbered from 2 on.
    mutating func refer(from writer: inout JSONWriter, to name: String, _ make: (inout JSONWriter) -> Void) {
        var part = JSONWriter()
        part.object(make)
        let used = names[part.bytes] ?? add(part.bytes, name)
        writer.object { [kind] in $0.member("$ref", "#/components/\(kind)/\(used)") }
    }

    /// Writes all parts as a member of `components`, in the order in which they were first referred to.
    func write(to writer: inout JSONWriter) {
        writer.key(kind)
        writer.object { writer in
            for part in parts {
                writer.key(part.name)
                writer.raw(part.content)
            }
        }
    }

    private mutating func add(_ content: [UInt8], _ name: String) -> String {
        var used = name
        var number = 1
        while !taken.insert(used).inserted {
            number += 1
            used = "\(name)_\(number)"
        }
        names[content] = used
        parts.append((used, content))
        return used
    }
}

extension OpenAPIComponents {
    /// Writes a reference to a parameter of a path, a query or the header fields.
    mutating func parameter(
        _ name: String, in place: String, from writer: inout JSONWriter, isRequired: Bool = false, _ summary: String,
        schema: String, style: String? = nil, explodes: Bool = false
    ) {
        let words = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        refer(from: &writer, to: "\(words)In\(place.prefix(1).uppercased() + place.dropFirst())") { part in
            part.member("name", name)
            part.member("in", place)
            if isRequired { part.member("required", true) }
            part.member("description", summary)
            if let style { part.member("style", style) }
            if explodes { part.member("explode", true) }
            part.key("schema")
            part.raw(schema.utf8)
        }
    }

    /// Writes a reference to an answer with problem details; without a status to that of all other statuses.
    mutating func problem(_ status: Int?, from writer: inout JSONWriter, _ summary: String) {
        refer(from: &writer, to: "Problem\(status.map(String.init) ?? "OfAnotherStatus")") { part in
            part.member("description", summary)
            part.content([("application/problem+json", "Problem")])
        }
    }
}

extension JSONWriter {
    /// Writes the `content` member of a body or an answer: media types with the names of their schemas.
    mutating func content(_ content: [(type: String, schema: String)]) {
        key("content")
        object { writer in
            for (type, schema) in content {
                writer.key(type)
                writer.object { writer in
                    writer.key("schema")
                    writer.object { $0.member("$ref", "#/components/schemas/\(schema)") }
                }
            }
        }
    }
}
