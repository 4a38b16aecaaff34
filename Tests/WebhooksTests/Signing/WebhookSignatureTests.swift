import Directors
import HTTPClient
import Testing
import Webhooks

@Suite("Signatures after Standard Webhooks")
struct WebhookSignatureTests {
    /// The example that the specification's own libraries are tested with.
    private let id = "msg_p5jXN8AQM9LWM0D4loKWxJek"
    private let timestamp = 1_614_265_330
    private let body = Array(#"{"test": 2432232314}"#.utf8)
    private let signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="

    private func secret(_ text: String = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw") throws -> HookSecret {
        try HookSecret(text)
    }

    private func verify(
        id: String? = nil, timestamp: String? = nil, signature: String? = nil, body: [UInt8]? = nil,
        secrets: [HookSecret]? = nil, now: Int? = nil
    ) throws {
        try WebhookSignature.verify(
            id: id ?? self.id, timestamp: timestamp ?? "\(self.timestamp)", signature: signature ?? self.signature,
            body: body ?? self.body, secrets: secrets ?? [secret()], now: now ?? self.timestamp)
    }

    @Test("the specification's example is signed as it says, and checked")
    func knownAnswer() throws {
        let signed = WebhookSignature.sign(id: id, timestamp: timestamp, body: body, secrets: [try secret()])
        #expect(signed == signature)
        try verify()
        try verify(secrets: [secret("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")])
    }

    @Test("a message has the three fields")
    func fields() throws {
        let fields = WebhookSignature.fields(id: id, timestamp: timestamp, body: body, secrets: [try secret()])
        #expect(
            fields == [
                HeaderField("webhook-id", id), HeaderField("webhook-timestamp", "\(timestamp)"),
                HeaderField("webhook-signature", signature),
            ])
    }

    @Test("a message that is signed with several secrets is right for a receiver that knows one of them")
    func rotation() throws {
        let (old, new, other) = (HookSecret.random(), HookSecret.random(), HookSecret.random())
        let both = WebhookSignature.sign(id: id, timestamp: timestamp, body: body, secrets: [new, old])
        #expect(both.split(separator: " ").count == 2)
        for known in [[new], [old], [other, old], [new, other]] { try verify(signature: both, secrets: known) }
        #expect(throws: WebhookSignatureError.mismatch) { try verify(signature: both, secrets: [other]) }
        #expect(throws: WebhookSignatureError.mismatch) { try verify(signature: both, secrets: []) }
    }

    @Test("a change to any part of a message, or of its signature, is noticed")
    func changes() throws {
        #expect(throws: WebhookSignatureError.mismatch) { try verify(id: id + "x") }
        #expect(throws: WebhookSignatureError.mismatch) { try verify(timestamp: "\(timestamp + 1)") }
        for index in body.indices {
            var changed = body
            changed[index] ^= 1
            #expect(throws: WebhookSignatureError.mismatch) { try verify(body: changed) }
        }
        // The dots that join the parts are part of the message: what moves across one is another message.
        #expect(throws: WebhookSignatureError.mismatch) {
            try verify(id: "msg", timestamp: "\(timestamp)", body: Array("p5jX".utf8) + body)
        }
        for index in signature.indices.dropFirst(3).dropLast() {
            var changed = signature
            changed.replaceSubrange(index...index, with: signature[index] == "A" ? "B" : "A")
            #expect(throws: WebhookSignatureError.self) { try verify(signature: changed) }
        }
    }

    @Test(
        "a timestamp counts within five minutes, before and after",
        arguments: [
            (-300, nil), (300, nil), (0, nil), (301, .tooOld(seconds: 301)), (-301, .tooNew(seconds: 301)),
        ] as [(Int, WebhookSignatureError?)])
    func tolerance(age: Int, error: WebhookSignatureError?) throws {
        do {
            try verify(now: timestamp + age)
            #expect(error == nil)
        } catch let thrown as WebhookSignatureError {
            #expect(thrown == error)
        }
    }

    @Test(
        "what is not a number of seconds is no timestamp",
        arguments: ["", "-1", "1e9", " 1", "1614265330.0", "9999999999999"])
    func badTimestamps(text: String) {
        #expect(throws: WebhookSignatureError.timestamp) { try verify(timestamp: text) }
    }

    @Test(
        "signatures of other schemes are passed over",
        arguments: [
            "v1a,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= ", "v2,AAAA ", "nonsense ", "v1,!!! ", "v1,AAAA ",
        ])
    func otherSchemes(other: String) throws {
        try verify(signature: other + signature)
        #expect(throws: WebhookSignatureError.self) { try verify(signature: other) }
    }

    @Test("of a header with very many signatures only the first are looked at")
    func manySignatures() throws {
        let wrong = String(repeating: "v1,AAAA ", count: WebhookSignature.maxSignatures)
        #expect(throws: WebhookSignatureError.mismatch) { try verify(signature: wrong + signature) }
        try verify(signature: wrong.dropFirst(8) + signature)
    }
}
