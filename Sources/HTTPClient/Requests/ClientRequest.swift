/// One request with content, to a server that the caller names.
package struct ClientRequest: Sendable {
    /// The kind of caller that waits for the answer; it decides the order of queued requests.
    package enum Urgency: Hashable, Sendable {
        /// A UI waits for the answer.
        case question
        /// Nobody waits.
        case notification
    }

    /// Where it goes.
    package var url: HTTPURL
    /// Further header fields, in order. `Content-Type` and `Accept` (`application/json`) and `User-Agent` are sent by
    /// themselves where none of these is of that name.
    package var fields: [HeaderField]
    /// The content.
    package var body: [UInt8]
    /// The method.
    package var method = "POST"
    /// Whether all fields of the answer are kept.
    package var wantsFields = false
    /// Whether the status is the answer also where the content is too long: that is ``ClientResponse/contentFailure``
    /// then, and not the request's failure.
    package var takesStatusAlone = false
    /// Who goes first.
    package var urgency: Urgency
    /// The request's sender: the senders of waiting requests for one target take turns. A hook's address, say.
    package var sender: String
    /// How long the whole may take, from the call of `send`: waiting for its turn and the look-up of the name included.
    package var timeout: Duration

    /// Makes a request.
    package init(
        url: HTTPURL, fields: [HeaderField] = [], body: [UInt8], urgency: Urgency, sender: String,
        timeout: Duration
    ) {
        self.url = url
        self.fields = fields
        self.body = body
        self.urgency = urgency
        self.sender = sender
        self.timeout = timeout
    }
}

/// A header field of a request.
package struct HeaderField: Hashable, Sendable {
    /// The name, in any case. One such as `Host` or `Content-Length` makes the request fail.
    package var name: String
    /// The value. Control characters in it make the request fail.
    package var value: String

    /// Makes a field.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Names of fields that say how a message is carried, which whoever carries it decides (RFC 9110 and RFC 9112).
    private static let reserved: Set = [
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// Whether it can be sent as it is (RFC 9110, sections 5.1 and 5.5) and does not say how the message is carried.
    package var isValid: Bool {
        let marks = Set("!#$%&'*+-.^_`|~".utf8)
        let isToken = name.utf8.allSatisfy { byte in
            byte.isDigit || (byte | 0x20) &- UInt8(ascii: "a") < 26 || marks.contains(byte)
        }
        return !name.isEmpty && isToken && !Self.reserved.contains(name.lowercased())
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
    }
}
