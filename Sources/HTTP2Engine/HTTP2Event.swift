package import HTTPTypes
package import HTTPWire

/// An event of a connection for its driver.
package enum HTTP2Event: Sendable {
    /// A request with content begins, of an announced length or without one.
    ///
    /// The driver calls `refuse` and answers where the content is not to come, and `limitContent` where less of it may. An
    /// interim response that is due (RFC 9110, section 10.1.1) is sent with the output after that unless it did so.
    case contentBegins(StreamID, announced: Int?)
    /// A request's content has made progress: so many bytes are there.
    case contentProgressed(StreamID, received: Int)
    /// A request is complete and waits for its answer.
    case request(HTTP2Request)
    /// A request that cannot be served: an answer with the error's status is owed.
    case refused(StreamID, WireError)
    /// A stream that the driver knows from an event has ended: with `noError` its answer is sent, with anything else it was
    /// cut off. Nothing will be asked of its source any more. A request that has no answer yet still holds its place among
    /// those in flight, until it is answered or reset.
    case closed(StreamID, HTTP2ErrorCode)
    /// The connection has failed. The rest of the output ends in GOAWAY, and the driver closes behind it.
    case failed(HTTP2Failure)
}

/// A request as a whole.
package struct HTTP2Request: Sendable {
    /// The stream that the answer belongs to.
    package let stream: StreamID
    /// Its head, as HTTP/1.1 has it.
    package let head: RequestHead
    /// Its content.
    package let content: [UInt8]
    /// The bytes of its fields, uncompressed.
    package let headSize: Int

    /// The bytes that are kept of it.
    package var size: Int { headSize + content.count }
}

/// A part of an answer's content.
package enum HTTP2Part: Sendable {
    /// An event; its payload is sent.
    case frame(EventFrame)
    /// An event with nothing behind it now: as `frame`, and `pending` after it, which the machine does not ask for.
    case latest(EventFrame)
    /// A range of an array, which is held until it is sent.
    case bytes([UInt8], Range<Int>)
    /// Nothing now; `HTTP2Machine.wake` says when.
    case pending
    /// Nothing ever again.
    case end
}

/// Gives the content of a streamed answer, part by part, when the client has room for it.
package protocol HTTP2Source: AnyObject {
    /// The next part.
    ///
    /// Called within `HTTP2Machine.output`, and where a stalled stream is looked for. After `latest` and `pending` it is
    /// called again after `wake`; after `end` never. It may call `wake`, `respond`, `startStream`, `reset` and `refuse`,
    /// of any stream; not `receive` nor `output`, which do nothing then.
    func nextPart() -> HTTP2Part
}

/// A streamed answer, as `HTTP2Machine.wake` finds it without a search. For the machine that gave it only.
package struct HTTP2StreamKey: Sendable, Hashable {
    /// The stream's place in the machine's table.
    let place: Int32
    /// Its number, since the place may be another stream's by now.
    let id: Int32

    /// The stream.
    package var stream: StreamID { StreamID(UInt32(id)) }
}
