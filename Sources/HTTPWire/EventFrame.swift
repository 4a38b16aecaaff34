package import Synchronization

/// An event encoded once, in one buffer that serves every kind of stream.
///
/// ```
/// 0 0 2f\r\n  event: changeset\n  data: {…}\n  id: k3f9-42\n  \n  \r\n
///             └─────────── body ───────────┘
///             └───────────────── payload ────────────────────┘
///     └────────────────────────── bytes ─────────────────────────┘
/// └────────────────────────── storage ───────────────────────────┘
/// ```
///
/// A chunked stream sends ``bytes`` whole; one that is delimited by closing sends ``payload``; one that carries several
/// directors takes ``body`` and adds an id of its own, as ``replacingID(with:)`` does. It is a class so that a
/// subscriber's place in a stream is one reference and an offset, however long the event.
package final class EventFrame: Sendable {
    /// The buffer. The chunk's size is known last and written in front of the event, which is not moved. Unused bytes
    /// before the size are zero and never sent.
    package let storage: [UInt8]

    /// The event as one HTTP/1.1 chunk, as a range of the buffer.
    package let chunk: Range<Int>

    /// The event with its id and the empty line that ends it, without the chunk's framing.
    package let payload: Range<Int>

    /// The lines before the id; neither the id nor the empty line.
    package let body: Range<Int>

    /// The data as a range of the buffer, without their field's name and the end of the line; empty for data that were
    /// not written in place, which may be several lines.
    package let data: Range<Int>

    /// How many keep the frame for clients that do not take it now. A budget of such memory charges the frame
    /// once for all of them.
    package let keepers = Atomic<Int>(0)

    /// The event as one HTTP/1.1 chunk; its indices are those of the buffer.
    package var bytes: ArraySlice<UInt8> { storage[chunk] }

    /// Room for the longest line that a chunk begins with: sixteen digits and the end of the line.
    private static let chunkStartRoom = 18

    /// Encodes an event. Complexity: O(*n*), *n* being the bytes of the event.
    package convenience init(_ event: ServerSentEvent) {
        self.init(id: event.id, reservingCapacity: event.data?.count ?? 0) { bytes in
            event.appendBody(to: &bytes)
            return 0..<0
        }
    }

    /// Encodes an event whose data is written in its final place: data of any length are never copied.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - id: What a client sends back as `Last-Event-ID`.
    ///   - capacity: About how many bytes of data there will be.
    ///   - write: Appends the data. The caller vouches that they are one line: no byte of them ends one.
    package convenience init(
        event name: String, id: String?, reservingCapacity capacity: Int, writing write: (inout [UInt8]) -> Void
    ) {
        self.init(id: id, reservingCapacity: capacity) { bytes in
            ServerSentEvent.appendStart(of: name, to: &bytes)
            let start = bytes.count
            write(&bytes)
            let data = start..<bytes.count
            bytes.append(UInt8(ascii: "\n"))
            return data
        }
    }

    /// Wraps lines and an id into a chunk.
    ///
    /// - Parameter append: Appends the lines, each with its line feed, and returns where their data are.
    private init(id: String?, reservingCapacity capacity: Int, append: (inout [UInt8]) -> Range<Int>) {
        let start = Self.chunkStartRoom
        var bytes: [UInt8] = []
        bytes.reserveCapacity(capacity + 128)
        bytes.append(contentsOf: repeatElement(0, count: start))
        data = append(&bytes)
        body = start..<bytes.count
        if let id { ServerSentEvent.appendID(id, to: &bytes) }
        // An event with nothing in it is no chunk at all: an empty chunk would end the response.
        if bytes.count > start { bytes.append(UInt8(ascii: "\n")) }
        payload = start..<bytes.count
        if payload.isEmpty {
            chunk = payload
        } else {
            var line: [UInt8] = []
            ResponseWriter.appendChunkStart(size: payload.count, to: &line)
            bytes.replaceSubrange(start - line.count..<start, with: line)
            bytes.append(contentsOf: ResponseWriter.chunkEnd)
            chunk = start - line.count..<bytes.count
        }
        // Frames are kept, and room that grew by doubling may be twice what they take.
        if bytes.capacity - bytes.count > max(1_024, bytes.count / 4) { bytes = Self.copy(of: bytes) }
        storage = bytes
    }

    /// The same bytes in the memory that they take.
    private static func copy(of bytes: [UInt8]) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        copy.append(contentsOf: bytes)
        return copy
    }

    /// A frame with the same event and data, and this id in place of its own.
    ///
    /// Complexity: O(*n*), *n* being the bytes of the event; nothing is encoded again.
    package func replacingID(with id: String?) -> EventFrame {
        EventFrame(id: id, reservingCapacity: body.count) { bytes in
            bytes.append(contentsOf: storage[body])
            // The lines begin where this frame's do.
            return data
        }
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
        EventFrame(id: id, reservingCapacity: body.count + member.count) { bytes in
            // The lines end in the object's brace and a line feed.
            bytes.append(contentsOf: storage[body].dropLast(2))
            bytes.append(UInt8(ascii: ","))
            bytes.append(contentsOf: member)
            bytes.append(contentsOf: "}\n".utf8)
            return data.isEmpty ? data : data.lowerBound..<bytes.count - 1
        }
    }
}
