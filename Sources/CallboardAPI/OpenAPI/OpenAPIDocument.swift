import Access
import HTTPServer
import HTTPTypes
import JSONValues
import Notation
import WebAssets

/// Writes the OpenAPI 3.1 document from the table of routes.
///
/// Paths, parameters, bodies and answers come from ``Route``, what hooks' targets are sent from the catalogue of events,
/// and the schemas of resources and answers from the declarations of their members. The others are text, in
/// `OpenAPISchemas`: bodies whose decoders have no such declarations, answers that encoders write in pieces or on the path
/// of an event, and schemas with keywords that nothing else needs. Tests hold all of them against real answers.
struct OpenAPIDocument {
    private let routes: [Route]
    private var writer = JSONWriter()
    private var parameters = OpenAPIComponents("parameters")
    private var responses = OpenAPIComponents("responses")

    /// The document of this server's routes, written once; its tag follows from its bytes.
    static let served = {
        var document = OpenAPIDocument(routes: Route.all)
        document.write(version: Application.version)
        let bytes = document.writer.bytes
        return Asset(path: "openapi.json", compressing: bytes, digest: Base64URL.encode(sha256(of: bytes)))
    }()

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
        writer.key("tags")
        writer.array { writer in
            for tag in OpenAPITag.allCases {
                writer.object { writer in
                    writer.member("name", tag.rawValue)
                    writer.member("description", tag.summary)
                }
            }
        }
        writer.key("paths")
        writePaths()
        writer.key("webhooks")
        OpenAPIWebhooks.write(to: &writer, &parameters, &responses)
        writer.key("components")
        writer.beginObject()
        writer.key("schemas")
        writer.raw(OpenAPISchemas.minified)
        parameters.write(to: &writer)
        responses.write(to: &writer)
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
            parameters.parameter(
                name, in: "path", from: &writer, isRequired: true, OpenAPISchemas.pathParameters[name] ?? "",
                schema: OpenAPISchemas.schema(ofParameter: name, in: path))
        }
        writer.endArray()
    }

    private mutating func write(_ route: Route) {
        writer.beginObject()
        writer.member("operationId", route.operationID)
        writer.key("tags")
        writer.array { $0.string(OpenAPITag(of: route.path).rawValue) }
        writer.member("summary", route.summary)
        if !route.details.isEmpty { writer.member("description", route.details) }
        writeSecurity(route)
        writeParameters(route)
        writeBody(route.body)
        writer.key("responses")
        writer.beginObject()
        for answer in route.answers { write(answer) }
        for problem in route.problems {
            writer.key(String(problem.status))
            responses.problem(problem.status, from: &writer, problem.summary)
        }
        writer.key("default")
        responses.problem(nil, from: &writer, Route.anyProblem)
        writer.endObject()
        writer.endObject()
    }

    /// The operation's security requirement: one of the credentials with the right as its role, or none if the server's
    /// settings allow that.
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
            parameters.parameter(header.name, in: "header", from: &writer, header.summary, schema: header.schema)
        }
        writer.endArray()
    }

    private mutating func write(_ parameter: QueryParameter) {
        var (style, explodes): (String?, Bool) = (nil, false)
        if case .repeatedText = parameter.kind { explodes = true }
        if case .named = parameter.kind { (style, explodes) = ("deepObject", true) }
        parameters.parameter(
            parameter.name, in: "query", from: &writer, isRequired: parameter.isRequired, parameter.summary,
            schema: parameter.schema, style: style, explodes: explodes)
    }

    private mutating func writeBody(_ body: Route.Body) {
        let content: [(type: String, schema: String)]
        var isRequired = false
        switch body {
        case .none: return
        case .lines(let line, let json): content = [("application/x-ndjson", line), ("application/json", json)]
        case .optionalJSON(let name): content = [("application/json", name)]
        case .json(let name): (content, isRequired) = ([("application/json", name)], true)
        case .mergePatch(let name):
            // `application/json` is taken too. A second type of the same schema makes generators choose by the value.
            content = [("application/merge-patch+json", name)]
            isRequired = true
        }
        writer.key("requestBody")
        writer.beginObject()
        writer.member("required", isRequired)
        writer.content(content)
        writer.endObject()
    }

    private mutating func write(_ answer: Route.Answer) {
        writer.key(String(answer.status))
        writer.beginObject()
        writer.member("description", answer.summary)
        if !answer.content.isEmpty { writer.content(answer.content) }
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
        case .named: #"{"type":"object","propertyNames":{"minLength":1},"additionalProperties":{"type":"string"}}"#
        case .repeatedText: #"{"type":"array","items":{"type":"string","minLength":1},"minItems":1}"#
        }
    }
}
