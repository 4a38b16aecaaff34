import JSONValues

/// A JSON Schema (2020-12) of what a member may hold, as far as the API's description needs it.
package indirect enum JSONSchema: Hashable, Sendable {
    /// Any value.
    case any
    /// True or false.
    case boolean
    /// A string of at least and at most so many characters.
    case string(minLength: Int = 0, maxLength: Int? = nil)
    /// A date and time (RFC 3339).
    case dateTime
    /// A whole number, from a minimum where there is one.
    case integer(minimum: Int? = nil)
    /// A number, in a range where there is one.
    case number(ClosedRange<Int>? = nil)
    /// One of these strings.
    case choice([String])
    /// This string and no other.
    case constant(String)
    /// An array of at least and at most so many items.
    case array(JSONSchema, minItems: Int = 0, maxItems: Int? = nil)
    /// An object with these members and no others.
    case object([MemberDescription], side: Side)
    /// An object whose members have any names, and values of one schema.
    case dictionary(JSONSchema)
    /// The schema of that name in the document.
    case reference(String)
    /// One of several.
    case oneOf([JSONSchema])
    /// At least one of several.
    case anyOf([JSONSchema])
    /// One of several objects that the document names; a member's value says which.
    case tagged(by: String, [Variant])
    /// The same, or null.
    case nullable(JSONSchema)

    /// The side that writes an object: which members are required and which may be null depends on it.
    package enum Side: Hashable, Sendable {
        /// The server, in an answer.
        case answer
        /// A client, in a body.
        case body
    }

    /// One of several objects: the value of the member that tells them apart, and the name of the object's schema.
    package struct Variant: Hashable, Sendable {
        let value: String
        let schema: String
    }

    /// Appends the schema, an object.
    package func encode(description: String = "", isReadOnly: Bool = false, to writer: inout JSONWriter) {
        writer.object { writer in
            encodeMembers(isNullable: false, to: &writer)
            if isReadOnly { writer.member("readOnly", true) }
            if !description.isEmpty { writer.member("description", description) }
        }
    }
}

extension JSONSchema {
    /// Appends the schema without its braces.
    private func encodeMembers(isNullable: Bool, to writer: inout JSONWriter) {
        switch self {
        case .any: writer.member("$ref", "#/components/schemas/AnyValue")
        case .boolean: writer.type("boolean", isNullable)
        case .string(let minLength, let maxLength):
            writer.type("string", isNullable)
            if minLength > 0 { writer.member("minLength", minLength) }
            if let maxLength { writer.member("maxLength", maxLength) }
        case .dateTime:
            writer.type("string", isNullable)
            writer.member("format", "date-time")
        case .integer(let minimum):
            writer.type("integer", isNullable)
            if let minimum { writer.member("minimum", minimum) }
        case .number(let range):
            writer.type("number", isNullable)
            guard let range else { return }
            writer.member("minimum", range.lowerBound)
            writer.member("maximum", range.upperBound)
        case .dictionary(let value):
            writer.type("object", isNullable)
            writer.key("additionalProperties")
            value.encode(to: &writer)
        case .array(let item, let minItems, let maxItems):
            writer.type("array", isNullable)
            writer.key("items")
            item.encode(to: &writer)
            if minItems > 0 { writer.member("minItems", minItems) }
            if let maxItems { writer.member("maxItems", maxItems) }
        case .nullable(let schema): schema.encodeNullable(to: &writer)
        default: encodeOther(to: &writer)
        }
    }

    private func encodeOther(to writer: inout JSONWriter) {
        switch self {
        case .object(let members, let side): JSONSchema.encodeObject(members, side, to: &writer)
        case .reference(let name): writer.member("$ref", "#/components/schemas/\(name)")
        case .constant(let text): writer.member("const", text)
        case .choice(let words):
            writer.key("enum")
            writer.array { writer in for word in words { writer.string(word) } }
        case .oneOf(let schemas): JSONSchema.encode("oneOf", schemas, to: &writer)
        case .anyOf(let schemas): JSONSchema.encode("anyOf", schemas, to: &writer)
        case .tagged(let member, let variants): JSONSchema.encode(variants, by: member, to: &writer)
        default: break
        }
    }

    private func encodeNullable(to writer: inout JSONWriter) {
        switch self {
        case .any, .boolean, .string, .dateTime, .integer, .number, .array, .dictionary:
            encodeMembers(isNullable: true, to: &writer)
        default:
            writer.key("anyOf")
            writer.array { writer in
                writer.object { $0.member("type", "null") }
                encode(to: &writer)
            }
        }
    }

    private static func encode(_ word: String, _ schemas: [JSONSchema], to writer: inout JSONWriter) {
        writer.key(word)
        writer.array { writer in for schema in schemas { schema.encode(to: &writer) } }
    }

    private static func encode(_ variants: [Variant], by member: String, to writer: inout JSONWriter) {
        writer.key("oneOf")
        writer.array { writer in
            for variant in variants { JSONSchema.reference(variant.schema).encode(to: &writer) }
        }
        writer.key("discriminator")
        writer.object { writer in
            writer.member("propertyName", member)
            writer.key("mapping")
            writer.object { writer in
                for variant in variants { writer.member(variant.value, "#/components/schemas/\(variant.schema)") }
            }
        }
    }

    private static func encodeObject(_ members: [MemberDescription], _ side: Side, to writer: inout JSONWriter) {
        let members = members.filter { $0.isPart(of: side) }
        writer.member("type", "object")
        let required = members.filter { $0.isRequired(in: side) }
        if !required.isEmpty {
            writer.key("required")
            writer.array { writer in for member in required { writer.string(member.name) } }
        }
        writer.key("properties")
        writer.object { writer in
            for member in members {
                writer.key(member.name)
                member.encodeSchema(on: side, to: &writer)
            }
        }
        writer.member("additionalProperties", false)
    }
}

extension JSONWriter {
    fileprivate mutating func type(_ name: String, _ isNullable: Bool) {
        key("type")
        if isNullable {
            array {
                $0.string(name)
                $0.string("null")
            }
        } else {
            string(name)
        }
    }
}
