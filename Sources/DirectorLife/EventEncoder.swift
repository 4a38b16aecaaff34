import Directors
import HTTPWire
import JSONValues

/// Encodes one event of a stream in pieces.
///
/// The pieces put together are the bytes of the event's frame up to the end of its data. `ServerSentEvent.appendEnd(id:to:)`
/// appends the rest, which differs from stream to stream. A value: a copy goes on from the same place.
package struct EventEncoder: Sendable {
    /// Whether the last piece has been encoded.
    package private(set) var isComplete = false

    private var payload: SnapshotEncoder
    private var writer: JSONWriter

    /// Begins an event `snapshot`.
    package init(snapshot: SnapshotEncoder) {
        payload = snapshot
        var start: [UInt8] = []
        ServerSentEvent.appendStart(of: StreamEvent.Name.snapshot.rawValue, to: &start)
        writer = JSONWriter(appendingTo: start)
    }

    /// The next piece: so many bytes, or an element more. Not to be called once the event is complete.
    ///
    /// - Complexity: O(*k*) in the bytes of the piece.
    package mutating func next(size: Int) -> [UInt8] {
        isComplete = payload.write(to: &writer, upTo: size)
        return writer.takeBytes()
    }
}
