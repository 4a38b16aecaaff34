import Access
import CallboardAPI
import Directors
import HTTPClient
import HTTPServer
import HTTPTypes
import HTTPWire
import JSONValues
import Journal

/// The keys that nodes sign with: one for what they say to each other, one for the answers.
struct NodeKeys: Sendable {
    let requests: MessageKey
    let answers: MessageKey

    /// Derives the keys from the nodes' secret.
    init(_ secret: SharedSecret) {
        requests = MessageKey(secret, for: "requests between nodes")
        answers = MessageKey(secret, for: "answers between nodes")
    }
}

/// A message between nodes in its signed form: sender, receiver, content, and its position among the sender's messages.
///
/// It travels as one field of a POST, in base64, beside its signature, and has the digest of the content. Only these three
/// are read: what is added to the request on the way has no effect, and what is changed or left out is refused.
struct NodeEnvelope: Sendable {
    /// The version of what nodes say to each other. Another one is refused: the earlier one could be replayed.
    static let version = 2
    /// How far the sender's clock may be from the receiver's: a message that was kept back for longer is refused.
    static let tolerance = 300

    /// What is asked.
    let request: ForwardedRequest
    /// The number of the node that sends it, for the log.
    let from: Int
    /// The number of the node that it is for.
    let to: Int
    /// The process that sends it, unlike any other.
    let sender: String
    /// The receiver's ``ReplayGuard/epoch``, learned from the receiver; nil if the sender does not know it. A message
    /// without it is never carried out.
    let epoch: String?
    /// The number among the sender's messages to the receiver.
    let number: Int
    /// When it was made, in seconds since 1970.
    let time: Int

    /// The bytes that are signed.
    func encoded(_ body: [UInt8]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", Self.version)
            writer.member("from", from)
            writer.member("to", to)
            writer.member("sender", sender)
            if let epoch { writer.member("epoch", epoch) }
            writer.member("number", number)
            writer.member("time", time)
            writer.member("content", Base64.encode(MessageKey.digest(of: (body, body.indices))))
            request.write(to: &writer)
        }
        return writer.bytes
    }

    /// Signs the message and its content.
    ///
    /// - Returns: The fields that carry it, and the signature, which the answer is bound to.
    func signed(_ body: [UInt8], with keys: NodeKeys) -> (fields: [HeaderField], signature: [UInt8]) {
        let bytes = encoded(body)
        let signature = keys.requests.code(of: bytes)
        return (
            [
                HeaderField(HTTPField.Name.callboardMessage.canonicalName, Base64.encode(bytes)),
                HeaderField(HTTPField.Name.callboardSignature.canonicalName, Base64.encode(signature)),
            ], signature
        )
    }

    /// Reads a message.
    ///
    /// - Returns: The message, and its signature.
    /// - Throws: ``NodeRefusal/unsigned`` or ``NodeRefusal/version``.
    static func read(
        _ exchange: Exchange, with keys: NodeKeys
    ) throws(NodeRefusal) -> (NodeEnvelope, signature: [UInt8]) {
        let (bytes, signature) = try signedBytes(exchange.head, with: keys)
        guard let root = try? JSONDocument(bytes).root, root["version"]?.int == Self.version,
            let envelope = NodeEnvelope(root), let content = root["content"]?.string
        else { throw .version }
        guard Base64.decode(content) == MessageKey.digest(of: (exchange.body, exchange.body.indices)) else {
            throw .unsigned
        }
        return (envelope, signature)
    }

    /// Reads what a node has signed from the head of a request, before its content is there.
    ///
    /// - Returns: The envelope's bytes, and their signature.
    static func signedBytes(
        _ head: RequestHead, with keys: NodeKeys
    ) throws(NodeRefusal) -> (envelope: [UInt8], signature: [UInt8]) {
        guard head.method == .post, head.target == ForwardedRequest.path else { throw .unsigned }
        guard let message = head.fields.value(of: .callboardMessage) else {
            throw head.fields.value(of: .callboardRequest) == nil ? .unsigned : .version
        }
        guard let bytes = Base64.decode(message),
            let signature = head.fields.value(of: .callboardSignature).flatMap({ Base64.decode($0) }),
            keys.requests.isRight(signature, of: bytes)
        else { throw .unsigned }
        return (bytes, signature)
    }

    private init?(_ root: JSONNode) {
        guard let from = root["from"]?.int, let to = root["to"]?.int, let sender = root["sender"]?.string,
            let number = root["number"]?.int, let time = root["time"]?.int, let request = ForwardedRequest(root)
        else { return nil }
        self.init(
            request: request, from: from, to: to, sender: sender, epoch: root["epoch"]?.string, number: number,
            time: time)
    }

    /// Makes a message.
    init(
        request: ForwardedRequest, from: Int, to: Int, sender: String, epoch: String?, number: Int, time: Int
    ) {
        self.request = request
        self.from = from
        self.to = to
        self.sender = sender
        self.epoch = epoch
        self.number = number
        self.time = time
    }
}
