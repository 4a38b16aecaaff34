import CCurl
import Reactor

/// A transfer whose answer goes to a receiver as it comes.
final class StreamTransfer: CurlTransfer {
    let easy = CurlEasy()
    private let handle: StreamHandle
    private let receiver: any StreamReceiver
    private var head: AnswerHead
    private let loop: EventLoop
    /// When the last byte came, as far as is known.
    private(set) var lastActivity: LoopInstant
    /// How many bytes had been sent then.
    private var sent: Int64 = 0
    /// Ends the transfer when nothing comes.
    var silenceTimer: ScheduledTimer?

    init(_ request: StreamRequest, _ handle: StreamHandle, _ receiver: any StreamReceiver, on multi: CurlMulti) {
        head = AnswerHead(skippingRedirects: request.redirects > 0)
        self.handle = handle
        self.receiver = receiver
        loop = multi.loop
        lastActivity = loop.now
        super.init(on: multi, mayRepeat: ["GET", "HEAD"].contains(request.method))
    }

    override func receive(line: UnsafeRawBufferPointer) -> Bool {
        // What follows an answer is its redirect.
        isSent = false
        noteActivity()
        guard head.add(String(decoding: line, as: UTF8.self)) else { return true }
        return receiver.receiveHead(status: head.status, fields: head.fields)
    }

    override func receive(piece: UnsafeRawBufferPointer) -> Piece {
        guard !handle.isHeld.load(ordering: .relaxed) else { return .held }
        noteActivity()
        receiver.receiveBody(Array(piece))
        return .taken
    }

    /// Takes note that the transfer goes on.
    func noteActivity() {
        lastActivity = loop.now
    }

    /// Whether nothing has come or gone for so many nanoseconds, while nobody holds the body back.
    ///
    /// libcurl tells of bytes that are sent only when it is asked, so they count from then.
    func isSilent(for silence: UInt64) -> Bool {
        guard loop.now >= lastActivity + silence else { return false }
        let sent = easy.count(CURLINFO_SIZE_UPLOAD_T)
        guard sent == self.sent, !handle.isHeld.load(ordering: .relaxed) else {
            self.sent = sent
            noteActivity()
            return false
        }
        return true
    }

    /// Tells the receiver that nothing has come for too long.
    func endSilent(_ silence: Duration) {
        receiver.end(.connection("no byte came for \(silence / .seconds(1)) s"))
    }

    /// Tells the receiver the end.
    func end(_ code: CURLcode) {
        let failure: StreamFailure? =
            switch code {
            case CURLE_OK: nil
            case CURLE_ABORTED_BY_CALLBACK where wasStopped: .cutOff
            case CURLE_PEER_FAILED_VERIFICATION: .untrusted(easy.explanation(of: code))
            default: .connection(easy.explanation(of: code))
            }
        receiver.end(failure)
    }
}
