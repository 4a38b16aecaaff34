import HTTPTypes
import HTTPWire

// What a connection keeps past a turn is charged to the budget that all connections share:
//
// - of a request that is not complete, what has arrived of its head and content, and what has not been parsed yet;
// - of an answer that the client does not take, all of its bytes, since none is freed before the last is sent;
// - of a stream that lags, the frame that is half sent. Subscribers that are stuck in the same frame share its memory,
//   and it is charged once for all of them.
//
// A request in work is charged to its exchange, which may outlive the connection.

extension Connection {
    /// A request up to this size, head and content, is not charged while it is in work.
    private static let unchargedRequest = 4096

    /// What the connection keeps by itself, without a frame that others keep too.
    private var keptBytes: Int {
        let request = input.count + body.count + parser.unfinishedHeadSize
        return isBlocked && hasOutput ? request + output.count + (tail?.ownSize ?? 0) : request
    }

    /// Charges what it keeps now in place of what was charged before; false where that does not fit.
    private func charge(_ bytes: Int, on worker: isolated Worker) -> Bool {
        if bytes > charged {
            guard worker.buffers.take(bytes - charged) else { return false }
        } else if bytes < charged {
            worker.buffers.release(charged - bytes)
        }
        charged = bytes
        return true
    }

    /// Charges what is kept at the end of a turn; a stream or an answer that cannot be kept is cut off.
    ///
    /// The common case, that nothing is kept and nothing was, is the caller's to see.
    func settleMemory(on worker: isolated Worker) {
        guard phase != .closed else { return }
        let frame = isBlocked && hasOutput ? tail?.frame : nil
        if frame !== keptFrame {
            if let keptFrame { worker.buffers.letGo(keptFrame) }
            keptFrame = nil
            if let frame {
                guard worker.buffers.keep(frame) else { return cutOffOverBudget(on: worker) }
                keptFrame = frame
            }
        }
        if !charge(keptBytes, on: worker) { cutOffOverBudget(on: worker) }
    }

    private func cutOffOverBudget(on worker: isolated Worker) {
        worker.buffers.noteRefusal(of: phase == .streaming ? .stream : .answer)
        close(on: worker)
    }

    /// Gives back what is charged; for a connection that closes.
    func releaseMemory(on worker: isolated Worker) {
        if charged != 0 { worker.buffers.release(charged) }
        charged = 0
        if let keptFrame { worker.buffers.letGo(keptFrame) }
        keptFrame = nil
    }

    /// Charges what has arrived of a request that is not complete; one that does not fit is answered 503.
    func chargeInput(on worker: isolated Worker) {
        let kept = keptBytes
        guard kept != charged, phase != .closed, !charge(kept, on: worker) else { return }
        if phase == .reading, tail == nil { return refuseOverBudget(on: worker) }
        // What was sent ahead, behind a request that is being answered: the client sends it again elsewhere.
        worker.buffers.noteRefusal(of: .request)
        input = []
        writer.keepAlive = false
        lingersAtEnd = true
        if phase == .reading { phase = .closing }
        _ = charge(keptBytes, on: worker)
    }

    /// Whether a body of this size may begin. What is announced is not charged: only what arrives is.
    func hasRoom(forAnnounced length: Int, on worker: isolated Worker) -> Bool {
        length <= ReadBuffer.size || worker.buffers.hasRoom(for: length)
    }

    /// Hands the charge of a complete request over to its exchange; nil where it does not fit.
    func chargeExchange(of content: [UInt8], on worker: isolated Worker) -> Int? {
        let size = parser.headSize + content.count
        guard size > Self.unchargedRequest else { return 0 }
        guard charge(size, on: worker) else { return nil }
        charged = 0
        return size
    }

    /// Charges an answer ahead that the kernel may not take at once; false where it does not fit.
    ///
    /// Only where the request can be repeated without harm. Where something was changed, a refusal would be a lie: such
    /// an answer is sent as far as the client takes it, and cut off if the rest cannot be kept.
    func reserve(_ content: Tail, framing: ResponseFraming, on worker: isolated Worker) -> Bool {
        guard content.range.count > Self.copiedBody, isSafe, case .length = framing else { return true }
        return charge(keptBytes + content.ownSize, on: worker)
    }

    /// Answers 503: there is no memory for the request at this moment.
    func refuseOverBudget(on worker: isolated Worker) {
        worker.buffers.noteRefusal(of: .request)
        input = []
        refuse(.serviceUnavailable, reason: Self.overBudget, on: worker)
    }

    /// What a client is told whose request or answer cannot be kept.
    static let overBudget =
        "The server keeps as many bytes of unfinished requests and unsent answers as it may; ask again in a while."
}
