internal import CNGHTTP2
package import HTTPWire

extension HTTP2Machine {
    /// Content makes progress in steps of so many bytes, as with HTTP/1.1.
    private static var progressStep: Int { 16 * 1024 }

    /// Reserves memory for content, but not for what many streams announce and never send.
    private func reserve(_ incoming: HTTP2Stream.Incoming, _ first: Int) {
        guard incoming.content.isEmpty, case .length(let length) = incoming.head.bodyFraming else { return }
        incoming.content.reserveCapacity(min(length, 16 * first, 64 * 1024))
    }

    /// A request's fields are complete.
    func headComplete(_ place: Int, endsStream: Bool) {
        let size = reader.size
        streams[place].isRemoteClosed = endsStream
        streams[place].isHead = reader.isHead
        do throws(WireError) {
            let head = try reader.finish(endsStream: endsStream)
            if endsStream { return complete(place, head, [], size) }
            let incoming = HTTP2Stream.Incoming(
                head: head, headSize: size, maxBody: wire.maxBody(head.method, head.target), now: now)
            keptBytes += size
            streams[place].state = .content
            streams[place].incoming = incoming
            switch head.bodyFraming {
            case .none: events.append(.contentBegins(id(place), announced: 0))
            case .length(let length): events.append(.contentBegins(id(place), announced: length))
            case .chunked: events.append(.contentBegins(id(place), announced: nil))
            }
            if head.expectsContinue {
                streams[place].owesContinue = true
                continues.append(id(place))
            }
        } catch {
            refuse(place, error)
        }
    }

    /// Some of a request's content has arrived.
    func receivedContent(_ id: Int32, _ bytes: Span<UInt8>) -> Int32 {
        guard let place = place(of: id) else { return 0 }
        guard streams[place].state == .content, let incoming = streams[place].incoming else {
            discard(bytes.count, place)
            return 0
        }
        // A client that has begun to send does not wait.
        streams[place].owesContinue = false
        let count = incoming.content.count + bytes.count
        guard count <= incoming.maxBody else {
            refuse(place, .tooMuchContent(incoming.maxBody))
            return 0
        }
        keptBytes += bytes.count
        reserve(incoming, bytes.count)
        // SAFETY: the pointer is used within the closure only.
        bytes.withUnsafeBufferPointer { incoming.content.append(contentsOf: $0) }
        incoming.progress += bytes.count
        if incoming.progress >= Self.progressStep {
            incoming.progress = 0
            incoming.progressed = now
            events.append(.contentProgressed(self.id(place), received: incoming.content.count))
        }
        return 0
    }

    /// Counts content that nobody needs any more.
    private func discard(_ count: Int, _ place: Int) {
        let isWithin = streams[place].discarded <= limits.maxDiscarded
        streams[place].discarded += count
        guard isWithin, streams[place].discarded > limits.maxDiscarded else { return }
        submitReset(streams[place].id, streams[place].isLingering ? .noError : .cancel)
        streams[place].isResetByDriver = true
    }

    /// Trailers are read and thrown away.
    func trailersComplete(_ place: Int) {
        if let incoming = streams[place].incoming, incoming.trailersSize > wire.maxTrailers {
            streams[place].isRemoteClosed = true
            let reason = "The trailers are larger than the limit of \(wire.maxTrailers) bytes."
            return refuse(place, WireError(.requestHeaderFieldsTooLarge, reason))
        }
        contentComplete(place)
    }

    /// The client has sent everything.
    func contentComplete(_ place: Int) {
        streams[place].isRemoteClosed = true
        guard streams[place].state == .content, let incoming = streams[place].incoming else { return }
        dropIncoming(place)
        complete(place, incoming.head, incoming.content, incoming.headSize)
    }

