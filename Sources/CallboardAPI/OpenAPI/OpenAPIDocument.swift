import HTTPServer
import HTTPTypes
import JSONValues

/// Writes the OpenAPI 3.1 document from the table of routes.
///
/// Paths, parameters, bodies and answers come from ``Route``, what hooks' targets are sent from the catalogue of events,
/// and the schemas of resources from their fields. The other schemas are written by hand, in `OpenAPISchemas.swift`; tests
/// hold all of them against real answers.
struct OpenAPIDocument {
    private let routes: [Route]
    private var writer = JSONWriter()

    /// The document for these routes.
    static func make(_ routes: [Route], version: String) -> [UInt8] {
        var document = OpenAPIDocument(routes: routes)
        document.write(version: version)
        return document.writer.bytes
    }

    private init(routes: [Route]) {
        self.routes = routes
    }

    private mutating func write(version: String) {
        writer.beginObject()
        writer.member("openapi", "3.1.0")
        writer.key("info")
        writer.beginObject()
        writer.member("title", "Callboard")
        writer.member("version", version)
        writer.member(
            "description",
            "Named lists whose every change reaches subscribed UIs as a staged changeset. Errors are problem details "
                + "(RFC 9457); their `type` is a URN that begins with `\(ProblemKind.typePrefix)`; `Problem` lists them."
        )
        writer.key("license")
        writer.beginObject()
        writer.member("name", "Apache 2.0")
        writer.member("identifier", "Apache-2.0")
        writer.endObject()
        writer.endObject()
        writer.key("paths")
        writePaths()
        writer.key("webhooks")
        writer.raw(OpenAPIWebhooks.bytes)
        writer.key("components")
        writer.beginObject()
        writer.key("schemas")
        writer.raw(OpenAPISchemas.minified)
        writer.key("securitySchemes")
        writer.raw(OpenAPISchemas.securitySchemes.utf8)
        writer.endObject()
        writer.endObject()
    }

    private mutating func writePaths() {
        writer.beginObject()
        var seen: Set<PathTemplate> = []
        for first in routes where seen.insert(first.path).inserted {
            writer.key(first.path.description)
            writer.beginObject()
            if !first.path.parameterNames.isEmpty { writePathParameters(first.path) }
            for route in routes where route.path == first.path {
                writer.key(route.method.rawValue.lowercased())
                write(route)
            }
            writer.endObject()
        }
        writer.endObject()
    }

    private mutating func writePathParameters(_ path: PathTemplate) {
        writer.key("parameters")
        writer.beginArray()
        for name in path.parameterNames {
            writer.beginObject()
            writer.member("name", name)
            writer.member("in", "path")
            writer.member("required", true)
            writer.member("description", OpenAPISchemas.pathParameters[name] ?? "")
            writer.key("schema")
            writer.raw(OpenAPISchemas.schema(ofParameter: name, in: path).utf8)
            writer.endObject()
        }
        writer.endArray()
    }

    private mutating func write(_ route: Route) {
        writer.beginObject()
        writer.member("operationId", route.operationID)
        writer.member("summary", route.summary)
        if !route.details.isEmpty { writer.member("description", route.details) }
        writeSecurity(route)
        writeParameters(route)
        writeBody(route.body)
        writer.key("responses")
        writer.beginObject()
        for answer in route.answers { write(answer) }
        for problem in route.problems {
            write(
                key: String(problem.status), summary: problem.summary,
                content: [("application/problem+json", "Problem")])
        }
        write(
            key: "default", summary: "What else went wrong, as problem details.",
            content: [("application/problem+json", "Problem")])
        writer.endObject()
        writer.endObject()
    }

    /// What is needed: one of the credentials, with the right as its role, or none where the server's settings allow that.
    private mutating func writeSecurity(_ route: Route) {
        writer.key("security")
        writer.array { writer in
            guard route.requirement != .nothing else { return }
            let schemes = ["bearer", "session"] + (route.isStream ? ["ticket"] : [])
            for scheme in schemes {
                writer.object { writer in
                    writer.key(scheme)
                    writer.array { if let right = route.requirement.right { $0.string(right.rawValue) } }
                }
            }
            writer.object { _ in }
        }
    }

    private mutating func writeParameters(_ route: Route) {
        let headers = OpenAPISchemas.headers(of: route)
        guard !route.query.isEmpty || !headers.isEmpty else { return }
        writer.key("parameters")
        writer.beginArray()
        for parameter in route.query { write(parameter) }
        for header in headers {
            writer.beginObject()
            writer.member("name", header.name)
            writer.member("in", "header")
            writer.member("description", header.summary)
            writer.key("schema")
            writer.raw(header.schema.utf8)
            writer.endObject()
        }
        writer.endArray()
    }

    private mutating func write(_ parameter: QueryParameter) {
        writer.beginObject()
        writer.member("name", parameter.name)
        writer.member("in", "query")
        if parameter.isRequired { writer.member("required", true) }
        writer.member("description", parameter.summary)
        if case .repeatedText = parameter.kind { writer.member("explode", true) }
        writer.key("schema")
        writer.raw(parameter.schema.utf8)
        writer.endObject()
    }

    private mutating func writeBody(_ body: Route.Body) {
        let (types, schema, isRequired): ([String], String, Bool)
        switch body {
        case .lines(let line, let json):
            writer.key("requestBody")
            writer.beginObject()
            writer.member("required", false)
            writeContent([("application/x-ndjson", line), ("application/json", json)])
            writer.endObject()
            return
        case .none: return
        case .json(let name): (types, schema, isRequired) = (["application/json"], name, true)
        case .optionalJSON(let name): (types, schema, isRequired) = (["application/json"], name, false)
        case .mergePatch(let name):
            (types, schema, isRequired) = (["application/merge-patch+json", "application/json"], name, true)
        }
        writer.key("requestBody")
        writer.beginObject()
        writer.member("required", isRequired)
        writeContent(types.map { ($0, schema) })
        writer.endObject()
    }

    private mutating func write(_ answer: Route.Answer) {
        write(key: String(answer.status), summary: answer.summary, content: answer.content)
    }

    private mutating func write(key: String, summary: String, content: [(type: String, schema: String)]) {
        writer.key(key)
        writer.beginObject()
        writer.member("description", summary)
        if !content.isEmpty { writeContent(content) }
        writer.endObject()
    }

    private mutating func writeContent(_ content: [(type: String, schema: String)]) {
        writer.key("content")
        writer.beginObject()
        for (type, schema) in content {
            writer.key(type)
            writer.beginObject()
            writer.key("schema")
            writer.beginObject()
            writer.member("$ref", "#/components/schemas/\(schema)")
            writer.endObject()
            writer.endObject()
        }
        writer.endObject()
    }
}

extension QueryParameter {
    /// The JSON schema of the value.
    fileprivate var schema: String {
        switch kind {
        case .integer(let range):
            #"{"type":"integer","minimum":\#(range.lowerBound),"maximum":\#(range.upperBound)}"#
        case .boolean: #"{"type":"boolean"}"#
        case .choice(let words):
            #"{"type":"string","enum":[\#(words.map { "\"\($0)\"" }.joined(separator: ","))]}"#
        case .addresses: OpenAPISchemas.addressList
        case .place: OpenAPISchemas.address
        case .address: OpenAPISchemas.address
        case .text: #"{"type":"string"}"#
        case .repeatedText: #"{"type":"array","items":{"type":"string","minLength":1},"minItems":1}"#
        }
    }
}
