/// One request that was sent as a stream, and its answer as HTTP/1.1 writes it.
///
/// Only the content that the server sends is framed anew: as it says itself where it names a length, else in chunks, of
/// which each is what arrived at once.
final class TranslatedAnswer {
    /// How the answer's content is framed.
    private enum Framing {
        case none
        case length
        case chunked
        case close
    }

    let isHead: Bool
    let isOld: Bool

    // The request.
    /// Content that the test has written and that was not sent.
    var content: ArraySlice<UInt8> = []
    /// Whether the test has written all of it.
    var isContentComplete: Bool
    /// Whether the session waits to be told of more content.
    var isDeferred = false

    // The answer.
    /// Bytes for the test to receive.
    private(set) var bytes: [UInt8] = []
    /// Bytes of content whose window is not yet given back.
    private(set) var unconsumed = 0
    /// Whether all of the answer has come.
    private(set) var isComplete = false
    /// Whether nothing can follow it: it was cut off, or only the connection's end can end it.
    private(set) var isLast = false

    private var status = 0
    private var fields: [UInt8] = []
    private var framing = Framing.none
    private var hasHead = false

    init(isHead: Bool, isOld: Bool, hasContent: Bool) {
        self.isHead = isHead
        self.isOld = isOld
        isContentComplete = !hasContent
    }

    /// Whether the test has written content that waits to be sent.
    var hasUnsentContent: Bool { !content.isEmpty && !isComplete && !isLast }

    // MARK: What the server sends

    /// Begins a head.
    func begin() {
        (status, fields) = (0, [])
    }

    /// Adds a field line of the head; trailers are dropped.
    func add(_ name: [UInt8], _ value: [UInt8]) {
        guard !hasHead else { return }
        let text = String(decoding: name, as: UTF8.self)
        if text == ":status" {
            status = Int(String(decoding: value, as: UTF8.self)) ?? 0
            framing = isOld ? .close : .chunked
        } else {
            if text == "content-length" { framing = .length }
            fields += name + Array(": ".utf8) + value + Array("\r\n".utf8)
        }
    }

    /// Ends a head.
    func endHead() {
        guard !hasHead else { return }
        bytes += Array("HTTP/1.1 \(status) Status\r\n".utf8) + fields
        hasHead = status >= 200
        if !hasHead || isHead || status == 204 || status == 304 { framing = .none }
        if framing == .chunked { bytes += Array("transfer-encoding: chunked\r\n".utf8) }
        bytes += Array("\r\n".utf8)
    }

    /// Adds content that arrived.
    func add(_ content: UnsafeBufferPointer<UInt8>) {
        unconsumed += content.count
        guard framing == .chunked else {
            bytes += content
            return
        }
        bytes += Array((String(content.count, radix: 16) + "\r\n").utf8) + content + Array("\r\n".utf8)
    }

    /// Ends the answer as the server does.
    func end() {
        if framing == .chunked { bytes += Array("0\r\n\r\n".utf8) }
        isComplete = true
        if framing == .close { isLast = true }
    }

    /// Ends an answer that lacks something, as an HTTP/1.1 server can only with its connection.
    func cut() {
        if !isComplete { isLast = true }
    }

    // MARK: What the test receives

    /// Moves bytes to `chunk` as far as it has room; returns how many.
    func take(into chunk: inout [UInt8]) -> Int {
        let count = min(chunk.count, bytes.count)
        chunk.replaceSubrange(0..<count, with: bytes[..<count])
        bytes.removeFirst(count)
        return count
    }

    /// The window that is to be given back, once everything that arrived is with the test.
    func takeConsumed() -> Int {
        guard bytes.isEmpty else { return 0 }
        defer { unconsumed = 0 }
        return unconsumed
    }
}