    private func complete(_ place: Int, _ head: RequestHead, _ content: [UInt8], _ headSize: Int) {
        let request = HTTP2Request(stream: id(place), head: head, content: content, headSize: headSize)
        guard requestsInFlight >= limits.maxInFlight else { return admit(request, place) }
        let size = headSize + content.count
        guard waitingBytes + size <= limits.maxWaitingBytes else {
            counters.refused += 1
            streams[place].isResetByDriver = true
            submitReset(streams[place].id, .refusedStream)
            return
        }
        counters.waited += 1
        streams[place].state = .waiting
        waitingBytes += size
        keptBytes += size
        waiting.append(request)
    }

    private func admit(_ request: HTTP2Request, _ place: Int) {
        requestsInFlight += 1
        streams[place].state = .answering
        events.append(.request(request))
    }

    /// Takes note that a request was answered, and lets those that wait follow.
    func releaseInFlight() {
        requestsInFlight -= 1
        while requestsInFlight < limits.maxInFlight, nextWaitingIndex < waiting.count {
            let request = waiting[nextWaitingIndex]
            nextWaitingIndex += 1
            let size = request.headSize + request.content.count
            waitingBytes -= size
            keptBytes -= size
            if let place = place(of: request.stream) { admit(request, place) }
        }
        // What is taken is let go of: in steps, so that it costs little for each.
        if nextWaitingIndex * 2 >= waiting.count {
            waiting.removeFirst(nextWaitingIndex)
            nextWaitingIndex = 0
        }
    }

    /// Requests whose content has made no progress for `duration` or longer, by `contentProgressed`'s steps. The driver
    /// calls `refuse` and answers. Complexity: O(streams).
    package func slowRequests(for duration: UInt64, now: UInt64) -> [StreamID] {
        streams.indices.filter { place in
            guard let incoming = streams[place].incoming else { return false }
            return now >= incoming.progressed && now - incoming.progressed >= duration
        }.map(id)
    }

    /// Whether the fields of the newest request have been arriving for `duration` or longer. The client can send nothing
    /// else before they end, so only the connection's end helps.
    package func isHeadSlow(for duration: UInt64, now: UInt64) -> Bool {
        guard let place = place(of: newestStream), streams[place].state == .head else { return false }
        return now >= headBegan && now - headBegan >= duration
    }

    /// The head of a request whose content arrives; nil where that is complete, or nothing is known of the stream.
    package func incomingHead(of stream: StreamID) -> RequestHead? {
        guard let place = place(of: stream), streams[place].state == .content else { return nil }
        return streams[place].incoming?.head
    }

    /// Bounds the content of a request that arrives more tightly.
    ///
    /// - Returns: The error where more is announced, or there already; the driver calls `refuse` then.
    package func limitContent(of stream: StreamID, to limit: Int) -> WireError? {
        guard let place = place(of: stream), let incoming = streams[place].incoming else { return nil }
        incoming.maxBody = min(incoming.maxBody, limit)
        var size = incoming.content.count
        if case .length(let length) = incoming.head.bodyFraming { size = length }
        return size > limit ? .tooMuchContent(limit) : nil
    }

    // MARK: Requests that are given up

    /// Gives up a request whose content arrives: an answer is owed. False where there is none such.
    ///
    /// Content that still comes is thrown away, up to a bound.
    package func refuse(_ stream: StreamID) -> Bool {
        guard let place = place(of: stream), streams[place].state == .content else { return false }
        dropIncoming(place)
        streams[place].owesContinue = false
        streams[place].state = .answering
        requestsInFlight += 1
        return true
    }

    private func refuse(_ place: Int, _ error: WireError) {
        dropIncoming(place)
        streams[place].owesContinue = false
        streams[place].state = .answering
        requestsInFlight += 1
        events.append(.refused(id(place), error))
    }

    private func dropIncoming(_ place: Int) {
        guard let incoming = streams[place].incoming.take() else { return }
        keptBytes -= incoming.headSize + incoming.content.count
    }

    func id(_ place: Int) -> StreamID { StreamID(UInt32(streams[place].id)) }
}
