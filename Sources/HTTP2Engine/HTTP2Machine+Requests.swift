internal import CNGHTTP2
package import HTTPWire

extension HTTP2Machine {
    /// Content makes progress in steps of so many bytes, as with HTTP/1.1.
    private static var progressStep: Int { 16 * 1024 }

    /// A request's fields are complete.
    func headComplete(_ place: Int, endsStream: Bool) {
        let request = fieldBlock.finish(endsStream: endsStream)
        switch request.head {
        case .success(let head) where endsStream:
            complete(place, HTTP2Request(stream: id(place), head: head, content: [], headSize: request.size))
        case .success(let head): contentBegins(place, head, request.size)
        case .failure(let error):
            owe(place, request.isHead, discarded: endsStream ? nil : 0)
            events.append(.refused(id(place), error))
        }
    }

    private func contentBegins(_ place: Int, _ head: RequestHead, _ headSize: Int) {
        let incoming = HTTP2Stream.Incoming(
            head: head, headSize: headSize, maxBody: wire.maxBody(head.method, head.target), now: now)
        incomingBytes += headSize
        streams[place].change(to: .content(incoming))
        let announced: Int? =
            switch head.bodyFraming {
            case .none: 0
            case .length(let length): length
            case .chunked: nil
            }
        events.append(.contentBegins(id(place), announced: announced))
        if incoming.owesContinue { continues.append(id(place)) }
    }

    /// Some of a request's content has arrived.
    func receivedContent(_ id: Int32, _ bytes: Span<UInt8>) -> Int32 {
        guard let place = place(of: id) else { return 0 }
        guard case .content(let incoming) = streams[place].state else {
            discard(bytes.count, place)
            return 0
        }
        // A client that has begun to send does not wait.
        incoming.owesContinue = false
        guard incoming.content.count + bytes.count <= incoming.maxBody else {
            refuse(place, incoming, .tooMuchContent(incoming.maxBody))
            return 0
        }
        incomingBytes += bytes.count
        incoming.content.makeRoom(forContentOf: incoming.head.bodyFraming, adding: bytes.count)
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
        if streams[place].discard(count, limit: limits.maxDiscarded) {
            reset(place, .cancel, owing: streams[place].debt)
        }
    }

    /// Trailers are read and thrown away.
    func trailersComplete(_ place: Int) {
        if case .content(let incoming) = streams[place].state, incoming.trailersSize > wire.maxTrailers {
            let reason = "The trailers are larger than the limit of \(wire.maxTrailers) bytes."
            return refuse(place, incoming, WireError(.requestHeaderFieldsTooLarge, reason), discarded: nil)
        }
        contentComplete(place)
    }

    /// The client has sent everything.
    func contentComplete(_ place: Int) {
        guard case .content(let incoming) = streams[place].state else { return streams[place].finishRequest() }
        incomingBytes -= incoming.size
        complete(
            place,
            HTTP2Request(
                stream: id(place), head: incoming.head, content: incoming.content, headSize: incoming.headSize))
    }

    private func complete(_ place: Int, _ request: HTTP2Request) {
        switch requests.offer(request) {
        case .admitted: admit(request, place)
        case .waits:
            counters.waited += 1
            streams[place].change(to: .waiting)
        case .refused:
            counters.refused += 1
            reset(place, .refusedStream, owing: .none)
        }
    }

    private func admit(_ request: HTTP2Request, _ place: Int) {
        streams[place].change(to: .answering(discarded: nil, isHead: request.head.method == .head))
        events.append(.request(request))
    }

    /// Takes note that a request was answered, and lets those that wait follow.
    func release() {
        requests.release()
        admitWaiting()
    }

    private func admitWaiting() {
        while let request = requests.next() {
            guard let place = place(of: request.stream), case .waiting = streams[place].state else { continue }
            requests.admit()
            admit(request, place)
        }
    }

    /// Takes note that a request is answered or not needed whose stream has closed.
    func releaseClosed(_ stream: StreamID) {
        if requests.release(closed: stream) { admitWaiting() }
    }

    /// Requests whose content has made no progress for `duration` or longer, by `contentProgressed`'s steps. The driver
    /// calls `refuse` and answers. Complexity: O(streams).
    package func slowRequests(for duration: UInt64, now: UInt64) -> [StreamID] {
        streams.places.filter { place in
            guard case .content(let incoming) = streams[place].state else { return false }
            return now >= incoming.progressed && now - incoming.progressed >= duration
        }.map(id)
    }

    /// Whether the fields of the newest request have been arriving for `duration` or longer. The client can send nothing
    /// else before they end, so only the connection's end helps.
    package func isHeadSlow(for duration: UInt64, now: UInt64) -> Bool {
        guard let place = place(of: fieldBlock.newestStream), case .head = streams[place].state else { return false }
        return fieldBlock.isSlow(for: duration, now: now)
    }

    /// The head of a request whose content arrives; nil where that is complete, or nothing is known of the stream.
    package func incomingHead(of stream: StreamID) -> RequestHead? {
        incoming(stream)?.request.head
    }

    /// The request of a stream whose content arrives.
    private func incoming(_ stream: StreamID) -> (place: Int, request: HTTP2Stream.Incoming)? {
        guard let place = place(of: stream), case .content(let incoming) = streams[place].state else { return nil }
        return (place, incoming)
    }

    /// Bounds the content of a request that arrives more tightly.
    ///
    /// - Returns: The error where more is announced, or there already; the driver calls `refuse` then.
    package func limitContent(of stream: StreamID, to limit: Int) -> WireError? {
        guard let (_, incoming) = incoming(stream) else { return nil }
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
        guard let (place, incoming) = incoming(stream) else { return false }
        giveUp(place, incoming, discarded: 0)
        return true
    }

    private func refuse(_ place: Int, _ incoming: HTTP2Stream.Incoming, _ error: WireError, discarded: Int? = 0) {
        giveUp(place, incoming, discarded: discarded)
        events.append(.refused(id(place), error))
    }

    private func giveUp(_ place: Int, _ incoming: HTTP2Stream.Incoming, discarded: Int?) {
        incomingBytes -= incoming.size
        owe(place, incoming.head.method == .head, discarded: discarded)
    }

    private func owe(_ place: Int, _ isHead: Bool, discarded: Int?) {
        requests.admit()
        streams[place].change(to: .answering(discarded: discarded, isHead: isHead))
    }
}
