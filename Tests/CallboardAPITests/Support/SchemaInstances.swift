import Foundation
import TestSupport

/// Makes bodies of what the OpenAPI document says of them, with numbers at edges wherever a number may stand, and now and
/// then where none may.
struct SchemaInstances {
    private let schemas: [String: Any]
    var generator: SeededGenerator

    init(document: [String: Any], generator: SeededGenerator) {
        schemas = (document["components"] as? [String: Any])?["schemas"] as? [String: Any] ?? [:]
        self.generator = generator
    }

    /// Names that lead to what the tests have made.
    private static let names: [String: [String]] = [
        "section": ["s", "r", "@0", "@last", "s"], "toSection": ["s", "t"], "row": ["p", "c", "@0"],
        "element": ["@0", "1", "@last"], "model": ["M", "N"], "id": ["s", "t", "new"], "name": ["v"],
        "op": ["setVariable"],
        "event": ["didSelect", "rowHeight", "sectionForSectionIndex", "targetOffset"], "cell": ["Cell"],
        "kind": ["table"],
        "type": ["constant", "model"], "identifier": ["{id}", "{/n}", "{a}_{b}"], "timeout": ["5s"],
    ]

    /// An instance of the schema of a name.
    mutating func instance(of name: String) -> String {
        instance(schemas[name] ?? [String: Any](), name: "", depth: 7)
    }

    /// A value of any form: mostly an element's, whose identifier is a number.
    private mutating func anyValue() -> String {
        switch generator.below(4) {
        case 0: return EdgeNumbers.json(depth: 2, using: &generator)
        case 1:
            let number = EdgeNumbers.text(using: &generator)
            return #"{"var":["model.n",\#(number)]}"#
        default:
            let numbers = (0..<3).map { _ in EdgeNumbers.text(using: &generator) }
            return #"{"id":\#(numbers[0]),"n":\#(numbers[1]),"a":"\#(numbers[2])","b":2}"#
        }
    }

    private mutating func instance(_ schema: Any, name: String, depth: Int) -> String {
        guard let schema = schema as? [String: Any], depth > 0, !schema.isEmpty, !generator.chance(40) else {
            return generator.chance(3) ? EdgeNumbers.text(using: &generator) : anyValue()
        }
        if let reference = schema["$ref"] as? String {
            let target = String(reference.split(separator: "/").last ?? "")
            if ["Expression", "AnyValue"].contains(target) { return anyValue() }
            return instance(schemas[target] ?? [:], name: name, depth: depth - 1)
        }
        if let constant = schema["const"] { return encode(constant) }
        if let choices = schema["enum"] as? [Any], let choice = pick(choices) { return encode(choice) }
        for key in ["oneOf", "anyOf", "allOf"] {
            if let choices = schema[key] as? [Any], let choice = pick(choices) {
                return instance(choice, name: name, depth: depth)
            }
        }
        let types =
            schema["type"] as? [String] ?? [schema["type"] as? String ?? (schema["properties"] == nil ? "" : "object")]
        switch pick(types) ?? "" {
        case "object": return object(schema, depth: depth)
        case "array":
            let least = schema["minItems"] as? Int ?? 0
            let count = max(least, min(schema["maxItems"] as? Int ?? 3, generator.below(3) + 1))
            let items = (0..<min(count, 4)).map { _ in instance(schema["items"] ?? [:], name: name, depth: depth - 1) }
            return "[" + items.joined(separator: ",") + "]"
        case "string": return "\"\(text(name, schema))\""
        case "integer", "number":
            return generator.chance(4) ? String(generator.below(3)) : EdgeNumbers.text(using: &generator)
        case "boolean": return generator.chance(2) ? "true" : "false"
        case "null": return "null"
        default: return anyValue()
        }
    }

    private mutating func text(_ name: String, _ schema: [String: Any]) -> String {
        if schema["format"] as? String == "date-time" {
            return pick(["2030-02-31T00:00:00Z", "2030-12-31T00:00:00Z", "9999-12-31T23:59:59-23:59"]) ?? ""
        }
        if generator.chance(8) { return "@" + EdgeNumbers.anyText(using: &generator) }
        if generator.chance(8) { return EdgeNumbers.anyText(using: &generator) }
        return pick(Self.names[name] ?? ["x", "5s", "1"]) ?? ""
    }

    private mutating func object(_ schema: [String: Any], depth: Int) -> String {
        let required = Set(schema["required"] as? [String] ?? [])
        let properties = (schema["properties"] as? [String: Any] ?? [:]).sorted { $0.key < $1.key }
        var members: [String] = []
        for (name, property) in properties {
            if (property as? [String: Any])?["readOnly"] as? Bool == true { continue }
            guard required.contains(name) || generator.chance(3) else { continue }
            members.append("\"\(name)\":" + instance(property, name: name, depth: depth - 1))
        }
        if properties.isEmpty || schema["additionalProperties"] is [String: Any], generator.chance(2) {
            members.append("\"a\":" + instance(schema["additionalProperties"] ?? [:], name: "", depth: depth - 1))
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    mutating func pick<Element>(_ choices: [Element]) -> Element? {
        choices.isEmpty ? nil : choices[generator.below(choices.count)]
    }

    private func encode(_ value: Any) -> String {
        guard let data = try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed) else {
            return "null"
        }
        return String(decoding: data, as: UTF8.self)
    }
}
