import HTTPWire
import Reactor
import TLSEngine

/// The encryption of one connection: the session, and what it has sealed that the kernel has not taken.
///
/// A class, so that a connection in cleartext carries one empty reference. Belongs to a transport, and to its thread.
final class TLSLayer {
    var session: TLSSession
    /// Sealed bytes on their way; empty, and without memory, while the connection is idle.
    var sealed = OutputQueue()
    /// The client's certificate; known once the handshake has ended.
    private(set) var peer: PeerCertificate?

    /// How much plaintext is sealed at a time. It is encrypted when the kernel has taken the bytes before it: for a
    /// client that reads nothing, no more of an answer than this is kept encrypted.
    static let pieceSize = 2 * TLSSession.maxRecord

    /// The most that is kept sealed of an answer: a piece, what goes before it, and what the records add.
    static let keptSize = 2 * pieceSize

    init(_ context: TLSContext) throws(TLSError) {
        session = try TLSSession(context: context)
    }

    /// Whether the handshake is under way.
    var isHandshaking: Bool { session.state == .handshaking }

    /// Takes note of the handshake's end.
    func noteEndOfHandshake() {
        peer = PeerCertificate(of: session)
    }

    /// Opens what was received.
    ///
    /// - Parameter plaintext: Gets what the client sent.
    func open(_ ciphertext: UnsafeRawBufferPointer, to plaintext: inout [UInt8]) throws(TLSError) {
        // SAFETY: the span is used within the call only.
        try session.receive(ciphertext.bytes, to: &plaintext, output: &sealed.bytes)
    }

    /// Seals the next of what waits.
    ///
    /// - Throws: The session has failed, or is not open.
    func seal(_ output: inout OutputQueue) throws(TLSError) {
        // Without copies of the arrays past this call, whose memory is used again.
        output.advance(by: try sealNext(of: output))
    }

    private func sealNext(of output: borrowing OutputQueue) throws(TLSError) -> Int {
        let (bytes, sent) = (output.bytes, output.sent)
        let own = bytes.span.bytes.extracting(droppingFirst: sent)
        guard let part = output.part else {
            try session.send(own, to: &sealed.bytes)
            return own.byteCount
        }
        let (partBytes, range) = (part.bytes, part.range.prefix(Self.pieceSize))
        try session.send(own, then: partBytes.span.bytes.extracting(range), to: &sealed.bytes)
        return own.byteCount + range.count
    }

    /// Sends sealed bytes once; nil where the kernel has no room.
    func send(to socket: borrowing Descriptor) throws(SystemError) -> Int? {
        guard case .done(let count) = try sendOnce(to: socket) else { return nil }
        sealed.advance(by: count)
        return count
    }

    private func sendOnce(to socket: borrowing Descriptor) throws(SystemError) -> Outcome<Int> {
        let (bytes, sent) = (sealed.bytes, sealed.sent)
        // SAFETY: the pointer is used within the call only.
        return try bytes.span.bytes.withUnsafeBytes { (bytes) throws(SystemError) in
            try socket.send(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
        }
    }

    /// Sends the close alert, as far as the kernel takes it at once; without it the client finds the connection closed.
    func sayFarewell(on socket: borrowing Descriptor) {
        session.close(to: &sealed.bytes)
        if !sealed.isEmpty { _ = try? send(to: socket) }
    }
}
