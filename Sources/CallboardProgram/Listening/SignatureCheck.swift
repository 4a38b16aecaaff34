import Directors
import HTTPTypes
import Webhooks

/// Checks that a message comes from somebody who knows a secret (Standard Webhooks).
struct SignatureCheck: Sendable {
    /// The result of the check of an accepted message.
    enum Verdict: String, Sendable {
        /// One of its signatures is right for one of the secrets.
        case verified
        /// There is no secret to check it with.
        case unchecked
    }

    /// The secrets, any of which will do; without any, every message is taken.
    let secrets: [HookSecret]

    /// Checks a message.
    ///
    /// - Parameter now: the time in seconds since 1970.
    func verdict(on body: [UInt8], _ fields: HTTPFields, now: Int) throws(ListenRefusal) -> Verdict {
        guard !secrets.isEmpty else { return .unchecked }
        let id = try required("webhook-id", in: fields)
        let timestamp = try required("webhook-timestamp", in: fields)
        let signature = try required("webhook-signature", in: fields)
        do throws(WebhookSignatureError) {
            try WebhookSignature.verify(
                id: id, timestamp: timestamp, signature: signature, body: body, secrets: secrets, now: now)
        } catch {
            throw ListenRefusal(status: .unauthorized, reason: error.description)
        }
        return .verified
    }

    /// The message's identifier, by which it is known again; nil where it has none.
    static func id(in fields: HTTPFields) -> String? { value(of: "webhook-id", in: fields) }

    private func required(_ name: String, in fields: HTTPFields) throws(ListenRefusal) -> String {
        guard let value = Self.value(of: name, in: fields) else {
            throw ListenRefusal(status: .unauthorized, reason: "the message is not signed: it needs one \(name)")
        }
        return value
    }

    /// The field's value, where there is exactly one: of two, nobody could say which one is signed.
    private static func value(of name: String, in fields: HTTPFields) -> String? {
        let found = fields.filter { $0.name.canonicalName == name }
        return found.count == 1 ? found.first?.value : nil
    }
}
