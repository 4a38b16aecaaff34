import DequeModule
import DirectorLife

/// The newest pieces of long events that several streams of one loop are sent.
///
/// Streams that begin together, as after a restart of a proxy, go on together, and each piece is encoded once for all of
/// them. Bounded in bytes: the oldest pieces give way, and a stream whose next piece is not here encodes it for itself. Of
/// an event that one stream alone is sent, nothing is kept.
struct PieceCache {
    /// A piece, and the encoder behind it.
    struct Piece: Sendable {
        let bytes: [UInt8]
        let after: EventEncoder
    }

    private struct Place: Hashable {
        let event: ObjectIdentifier
        let index: Int
    }

    /// The bytes that all pieces may have together.
    static let maxBytes = 4 << 20

    private var pieces: [Place: Piece] = [:]
    private var order = Deque<Place>()
    private var streams: [ObjectIdentifier: Int] = [:]
    /// The bytes of all pieces that are kept.
    private(set) var bytes = 0
    /// How many pieces have been encoded.
    private(set) var encoded = 0

    /// Counts one more stream that is sent an event. `end` must follow before the event is let go of.
    mutating func begin(_ event: LongEvent) {
        streams[ObjectIdentifier(event), default: 0] += 1
    }

    /// Counts one less; with the last one, the event's pieces are forgotten.
    mutating func end(_ event: LongEvent) {
        let name = ObjectIdentifier(event)
        let left = (streams[name] ?? 1) - 1
        streams[name] = left > 0 ? left : nil
        guard left == 0 else { return }
        order.removeAll { $0.event == name }
        for (place, piece) in pieces where place.event == name {
            pieces[place] = nil
            bytes -= piece.bytes.count
        }
    }

    /// A piece of an event, encoded unless it is here.
    ///
    /// - Parameters:
    ///   - index: How many pieces are before it.
    ///   - event: The event.
    ///   - encoder: The encoder behind the piece before.
    mutating func piece(_ index: Int, of event: LongEvent, from encoder: EventEncoder) -> Piece {
        let place = Place(event: ObjectIdentifier(event), index: index)
        if let piece = pieces[place] { return piece }
        var encoder = encoder
        let piece = Piece(bytes: encoder.next(size: LongEvent.pieceSize), after: encoder)
        encoded += 1
        if let count = streams[place.event], count > 1 { keep(piece, at: place) }
        return piece
    }

    private mutating func keep(_ piece: Piece, at place: Place) {
        pieces[place] = piece
        order.append(place)
        bytes += piece.bytes.count
        while bytes > Self.maxBytes, let oldest = order.popFirst() {
            bytes -= pieces.removeValue(forKey: oldest)?.bytes.count ?? 0
        }
    }
}
