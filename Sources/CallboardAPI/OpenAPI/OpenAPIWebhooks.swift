import Directors
import JSONValues

/// Writes the `webhooks` member of the OpenAPI document from the catalogue of events: one entry for each event of each
/// source, with what its target is sent and what it may answer.
///
/// Events of one place have one schema of messages, and events that are answered in the same way one answer: both stand
/// once, under `components`.
struct OpenAPIWebhooks {
    private var writer: JSONWriter
    private var parameters: OpenAPIComponents
    private var responses: OpenAPIComponents

    /// Writes the member's value, and adds what events share to the document's components.
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
            (event.kind == .source
                ? "The server asks, every so often or at each `POST …/reload`."
                : "A \(event.kindName), after `\(event.delegateMethod)`.")
                + (event.defaultRule.map { " Without a good answer: \($0.phrase)." } ?? ""))
        writer.key("parameters")
        writeFields()
        writer.key("requestBody")
        writer.object { writer in
            writer.member("required", true)
            writer.json { $0.message(event) }
        }
        writer.key("responses")
        writer.beginObject()
        writer.key("2XX")
        writeResponse(event)
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

    private mutating func writeResponse(_ event: EventDefinition) {
        if event.kind == .source {
            return responses.refer(from: &writer, to: "SourceAnswer") { response in
                response.member("description", "The elements, in place of those that are there.")
                response.json { $0.schema("SourceAnswer") }
            }
        }
        guard let type = event.answerType else {
            return responses.refer(from: &writer, to: "EventHasArrived") { response in
                response.member("description", "It has arrived.")
                response.json { $0.schema("EventEffects") }
            }
        }
        responses.refer(from: &writer, to: type.schemaName) { response in
            response.member("description", "The value or, where `items` were sent, `values` in their order.")
            response.json { $0.answer(event, type) }
        }
    }
}

extension JSONWriter {
    /// Writes the `content` member of a body or an answer that is JSON.
    fileprivate mutating func json(_ schema: (inout JSONWriter) -> Void) {
        key("content")
        object { writer in
            writer.key("application/json")
            writer.object { writer in
                writer.key("schema")
                schema(&writer)
            }
        }
    }

    /// Writes a reference to a schema, with other members beside it.
    fileprivate mutating func schema(_ name: String, _ others: (inout JSONWriter) -> Void = { _ in }) {
        object { writer in
            writer.member("$ref", "#/components/schemas/\(name)")
            others(&writer)
        }
    }

    /// Writes the schema of an event's message: that of its place, with the event's name and parameters.
    fileprivate mutating func message(_ event: EventDefinition) {
        object { writer in
            writer.key("allOf")
            writer.array { $0.schema(event.messageSchema) }
            writer.key("properties")
            writer.object { writer in
                writer.key("type")
                writer.object { $0.member("const", event.name) }
                guard !event.parameters.isEmpty else { return }
                writer.key("data")
                writer.object { writer in
                    writer.key("properties")
                    writer.object { writer in
                        writer.key("parameters")
                        writer.parameters(event.parameters)
                    }
                }
            }
        }
    }

    private mutating func parameters(_ parameters: [EventParameter]) {
        let required = parameters.filter(\.isRequired)
        object { writer in
            writer.member("type", "object")
            if !required.isEmpty {
                writer.key("required")
                writer.array { writer in for parameter in required { writer.string(parameter.name) } }
            }
            writer.key("properties")
            writer.object { writer in
                for parameter in parameters {
                    writer.key(parameter.name)
                    writer.schema(parameter.type.schemaName) { $0.member("description", parameter.summary) }
                }
            }
        }
    }

    /// Writes the schema of what a question's target may answer.
    fileprivate mutating func answer(_ event: EventDefinition, _ type: AnswerType) {
        object { writer in
            writer.key("allOf")
            writer.array { $0.schema("EventEffects") }
            writer.key("properties")
            writer.object { writer in
                writer.key("value")
                writer.schema(type.schemaName) { writer in
                    guard case .value(let value)? = event.defaultRule else { return }
                    writer.key("default")
                    writer.value(value)
                }
                guard event.isBatchable else { return }
                writer.key("values")
                writer.object { writer in
                    writer.member("type", "array")
                    writer.key("items")
                    writer.schema(type.schemaName)
                }
            }
        }
    }
}

extension EventDefinition {
    /// The name of the schema that the event's messages follow, one of ``OpenAPISchemas/messages``.
    fileprivate var messageSchema: String {
        switch place {
        case .element: isBatchable ? "MessageAtElements" : "MessageAtElement"
        case .header: "MessageAtHeader"
        case .footer: "MessageAtFooter"
        case .headerOrFooter: "MessageAtHeaderOrFooter"
        case .list: kind == .source ? "MessageToSource" : "MessageAtList"
        }
    }
}
