import HTTPWire
import Reactor
import TLSEngine

/// Bytes in and out of one connection's socket, with what waits in either direction.
///
/// It knows nothing of HTTP, of deadlines and of other connections. Encryption stands here and nowhere else: what is
/// received is opened before anybody sees it, and what waits in `output` is sealed just before it is sent.
struct Transport: ~Copyable {
    /// What a receive came to.
    enum Received {
        /// There is nothing now.
        case nothing
        /// The client sends nothing more.
        case end
        /// So many bytes are in the buffer; none where they were a handshake's.
        case bytes(Int)
        /// The client does not keep to TLS; what it is told of that is sent.
        case failed(TLSError)
    }

    // The flags fill the space behind the descriptor: there are as many transports as subscribers.
    let socket: Descriptor
    /// Whether the kernel has no room; edge-triggered readiness says when it has again.
    private(set) var isBlocked = false
    /// Whether receiving may yield something; edge-triggered readiness says so once.
    private(set) var canRead = true
    /// Whether the client sends nothing more; what it sent before may still be waiting.
    private(set) var peerHasFinished = false
    /// Whether `input` has been used up as far as it goes.
    var needsMoreInput = true
    /// The connection's TLS layer; nil for cleartext.
    let tls: TLSLayer?
    /// What waits to be sent.
    var output = OutputQueue()
    /// Bytes that were received and not yet used; empty but for the time between two pieces of a request.
    var input: [UInt8] = []
    /// How many bytes may still be sent in this turn; `beginTurn` gives room anew.
    private var turnRoom = Transport.turnSize

    /// How many bytes are sent before other work of the loop gets its turn, about a millisecond's worth: a client that is as
    /// fast as the server takes a large body in one turn otherwise, however long the body is.
    static let turnSize = 1 << 20

    init(socket: consuming Descriptor, tls: TLSLayer? = nil) {
        self.socket = socket
        self.tls = tls
    }

    /// Whether the client and the server have not yet agreed upon keys.
    var isHandshaking: Bool { tls?.isHandshaking ?? false }

    /// Whether something waits to be sent that the kernel may take, in another turn.
    var mustYield: Bool { turnRoom <= 0 && output.part != nil && !isBlocked }

    /// Gives room for another turn's bytes.
    mutating func beginTurn() {
        turnRoom = Self.turnSize
    }

    /// Whether something waits to be sent.
    var hasOutput: Bool { !output.isEmpty || tls.map { !$0.sealed.isEmpty } ?? false }

    /// Whether output is to be sent before anything else is done. Answers to pipelined requests are gathered.
    var mustFlush: Bool { output.part != nil || output.unsentCount > 32 * 1024 || isBlocked }

    /// Whether the client's last byte has been received.
    var isAllRead: Bool { peerHasFinished && !canRead }

    /// Whether nothing is there to receive or to send, as far as the kernel has said.
    var isQuiet: Bool { !canRead && !peerHasFinished && !isBlocked && !hasOutput }

    /// The bytes that are kept for this connection alone. Bytes that the kernel will take at once do not count.
    var keptBytes: Int { isStuck ? input.count + output.ownSize + (tls?.sealed.ownSize ?? 0) : input.count }

    /// Whether something waits to be sent past the turn.
    var isStuck: Bool { isBlocked && hasOutput || mustYield }

    /// The frame that the kernel has not taken all of.
    var stuckFrame: EventFrame? { isStuck ? output.part?.frame : nil }

    /// Takes note of what the loop has seen of the socket.
    mutating func note(_ readiness: Readiness) {
        if readiness.contains(.readable) { canRead = true }
        if readiness.contains(.peerFinished) {
            canRead = true
            peerHasFinished = true
        }
        if readiness.contains(.writable) { isBlocked = false }
    }

    // MARK: Receiving

    /// Receives once into the worker's buffer.
    mutating func receive(into buffer: ReadBuffer) throws(SystemError) -> Received {
        if let tls, tls.session.state == .peerClosed { return end() }
        // SAFETY: the buffer belongs to this worker and outlives the call.
        switch try socket.receive(into: buffer.memory) {
        case .wouldBlock:
            canRead = false
            return .nothing
        case .done(0):
            tls?.session.receiveEnd()
            return end()
        case .done(let count):
            // Less than there was room for is all there is, unless an end follows, which is not reported again.
            canRead = count == ReadBuffer.size || peerHasFinished
            guard let tls else { return .bytes(count) }
            return open(count, of: buffer, tls)
        }
    }

    private mutating func end() -> Received {
        canRead = false
        peerHasFinished = true
        return .end
    }

