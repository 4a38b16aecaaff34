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

    /// Reads on in the bytes from `cursor` on, and moves the cursor past what was used up.
    ///
    /// For the stage `receiving`; in any other it uses up nothing. Call it until it returns `needMore` or the stage is
    /// another one; the bytes from the cursor on have to be there at the next call. An interim response that is due (RFC
    /// 9110, section 10.1.1) is appended to `output`. Complexity: O(*n*), *n* being the bytes, into however many pieces a
    /// request is cut.
    ///
    /// - Parameter readers: What the connections of one thread read with.
    package mutating func receive(
        _ bytes: Span<UInt8>, cursor: inout Int, with readers: RequestReaders, output: inout [UInt8]
    ) -> ReceiveAction {
        let isInContent: Bool
        switch state {
        case .awaitingHead, .idle: isInContent = false
        case .content: isInContent = true
        case .answering, .streaming, .closing, .draining, .closed: return .needMore(arming: nil)
        }
        let reader = reader.take() ?? readers.take()
        do throws(WireError) {
            let action =
                isInContent
                ? try receiveContent(bytes, &cursor, &output, reader) : try receiveHead(bytes, &cursor, reader)
            if !readers.giveBack(reader) { self.reader = reader }
            return action
        } catch {
            self.reader = reader
            _ = refuse()
            return .refused(newestStream, error)
        }
    }

    private mutating func receiveHead(
        _ bytes: Span<UInt8>, _ cursor: inout Int, _ reader: RequestReader
    ) throws(WireError) -> ReceiveAction {
        switch try reader.parser.next(in: bytes, cursor: &cursor) {
        case .head(let head):
            switch head.bodyFraming {
            case .none:
                // Complete with its head: the parser says so without another byte.
                _ = try reader.parser.next(in: bytes, cursor: &cursor)
                return complete(head, [], headSize: reader.parser.headSize)
            case .length(let length): return beginContent(of: head, announced: length, reader)
            case .chunked: return beginContent(of: head, announced: nil, reader)
            }
        case .needMore, .body, .end:
            guard case .idle = state, cursor < bytes.count || !reader.parser.isIdle else {
                return .needMore(arming: nil)
            }
            state = .awaitingHead
            return .needMore(arming: .head)
        }
    }

    private mutating func beginContent(
        of head: RequestHead, announced: Int?, _ reader: RequestReader
    ) -> ReceiveAction {
        reader.incoming = .init(head: head, owesContinue: head.expectsContinue)
        state = .content
        return .contentBegins(announced: announced)
    }

    private mutating func receiveContent(
        _ bytes: Span<UInt8>, _ cursor: inout Int, _ output: inout [UInt8], _ reader: RequestReader
    ) throws(WireError) -> ReceiveAction {
        if reader.incoming?.owesContinue == true {
            reader.incoming?.owesContinue = false
            // A client that has begun to send does not wait.
            if cursor == bytes.count { output.append(contentsOf: ResponseWriter.continueResponse) }
        }
        switch try reader.readContent(bytes, &cursor) {
        case .progressed:
            return .contentProgressed
        case .needMore:
            return .needMore(arming: nil)
        case .complete:
            guard let incoming = reader.incoming.take() else { return .needMore(arming: nil) }
            return complete(incoming.head, incoming.content, headSize: reader.parser.headSize)
        }
    }

    /// Bounds the content of the request that arrives more tightly.
    ///
    /// - Returns: The error where more is announced, or there already; the driver calls `refuse` then.
    package mutating func limitContent(to limit: Int) -> WireError? {
        guard let reader, let incoming = reader.incoming else { return nil }
        reader.parser.limitContent(to: limit)
        var size = incoming.content.count
        if case .length(let length) = incoming.head.bodyFraming { size = length }
        return size > limit ? .tooMuchContent(limit) : nil
    }

    private mutating func complete(_ head: RequestHead, _ content: [UInt8], headSize: Int) -> ReceiveAction {
        newestStream = newestStream.next
        state = .answering(
            Answering(stream: newestStream, writer: ResponseWriter(answering: head), isSafe: head.method.isSafe))
        return .request(ReceivedRequest(stream: newestStream, head: head, content: content, headSize: headSize))
    }
}
