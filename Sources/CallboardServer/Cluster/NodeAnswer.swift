import Access
import CallboardAPI
import Directors
import HTTPClient
import HTTPServer
import HTTPTypes
import JSONValues

/// A node's answer as it is signed: its status and fields, bound to the message that it answers.
///
/// A forged answer that denies a change could have the change made twice. As with ``NodeEnvelope``, only what is signed
/// is read.
struct NodeAnswer: Sendable {
    /// The status.
    let status: Int
    /// The fields in their order, names in lower case.
    let fields: [HeaderField]
    /// Why the message was not carried out; nil where it was.
    let refusal: NodeRefusal?

    /// Signs an answer.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - signature: The signature of the answered message.
    ///   - refusal: The reason of a refusal; nil if the message is carried out.
    static func signed(
        _ response: Response, to signature: [UInt8], refusal: NodeRefusal? = nil, with keys: NodeKeys
    ) -> Response {
        var response = response
        // These have no content on the wire, whatever the answer has (RFC 9110, section 6.4.1).
        if [.noContent, .notModified].contains(response.status) { response.body = .none }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("status", response.status.code)
            if let refusal { writer.member("refusal", refusal.name) }
            if case .epoch(let epoch) = refusal { writer.member("epoch", epoch) }
            writer.key("fields")
            writer.array { writer in
                for field in response.fields {
                    writer.array { writer in
                        writer.string(field.name.canonicalName)
                        writer.string(field.value)
                    }
                }
            }
        }
        let code = keys.answers.code(
            of: signature + MessageKey.digest(of: response.body.content) + writer.bytes)
        response.fields[.callboardAnswer] = Base64.encode(writer.bytes)
        response.fields[.callboardSignature] = Base64.encode(code)
        return response
    }

    /// Reads an answer; nil where it is not signed as the answer to the message.
    init?(_ response: ClientResponse, to signature: [UInt8], with keys: NodeKeys) {
        func bytes(_ name: HTTPField.Name) -> [UInt8]? {
            response.fields.first { $0.name == name.canonicalName }.flatMap { Base64.decode($0.value) }
        }
        guard let answer = bytes(.callboardAnswer), let code = bytes(.callboardSignature),
            keys.answers.isRight(
                code, of: signature + MessageKey.digest(of: (response.body, response.body.indices)) + answer),
            let root = try? JSONDocument(answer).root, let status = root["status"]?.int, let fields = root["fields"]
        else { return nil }
        self.status = status
        self.fields = fields.elements.compactMap { field in
            let texts = field.elements.compactMap(\.string)
            return texts.count == 2 ? HeaderField(texts[0], texts[1]) : nil
        }
        switch root["refusal"]?.string {
        case nil: refusal = nil
        case "epoch": refusal = .epoch(root["epoch"]?.string ?? "")
        case "addressee": refusal = .addressee
        case "clock": refusal = .clock
        default: refusal = .repeated
        }
    }

    /// The value of a field; nil without one.
    func value(of name: String) -> String? { fields.first { $0.name == name }?.value }
}
