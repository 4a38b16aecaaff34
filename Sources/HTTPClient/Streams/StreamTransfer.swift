import CCurl

/// A transfer whose answer goes to a receiver as it comes.
final class StreamTransfer: CurlTransfer {
    let easy = CurlEasy()
    private let handle: StreamHandle
    private let receiver: any StreamReceiver
    private var head: AnswerHead

    init(_ request: StreamRequest, _ handle: StreamHandle, _ receiver: any StreamReceiver, on multi: CurlMulti) {
        head = AnswerHead(skippingRedirects: request.redirects > 0)
        self.handle = handle
        self.receiver = receiver
        super.init(on: multi, mayRepeat: ["GET", "HEAD"].contains(request.method))
    }

    override func receive(line: UnsafeRawBufferPointer) -> Bool {
        // What follows an answer is its redirect.
        isSent = false
        guard head.add(String(decoding: line, as: UTF8.self)) else { return true }
        return receiver.receiveHead(status: head.status, fields: head.fields)
    }

    override func receive(piece: UnsafeRawBufferPointer) -> Piece {
        guard !handle.isHeld.load(ordering: .relaxed) else { return .held }
        receiver.receiveBody(Array(piece))
        return .taken
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
