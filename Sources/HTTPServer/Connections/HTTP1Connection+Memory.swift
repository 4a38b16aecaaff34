import HTTPWire

// What a connection keeps past a turn is charged to the budget that all connections share:
//
// - of a request that is not complete, what has arrived of its head and content, and what has not been parsed yet;
// - of an answer that the client does not take, all of its bytes, since none is freed before the last is sent;
// - of a stream that lags, the frame that is half sent. Subscribers that are stuck in the same frame share its memory,
//   and it is charged once for all of them.
//
// A request in work is charged to its exchange, which may outlive the connection.

extension HTTP1Connection {
    /// A request up to this size, head and content, is not charged while it is in work.
    static let unchargedRequest = 4096

    /// The bytes that the connection keeps by itself, without frames that other connections keep too.
    private var keptBytes: Int { transport.keptBytes + machine.keptBytes }

    /// Charges what is kept at the end of a turn; a stream or an answer that cannot be kept is cut off.
    ///
    /// The common case, that nothing is kept and nothing was, is the caller's to see.
    func settleMemory(on worker: isolated Worker) {
        guard machine.stage != .closed else { return }
        guard charge.set(transport.stuckFrame, in: worker.buffers), charge.set(keptBytes, in: worker.buffers) else {
            worker.buffers.noteRefusal(of: machine.stage == .streaming ? .stream : .answer)
            return close(on: worker)
        }
    }

    /// Charges what has arrived of a request that is not complete; one that does not fit is answered 503.
    func chargeInput(on worker: isolated Worker) {
        let kept = keptBytes
        guard kept != charge.bytes, machine.stage != .closed, !charge.set(kept, in: worker.buffers) else { return }
        if machine.stage == .receiving, transport.output.part == nil { return refuseOverBudget(on: worker) }
        // What was sent ahead, behind a request that is being answered: the client sends it again elsewhere.
        worker.buffers.noteRefusal(of: .request)
        transport.input = []
        machine.abandonInput()
        _ = charge.set(keptBytes, in: worker.buffers)
    }

    /// Whether a body of this size may begin. The received bytes are charged, not the announced ones.
    func hasRoom(forAnnounced length: Int, on worker: isolated Worker) -> Bool {
        length <= ReadBuffer.size || worker.buffers.hasRoom(for: length)
    }

    /// Hands the charge of a complete request over to its exchange; nil where it does not fit.
    func chargeExchange(of request: HTTP1Machine.ReceivedRequest, on worker: isolated Worker) -> Int? {
        let size = request.headSize + request.content.count
        guard size > Self.unchargedRequest else { return 0 }
        guard charge.set(size, in: worker.buffers) else { return nil }
        charge.handOver()
        return size
    }

    /// Charges an answer ahead that the kernel may not take at once; false where it does not fit.
    ///
    /// Only where the request can be repeated without harm. After a change a refusal would be wrong: the answer is sent
    /// as far as the client takes it, and cut off if the rest cannot be kept.
    func reserve(_ content: OutputQueue.Part, on worker: isolated Worker) -> Bool {
        guard content.range.count > Self.copiedSize, machine.isSafe else { return true }
        // Over TLS a piece of it is kept sealed as well.
        let sealed = transport.tls == nil ? 0 : TLSLayer.keptSize
        return charge.set(keptBytes + content.ownSize + sealed, in: worker.buffers)
    }

    /// Answers 503: there is no memory for the request at this moment.
    func refuseOverBudget(on worker: isolated Worker) {
        worker.buffers.noteRefusal(of: .request)
        transport.input = []
        refuse(.serviceUnavailable, reason: Self.overBudget, on: worker)
    }

    /// The refusal of a request or answer that cannot be kept.
    static let overBudget =
        "The server keeps as many bytes of unfinished requests and unsent answers as it may (server.maxBufferedBytes); "
        + "ask again in a while."
}
