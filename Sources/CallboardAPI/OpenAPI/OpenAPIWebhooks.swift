import Directors
import JSONValues

/// Writes the `webhooks` member of the OpenAPI document from the catalogue of events: one entry for each event of each
/// source, with what its target is sent and what it may answer.
struct OpenAPIWebhooks {
    private var writer: JSONWriter
    private var parameters: OpenAPIComponents
    private var responses: OpenAPIComponents

    /// Writes the member's value, and adds what all events share to the document's components.
    static func write(
        to writer: inout JSONWriter, _ parameters: inout OpenAPIComponents, _ responses: inout OpenAPIComponents
    ) {
        var webhooks = OpenAPIWebhooks(writer: writer, parameters: parameters, responses: responses)
        webhooks.write()
        (writer, parameters, responses) = (webhooks.writer, webhooks.parameters, webhooks.responses)
    }

    private mutating func write() {
        writer.beginObject()
        for event in EventCatalog.all {
            writer.key("\(event.source.rawValue).\(event.name)")
            writer.beginObject()
            writer.key("post")
            write(event)
            writer.endObject()
        }
        writer.endObject()
    }

    private mutating func write(_ event: EventDefinition) {
        writer.beginObject()
        writer.key("tags")
        writer.array { $0.string(OpenAPITag.events.rawValue) }
        writer.member("summary", "\(event.source.phrase): \(event.summary)")
        writer.member(
            "description",
            "A \(event.kindName), fired at \(event.placePhrase). UIKit: `\(event.delegateMethod)`."
                + (event.defaultRule.map { " Without a good answer: \($0.phrase)." } ?? ""))
        writer.key("parameters")
        writeFields()
        writer.key("requestBody")
        writer.beginObject()
        writer.member("required", true)
        writeContent { $0.writeMessage(event) }
        writer.endObject()
        writer.key("responses")
        writer.beginObject()
        writer.key("2XX")
        writer.beginObject()
        writer.member(
            "description",
            event.answerType == nil
                ? "It has arrived." : "The value or, for `items`, their `values` in order.")
        writeContent { $0.writeAnswer(event) }
        writer.endObject()
        writer.key("410")
        responses.refer(from: &writer, to: "HookIsGone") {
            $0.member("description", "The hook is disabled: nothing more is sent.")
        }
        writer.endObject()
        writer.endObject()
    }

    /// The header fields of Standard Webhooks.
    private mutating func writeFields() {
        writer.beginArray()
        for (name, summary) in [
            ("webhook-id", "The event's identifier, the same in every attempt."),
            ("webhook-timestamp", "When this attempt was made, in seconds since 1970."),
            ("webhook-signature", "`v1,` and a base64 HMAC-SHA256 for each of the hook's secrets."),
        ] {
            parameters.parameter(
                name, in: "header", from: &writer, isRequired: true, summary, schema: #"{"type":"string"}"#)
        }
        writer.endArray()
    }

    private mutating func writeContent(_ writeSchema: (inout OpenAPIWebhooks) -> Void) {
        writer.key("content")
        writer.beginObject()
        writer.key("application/json")
        writer.beginObject()
        writer.key("schema")
        writeSchema(&self)
        writer.endObject()
        writer.endObject()
    }

    // MARK: What is sent

    private mutating func writeMessage(_ event: EventDefinition) {
        writer.beginObject()
        writer.member("type", "object")
        writer.key("required")
        writer.raw(#"["type","timestamp","data"]"#.utf8)
        writer.key("properties")
        writer.beginObject()
        writer.key("type")
        writer.beginObject()
        writer.member("const", event.name)
        writer.endObject()
        writer.key("timestamp")
        writer.raw(#"{"type":"string","format":"date-time"}"#.utf8)
        writer.key("data")
        writeData(event)
        writer.endObject()
        writer.endObject()
    }

    private mutating func writeData(_ event: EventDefinition) {
        writer.beginObject()
        writer.key("anyOf")
        writer.beginArray()
        for schema in event.dataSchemas { writeReference(schema) }
        writer.endArray()
        if !event.parameters.isEmpty {
            writer.key("properties")
            writer.beginObject()
            writer.key("parameters")
            writeParameters(event.parameters)
            writer.endObject()
        }
        writer.endObject()
    }

    private mutating func writeParameters(_ parameters: [EventParameter]) {
        writer.beginObject()
        writer.member("type", "object")
        writer.key("required")
        writer.beginArray()
        for parameter in parameters where parameter.isRequired { writer.string(parameter.name) }
        writer.endArray()
        writer.key("properties")
        writer.beginObject()
        for parameter in parameters {
            writer.key(parameter.name)
            writeReference(parameter.type.schemaName) { $0.member("description", parameter.summary) }
        }
        writer.endObject()
        writer.endObject()
    }

    // MARK: What is answered

    private mutating func writeAnswer(_ event: EventDefinition) {
        guard let type = event.answerType else { return writeReference("EventEffects") }
        var fallback: JSONValue?
        if case .value(let value)? = event.defaultRule { fallback = value }
        writer.beginObject()
        writer.key("allOf")
        writer.beginArray()
        writeReference("EventEffects")
        writer.endArray()
        writer.key("properties")
        writer.beginObject()
        writer.key("value")
        writeReference(type.schemaName) { writer in
            guard let fallback else { return }
            writer.key("default")
            writer.value(fallback)
        }
        if event.isBatchable {
            writer.key("values")
            writer.beginObject()
            writer.member("type", "array")
            writer.key("items")
            writeReference(type.schemaName)
            writer.endObject()
        }
        writer.endObject()
        writer.endObject()
    }

    private mutating func writeReference(_ schema: String, _ others: (inout JSONWriter) -> Void = { _ in }) {
        writer.beginObject()
        writer.member("$ref", "#/components/schemas/\(schema)")
        others(&writer)
        writer.endObject()
    }
}

extension EventDefinition {
    /// The schemas that an event's data may follow.
    fileprivate var dataSchemas: [String] {
        switch place {
        case .element: isBatchable ? ["EventOfElement", "EventOfElements"] : ["EventOfElement"]
        case .header: ["EventOfHeader"]
        case .footer: ["EventOfFooter"]
        case .headerOrFooter: ["EventOfHeader", "EventOfFooter"]
        case .list: ["EventOfList"]
        }
    }
}
