internal import HTTPTypes

extension HTTP1Machine {
    /// What received bytes lead to.
    package enum ReceiveAction: Sendable {
        /// More bytes are needed. A deadline is to be armed where one is named, else the one that runs stays.
        case needMore(arming: DeadlineKind?)
        /// A request with content begins, of an announced length or in chunks. The body's deadline is to be armed.
        ///
        /// The driver calls `refuse` instead of going on where the content is not to come, and `limitContent` where less of
        /// it may. The interim response that may be due is appended by the next call of `receive`.
        case contentBegins(announced: Int?)
        /// The content has made progress: the body's deadline is to be armed anew.
        case contentProgressed
        /// A request is complete and waits for its answer.
        case request(ReceivedRequest)
        /// The received bytes are no request that can be served. `refuse` was done: an answer with the error's status
        /// is owed.
        case refused(StreamID, WireError)
    }

    /// A request as a whole.
    package struct ReceivedRequest: Sendable {
        /// The stream that the answer belongs to.
        package let stream: StreamID
        /// Its head.
        package let head: RequestHead
        /// Its content, with any transfer coding taken off.
        package let content: [UInt8]
        /// The bytes of its head.
        package let headSize: Int
    }

    /// Content makes progress in steps of so many bytes: a byte now and then is none.
    private static var progressStep: Int { 16 * 1024 }

    /// Reads on in the bytes from `cursor` on, and moves the cursor past what was used up.
    ///
    /// For the stage `receiving`; in any other it uses up nothing. Call it until it returns `needMore` or the stage is
    /// another one; the bytes from the cursor on have to be there at the next call. An interim response that is due (RFC
    /// 9110, section 10.1.1) is appended to `output`. Complexity: O(*n*), *n* being the bytes, into however many pieces a
    /// request is cut.
    package mutating func receive(
        _ bytes: Span<UInt8>, cursor: inout Int, output: inout [UInt8]
    ) -> ReceiveAction {
        do throws(WireError) {
            switch state {
            case .awaitingHead, .idle: return try receiveHead(bytes, &cursor)
            case .content: return try receiveContent(bytes, &cursor, &output)
            case .answering, .streaming, .closing, .draining, .closed: return .needMore(arming: nil)
            }
        } catch {
            _ = refuse()
            return .refused(newestStream, error)
        }
    }

    private mutating func receiveHead(_ bytes: Span<UInt8>, _ cursor: inout Int) throws(WireError) -> ReceiveAction {
        switch try parser.next(in: bytes, cursor: &cursor) {
        case .head(let head):
            switch head.bodyFraming {
            case .none:
                // Complete with its head: the parser says so without another byte.
                _ = try parser.next(in: bytes, cursor: &cursor)
                return complete(head, [])
            case .length(let length):
                state = .content(Incoming(head: head, owesContinue: head.expectsContinue))
                return .contentBegins(announced: length)
            case .chunked:
                state = .content(Incoming(head: head, owesContinue: head.expectsContinue))
                return .contentBegins(announced: nil)
            }
        case .needMore, .body, .end:
            guard case .idle = state, cursor < bytes.count || !parser.isIdle else { return .needMore(arming: nil) }
            state = .awaitingHead
            return .needMore(arming: .head)
        }
    }

    private mutating func receiveContent(
        _ bytes: Span<UInt8>, _ cursor: inout Int, _ output: inout [UInt8]
    ) throws(WireError) -> ReceiveAction {
        guard case .content(var incoming) = state else { return .needMore(arming: nil) }
        // The content is moved out and back, so that it grows where it lies.
        state = .awaitingHead
        if incoming.owesContinue {
            incoming.owesContinue = false
            // A client that has begun to send does not wait.
            if cursor == bytes.count { output.append(contentsOf: ResponseWriter.continueResponse) }
        }
        while true {
            switch try parser.next(in: bytes, cursor: &cursor) {
            case .body(let range):
                incoming.take(bytes, range)
                guard incoming.progress >= Self.progressStep else { continue }
                incoming.progress = 0
                state = .content(incoming)
                return .contentProgressed
            case .end:
                return complete(incoming.head, incoming.content)
            case .needMore, .head:
                state = .content(incoming)
                return .needMore(arming: nil)
            }
        }
    }

    /// Bounds the content of the request that arrives more tightly.
    ///
    /// - Returns: The error where more is announced, or there already; the driver calls `refuse` then.
    package mutating func limitContent(to limit: Int) -> WireError? {
        guard case .content(let incoming) = state else { return nil }
        parser.limitContent(to: limit)
        var size = incoming.content.count
        if case .length(let length) = incoming.head.bodyFraming { size = length }
        return size > limit ? .tooMuchContent(limit) : nil
    }

    private mutating func complete(_ head: RequestHead, _ content: [UInt8]) -> ReceiveAction {
        newestStream = newestStream.next
        state = .answering(
            Answering(stream: newestStream, writer: ResponseWriter(answering: head), isSafe: head.method.isSafe))
        return .request(
            ReceivedRequest(stream: newestStream, head: head, content: content, headSize: parser.headSize))
    }
}

extension HTTP1Machine.Incoming {
    /// Takes over a part of the content.
    fileprivate mutating func take(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        content.makeRoom(forContentOf: head.bodyFraming, adding: range.count)
        content.append(bytes, range)
        progress += range.count
    }
}
