package import Synchronization

/// An event encoded once, in one buffer that serves every kind of stream.
///
/// ```
/// 2f\r\n  event: changeset\n  data: {…}\n  id: k3f9-42\n  \n  \r\n
///         └─────────── body ───────────┘
///         └───────────────── payload ────────────────────┘
/// └────────────────────────── bytes ─────────────────────────┘
/// ```
///
/// A chunked stream sends ``bytes`` whole; one that is delimited by closing sends ``payload``; one that carries several
/// directors takes ``body`` and adds an id of its own, as ``replacingID(with:)`` does. It is a class so that a
/// subscriber's place in a stream is one reference and an offset, however long the event.
package final class EventFrame: Sendable {
    /// The event as one HTTP/1.1 chunk.
    package let bytes: [UInt8]

    /// The event with its id and the empty line that ends it, without the chunk's framing.
    package let payload: Range<Int>

    /// The lines before the id; neither the id nor the empty line.
    package let body: Range<Int>

    /// How many keep the frame for clients that do not take it now. Whoever bounds such memory counts it once for all.
    package let keepers = Atomic<Int>(0)

    /// Encodes an event. Complexity: O(*n*), *n* being the bytes of the event.
    package convenience init(_ event: ServerSentEvent) {
        var lines: [UInt8] = []
        event.appendBody(to: &lines)
        self.init(lines: lines[...], id: event.id)
    }

    /// Wraps lines that end in a line feed and an id into a chunk.
    private init(lines: ArraySlice<UInt8>, id: String?) {
        var tail: [UInt8] = []
        if let id { ServerSentEvent.appendID(id, to: &tail) }
        let isEmpty = lines.isEmpty && tail.isEmpty
        if !isEmpty { tail.append(UInt8(ascii: "\n")) }

        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.count + tail.count + 20)
        ResponseWriter.appendChunkStart(size: lines.count + tail.count, to: &bytes)
        let start = bytes.count
        bytes.append(contentsOf: lines)
        body = start..<bytes.count
        bytes.append(contentsOf: tail)
        payload = start..<bytes.count
        // An event with nothing in it is no chunk at all: an empty chunk would end the response.
        if !isEmpty { bytes.append(contentsOf: ResponseWriter.chunkEnd) }
        self.bytes = bytes
    }

    /// A frame with the same event and data, and this id in place of its own.
    ///
    /// Complexity: O(*n*), *n* being the bytes of the event; nothing is encoded again.
    package func replacingID(with id: String?) -> EventFrame {
        EventFrame(lines: bytes[body], id: id)
    }

    /// A frame with the same event, and with one more member at the end of its data, which is a JSON object that is not
    /// empty.
    ///
    /// Complexity: O(*n*), *n* being the bytes of the event; nothing is encoded again.
    ///
    /// - Parameters:
    ///   - member: The member's name and value as JSON on one line.
    ///   - id: The id of the new frame.
    package func addingMember(_ member: [UInt8], id: String?) -> EventFrame {
        // The lines end in the object's brace and a line feed.
        var lines = Array(bytes[body].dropLast(2))
        lines.append(UInt8(ascii: ","))
        lines += member
        lines += "}\n".utf8
        return EventFrame(lines: lines[...], id: id)
    }
}
