import Directors
import HTTPServer
import HTTPTypes
import JSONValues

/// The schemas of the OpenAPI document (JSON Schema 2020-12), and what it says of path parameters and header fields.
enum OpenAPISchemas {
    /// The meaning of each path parameter.
    static let pathParameters = [
        "director": "The director's name: 1 to 256 bytes.",
        "section": "A section's identifier, or its position: `@0`, `@first`, `@last`. An `@` of an identifier's own is "
            + "doubled.",
        "element": "An element's identifier, or its position: `@0`, `@first`, `@last`. An `@` of an identifier's own "
            + "is doubled.",
        "row": "A row's identifier, or its position among the section's rows: `@0`, `@first`, `@last`. An `@` of an "
            + "identifier's own is doubled.",
        "model": "The model's name.",
        "view": "The header or footer view's name.",
        "name": "The variable's name.",
        "event": "The event's name. A table and a collection have events of their own.",
        "delivery": "The delivery's identifier.",
        "file": "The name of a file of the console.",
        "token": "The token's identifier, which is not its text.",
        "stream": "The stream's identifier.",
    ]

    /// The path parameters that are addresses; the others are names.
    static let addresses: Set<String> = ["section", "row", "element"]

    /// The characters that a path's parameter excludes: no new name has control characters, and a path with them finds
    /// only names that were stored before they were refused.
    private static let controls = #"\\u0000-\\u001f\\u007f-\\u009f"#

    /// The schema of an address: what `Address` takes.
    static let address =
        #"{"type":"string","minLength":1,"pattern":"^(@(first|last|[0-9]+|@[^\#(controls)]*)|"#
        + #"[^@\#(controls)][^\#(controls)]*)$"}"#

    /// The schema of several addresses in a query, separated by commas.
    static let addressList = {
        let one = #"(@(first|last|[0-9]+|@[^,]*)|[^@,][^,]*)"#
        return #"{"type":"string","minLength":1,"pattern":"^\#(one)(,\#(one))*$","examples":["1,4","1,@last"]}"#
    }()

    /// The schema of a name in a path.
    static let name = #"{"type":"string","minLength":1,"pattern":"^[^\#(controls)]+$"}"#

    /// The schema of a path's parameter.
    static func schema(ofParameter parameter: String, in path: PathTemplate) -> String {
        if parameter == "event" { return event(in: path) }
        return addresses.contains(parameter) ? address : name
    }

    /// A header field that a route looks at.
    struct Header {
        let name: String
        let summary: String
        let schema: String
    }

    /// The schema of a mutation's name.
    static let cause = #"{"type":"string","minLength":1,"maxLength":\#(CauseList.maxLength),"pattern":"^[!-~]+$"}"#

    private static let tag = #"{"type":"string","examples":["\"k3f9a0x2b1-r41\""]}"#

    /// The header fields that a route looks at beyond content negotiation.
    static func headers(of route: Route) -> [Header] {
        var headers: [Header] = []
        if route.isMutation {
            headers.append(
                Header(
                    name: "If-Match", summary: "Answers 412 and changes nothing unless the director is at this tag.",
                    schema: tag))
            headers.append(
                Header(
                    name: "Prefer",
                    summary: "`return=minimal` answers 204 instead of the representation (RFC 7240); a PUT that "
                        + "creates answers 201 all the same.",
                    schema: #"{"type":"string","examples":["return=minimal"]}"#))
        }
        if route.isMutation {
            headers.append(
                Header(
                    name: "Callboard-Cause",
                    summary: "Names the mutation: the changeset that first shows it lists the name in `causes`.",
                    schema: cause))
        }
        if route.isConditional {
            headers.append(
                Header(
                    name: "If-None-Match",
                    summary: route.isMutation
                        ? "Answers 412 and changes nothing where the director is at this tag; `*`, where the resource is "
                            + "there."
                        : "Answers 304 where the state is still that of this tag.",
                    schema: tag))
        }
        if route.takesKey {
            headers.append(
                Header(
                    name: "Idempotency-Key",
                    summary: "The same key and body within 24 h answers the first answer again and does nothing twice.",
                    schema: #"{"type":"string","minLength":1,"maxLength":255,"pattern":"^[!-~]+$"}"#))
        }
        if route.isStream {
            headers.append(
                Header(
                    name: "Last-Event-ID", summary: "Resumes after this id.", schema: #"{"type":"string"}"#))
        }
        return headers
    }

    /// The schemas on one line.
    static let minified: [UInt8] = {
        do {
            return try JSONValue(parsing: "{" + parts.joined(separator: ",") + "}").bytes
        } catch {
            preconditionFailure("the schemas are not JSON: \(error)")
        }
    }()

    private static let parts = [
        resources, directors, sections, rows, adapters, operations, changesets, hooks, messages, access, errors,
    ]

    private static let directors = """
        "DirectorDefinition": {"type": "object", "required": ["kind"],
          "oneOf": [
            {"properties": {"kind": {"const": "table"},
              "properties": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/TableProperties"}]}}},
            {"properties": {"kind": {"const": "collection"},
              "properties": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/CollectionProperties"}]}}},
            {"properties": {"kind": {"const": "flow"},
              "properties": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/FlowProperties"}]}}},
            {"properties": {"kind": {"const": "stack"},
              "properties": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/StackProperties"}]}}}],
          "properties": {"kind": {"$ref": "#/components/schemas/Kind"}, "properties": {"type": ["object", "null"]},
            "name": {"type": "string", "readOnly": true}, "revision": {"readOnly": true},
            "version": {"readOnly": true}, "epoch": {"readOnly": true}, "counts": {"readOnly": true}, "faults": {"readOnly": true},
            "totals": {"readOnly": true},
            "view": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/ViewInput"}]}},
          "additionalProperties": false},
        "DirectorPatch": {"type": "object", "properties": {"view": {"type": ["object", "null"],
            "description": "A merge patch of a view's definition."}, "properties": {"type": ["object", "null"],
            "description": "A merge patch of the properties; null puts one back, or all."}},
          "additionalProperties": false},
        "Variables": {"type": "object", "required": ["variables"],
          "properties": {"variables": {"type": "object"}}, "additionalProperties": false},
        "AnyValue": {"description": "Any JSON value."}, "AnyObject": {"type": "object"}
        """

    private static let errors = """
        "Problem": {"type": "object", "required": ["type", "title", "status", "detail"], "properties": {
            "type": {"type": "string", "format": "uri", "description": "More may be added.", "x-extensible-enum": [
              \(ProblemKind.allCases.map { "\"\($0.type)\"" }.joined(separator: ","))]},
            "title": {"type": "string"}, "status": {"type": "integer"},
            "detail": {"type": "string"}, "instance": {"type": "string"},
            "errors": {"type": "array", "items": {"type": "object", "required": ["pointer", "detail"],
              "properties": {"pointer": {"type": "string"}, "detail": {"type": "string"}}}}}}
        """
}