    /// Opens what was received into the buffer.
    private mutating func open(_ count: Int, of buffer: ReadBuffer, _ tls: TLSLayer) -> Received {
        buffer.plaintext.removeAll(keepingCapacity: true)
        do throws(TLSError) {
            // SAFETY: the buffer's memory is used within the call only.
            try tls.open(UnsafeRawBufferPointer(rebasing: buffer.memory[..<count]), to: &buffer.plaintext)
        } catch {
            canRead = false
            if !tls.sealed.isEmpty { _ = try? tls.send(to: socket) }
            return .failed(error)
        }
        // The end that the client has announced comes behind what it sent.
        if tls.session.state == .peerClosed {
            peerHasFinished = true
            canRead = true
        }
        return .bytes(buffer.plaintext.count)
    }

    /// Takes the input out, to be worked on; what is not used up is kept again.
    mutating func takeInput() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &input)
        return taken
    }

    // MARK: Sending

    /// Sends until everything is out, the kernel has no room, which `isBlocked` says, the turn has none, which `mustYield`
    /// says, or the socket has failed.
    ///
    /// - Returns: How many bytes the kernel took, and whether the socket has failed.
    mutating func flush() -> (count: Int, hasFailed: Bool) {
        if let tls { return flush(by: tls) }
        var total = 0
        // The connection's own bytes are few: they always go.
        while hasOutput, turnRoom > 0 || output.part == nil {
            do throws(SystemError) {
                guard case .done(let count) = try sendOnce() else {
                    isBlocked = true
                    break
                }
                total += count
                turnRoom -= count
                output.advance(by: count)
            } catch {
                return (total, true)
            }
        }
        return (total, false)
    }

    private mutating func flush(by tls: TLSLayer) -> (count: Int, hasFailed: Bool) {
        var total = 0
        while hasOutput, turnRoom > 0 || output.part == nil {
            do {
                if tls.sealed.isEmpty { try tls.seal(&output) }
                guard let count = try tls.send(to: socket) else {
                    isBlocked = true
                    break
                }
                total += count
                turnRoom -= count
            } catch {
                return (total, true)
            }
        }
        return (total, false)
    }

    /// Sends an event as a chunk without queueing it; for when nothing waits before it, on a connection in cleartext.
    ///
    /// - Returns: How many bytes the kernel took. The rest is queued, for `flush` to send.
    mutating func sendAtOnce(_ frame: EventFrame) throws(SystemError) -> Int {
        let (bytes, range) = (frame.storage, frame.chunk)
        // SAFETY: the pointer is used within the call only, and slicing checks the range.
        let outcome = try bytes.span.bytes.withUnsafeBytes { (memory) throws(SystemError) in
            try socket.send(UnsafeRawBufferPointer(rebasing: memory[range]))
        }
        let count = if case .done(let count) = outcome { count } else { 0 }
        if count < range.count {
            let rest = range.lowerBound + count..<range.upperBound
            output.part = .init(bytes: bytes, range: rest, frame: frame)
        }
        return count
    }

    /// Tells the client that nothing more is sent, while what it sends can still be received.
    func finishSending() {
        tls?.sayFarewell(on: socket)
        socket.finishSending()
    }

    /// Lends memory to write to; see ``OutputQueue/lend(_:)``.
    mutating func lend(_ memory: inout [UInt8], sealed: inout [UInt8]) {
        output.lend(&memory)
        tls?.sealed.lend(&sealed)
    }

    /// Takes the memory back; see ``OutputQueue/takeBack(_:)``.
    mutating func takeBack(_ memory: inout [UInt8], sealed: inout [UInt8]) {
        output.takeBack(&memory)
        tls?.sealed.takeBack(&sealed)
    }

    private func sendOnce() throws(SystemError) -> Outcome<Int> {
        let (bytes, sent) = (output.bytes, output.sent)
        guard let part = output.part else {
            // SAFETY: the pointers are used within the calls only.
            return try bytes.span.bytes.withUnsafeBytes { (bytes) throws(SystemError) in
                try socket.send(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
            }
        }
        // SAFETY: as above; both arrays are held until the innermost closure returns.
        return try part.bytes.span.bytes.withUnsafeBytes { (partBytes) throws(SystemError) in
            let rest = UnsafeRawBufferPointer(rebasing: partBytes[part.range.prefix(Self.turnSize)])
            if sent == bytes.count { return try socket.send(rest) }
            return try bytes.span.bytes.withUnsafeBytes { (bytes) throws(SystemError) in
                try socket.send(UnsafeRawBufferPointer(rebasing: bytes[sent...]), then: rest)
            }
        }
    }
}
