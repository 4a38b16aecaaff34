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

    private enum Payload: Sendable {
        case snapshot(SnapshotEncoder)
        case changeset(ChangeEncoder)
    }

    private var payload: Payload
    private var writer: JSONWriter

    /// Begins an event `snapshot`.
    package init(snapshot: SnapshotEncoder) {
        self.init(.snapshot, .snapshot(snapshot))
    }

    /// Begins an event `changeset`.
    package init(changeset change: PublishedChange) {
        self.init(.changeset, .changeset(ChangeEncoder(change)))
    }

    private init(_ name: StreamEvent.Name, _ payload: Payload) {
        self.payload = payload
        var start: [UInt8] = []
        ServerSentEvent.appendStart(of: name.rawValue, to: &start)
        writer = JSONWriter(appendingTo: start)
    }

    /// The next piece: so many bytes, or an element more. Not to be called once the event is complete.
    ///
    /// - Complexity: O(*k*) in the bytes of the piece.
    package mutating func next(size: Int) -> [UInt8] {
        switch payload {
        case .snapshot(var encoder):
            isComplete = encoder.write(to: &writer, upTo: size)
            payload = .snapshot(encoder)
        case .changeset(var encoder):
            isComplete = encoder.write(to: &writer, upTo: size)
            payload = .changeset(encoder)
        }
        return writer.takeBytes()
    }
}
