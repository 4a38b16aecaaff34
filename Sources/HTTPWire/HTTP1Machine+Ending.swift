extension HTTP1Machine {
    // MARK: Requests that are given up

    /// Gives up the request that is being read, or that has just been read: an error is owed, and the connection closes
    /// behind it. Nil where there is none to refuse.
    ///
    /// Further bytes of the client are discarded while the connection drains before it closes.
    package mutating func refuse() -> StreamID? {
        let writer: ResponseWriter
        switch state {
        case .awaitingHead, .idle, .content:
            newestStream = newestStream.next
            writer = ResponseWriter(refusing: reader?.parser.requestMethod)
        case .answering(let answering):
            writer = ResponseWriter(refusing: answering.writer.isHead ? .head : nil)
        case .streaming, .closing, .draining, .closed:
            return nil
        }
        state = .answering(Answering(stream: newestStream, writer: writer, isSafe: false, leavesUnread: true))
        reader = nil
        return newestStream
    }

    /// Takes note that the client sends nothing more; true where the connection is to be closed at once.
    ///
    /// For when everything that was received before has been given to `receive`. Answers that are owed are still sent.
    ///
    /// - Parameter hasOutput: Whether something waits to be sent.
    package mutating func peerFinished(hasOutput: Bool) -> Bool {
        switch state {
        case .awaitingHead, .idle, .content:
            // What is left is no whole request.
            guard hasOutput else { return true }
            state = .closing(leavesUnread: false)
            reader = nil
            return false
        case .draining:
            return true
        case .answering, .streaming, .closing, .closed:
            return false
        }
    }

    /// Takes note that what the client has sent ahead is not read: the connection closes behind the answer that is owed
    /// or on its way.
    package mutating func abandonInput() {
        switch state {
        case .awaitingHead, .idle, .content, .closing:
            state = .closing(leavesUnread: true)
            reader = nil
        case .answering(var answering):
            answering.writer.keepAlive = false
            answering.leavesUnread = true
            state = .answering(answering)
        case .streaming(var streaming):
            streaming.writer.keepAlive = false
            streaming.leavesUnread = true
            state = .streaming(streaming)
        case .draining, .closed:
            break
        }
    }

    /// Counts bytes that arrived during a stream or after the last answer and are thrown away.
    ///
    /// - Returns: Whether a stream's are within `limit`; beyond it the connection is to be closed.
    package mutating func discard(_ count: Int, limit: Int) -> Bool {
        guard case .streaming(var streaming) = state else { return true }
        streaming.ignored += count
        state = .streaming(streaming)
        return streaming.ignored <= limit
    }
    // MARK: Deadlines and the end

    /// The change of the running deadline.
    package enum DeadlineChange: Sendable, Hashable {
        /// Another one runs from now on.
        case arm(DeadlineKind)
        /// None runs.
        case disarm
        /// It goes on.
        case keep
    }

    /// The change of the deadline now that all output is sent.
    package var deadlineWhenDrained: DeadlineChange {
        switch state {
        case .idle: .arm(.keepAlive)
        case .answering, .streaming, .closing: .disarm
        case .awaitingHead, .content, .draining, .closed: .keep
        }
    }

    /// The consequence of a passed deadline.
    package enum ExpireAction: Sendable, Hashable {
        /// The request is too slow. `refuse` was done: an answer with status 408 is owed, with this reason.
        case refused(StreamID, reason: String)
        /// The connection is to be closed; `isTimeout` where the client owed something.
        case close(isTimeout: Bool)
        /// Nothing: it was not the client's.
        case nothing
    }

    /// Takes note that the deadline has passed while nothing waits to be sent.
    ///
    /// - Parameter hasUnread: Whether the driver keeps bytes that the machine has not used up.
    package mutating func expire(hasUnread: Bool) -> ExpireAction {
        switch state {
        case .content:
            return refuseSlow("The body of the request came too slowly.")
        case .awaitingHead where !isIdle || hasUnread, .idle where !isIdle || hasUnread:
            return refuseSlow("The head of the request came too slowly.")
        case .awaitingHead:
            return .close(isTimeout: true)
        case .idle, .closing, .draining:
            return .close(isTimeout: false)
        case .answering, .streaming, .closed:
            return .nothing
        }
    }

    private mutating func refuseSlow(_ reason: String) -> ExpireAction {
        guard let stream = refuse() else { return .nothing }
        return .refused(stream, reason: reason)
    }

    /// Takes note that the last answer is with the kernel; for the stage `closing`.
    ///
    /// Closing a socket that holds unread bytes resets the connection, and the answer may be lost with it (RFC 9112,
    /// section 9.6).
    ///
    /// - Parameters:
    ///   - isAllRead: Whether the client's last byte has been received.
    ///   - hasUnread: Whether bytes of the client's may wait somewhere.
    /// - Returns: True where the sending side is to be shut and the connection drains; false where it is to be closed.
    package mutating func lastAnswerSent(isAllRead: Bool, hasUnread: Bool) -> Bool {
        guard case .closing(let leavesUnread) = state, !isAllRead, leavesUnread || hasUnread else { return false }
        state = .draining
        return true
    }

    /// Ends the connection, whatever it was busy with.
    package mutating func close() {
        state = .closed
        reader = nil
    }
}
