/// A ``ByteStream`` that is fed by callbacks: what `URLSession`'s delegate and the tests' transports write to.
///
/// It keeps at most `limit` bytes that nobody has read yet. Above half of that it asks for the sender to be held back,
/// and lets it go on once a quarter is left; a sender that goes on all the same runs into the limit, and the stream
/// ends with ``TransportError/overrun(limit:)``.
public final class BufferedByteStream: ByteStream {
    /// A command of the stream to the connection that feeds it.
    public enum Control: Sendable {
        /// Stop reading from the connection for now.
        case hold
        /// Read on.
        case proceed
        /// Close the connection; nothing will be read any more.
        case cancel
    }

    private struct State {
        var pieces: [[UInt8]] = []
        var buffered = 0
        var isHeld = false
        var ending: Result<Void, any Error>?
        var reader: CheckedContinuation<[UInt8]?, any Error>?
        var control: (@Sendable (Control) -> Void)?
    }

    private let limit: Int
    private let state = Locked(State())

    /// Makes an open stream without a piece.
    public init(limit: Int) { self.limit = limit }

    deinit { close() }

    /// Sets what holds back and closes the connection; called from any thread, never under a lock of this object.
    public func connect(_ control: @escaping @Sendable (Control) -> Void) {
        let isOver = state.withLock { state in
            if state.ending == nil { state.control = control }
            return state.ending != nil
        }
        if isOver { control(.cancel) }
    }

    /// Adds a piece; dropped where the stream is over.
    public func receive(_ piece: [UInt8]) {
        guard !piece.isEmpty else { return }
        state.withLock { state -> (() -> Void)? in
            guard state.ending == nil else { return nil }
            if let reader = state.reader {
                state.reader = nil
                return { reader.resume(returning: piece) }
            }
            guard state.buffered + piece.count <= limit else {
                return finish(&state, with: .failure(TransportError.overrun(limit: limit)), cancelling: true)
            }
            state.pieces.append(piece)
            state.buffered += piece.count
            guard state.buffered > limit / 2, !state.isHeld, let control = state.control else { return nil }
            state.isHeld = true
            return { control(.hold) }
        }?()
    }

    /// Ends the stream, after the pieces that are there, in good order or with an error.
    public func finish(throwing error: (any Error)? = nil) {
        state.withLock { state -> (() -> Void)? in
            guard state.ending == nil else { return nil }
            return finish(&state, with: error.map { .failure($0) } ?? .success(()), cancelling: false)
        }?()
    }

    /// Closes the connection and drops what has not been read.
    public func close() { end(with: TransportError.closed) }

    /// The next piece, or nil at the end.
    public func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                takePiece(for: continuation)
            }
        } onCancel: {
            end(with: CancellationError())
        }
    }

    private func takePiece(for continuation: CheckedContinuation<[UInt8]?, any Error>) {
        state.withLock { state -> () -> Void in
            if !state.pieces.isEmpty {
                let piece = state.pieces.removeFirst()
                state.buffered -= piece.count
                var release: (@Sendable (Control) -> Void)?
                if state.isHeld, state.buffered <= limit / 4 {
                    state.isHeld = false
                    release = state.control
                }
                return { [release] in
                    release?(.proceed)
                    continuation.resume(returning: piece)
                }
            }
            if let ending = state.ending { return { continuation.resume(with: ending.map { nil }) } }
            guard state.reader == nil else { return { continuation.resume(throwing: TransportError.closed) } }
            state.reader = continuation
            return {}
        }()
    }

    private func end(with error: any Error) {
        state.withLock { state -> (() -> Void)? in
            state.pieces.removeAll()
            state.buffered = 0
            guard state.ending == nil else { return nil }
            return finish(&state, with: .failure(error), cancelling: true)
        }?()
    }

    /// Settles the ending; the closure it returns is to be called without the lock.
    private func finish(
        _ state: inout State, with ending: Result<Void, any Error>, cancelling: Bool
    ) -> () -> Void {
        let (reader, control) = (state.reader, state.control)
        state.ending = ending
        state.reader = nil
        state.control = nil
        return {
            if cancelling { control?(.cancel) }
            reader?.resume(with: ending.map { nil })
        }
    }
}
