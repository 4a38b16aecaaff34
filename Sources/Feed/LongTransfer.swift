import DirectorLife

/// One stream's position in a long event.
///
/// A class, since few streams are in one: those that are not keep a reference's room for it and no more. Used on the
/// stream's loop.
final class LongTransfer {
    /// The encoder behind what has been sent. It comes first, and is let go of before the event: the event sees to it that
    /// what both hold is freed elsewhere.
    private(set) var encoder: EventEncoder
    /// How many pieces have been sent.
    private(set) var index = 0
    /// Whether the state that the event holds is charged.
    var isCharged = false
    /// The event.
    let event: LongEvent

    /// Begins with the first piece.
    init(_ event: LongEvent) {
        encoder = event.encoder
        self.event = event
    }

    /// Goes on behind a piece that has been sent.
    func advance(behind piece: PieceCache.Piece) {
        encoder = piece.after
        index += 1
    }
}
