internal import CNGHTTP2
package import HTTPTypes
package import HTTPWire

extension HTTP2Machine {
    /// Whether a stream waits for its answer.
    package func isAnswering(_ stream: StreamID) -> Bool {
        place(of: stream).map { streams[$0].state == .answering } ?? false
    }

    /// Whether the owed answer's content is sent, if it has this status: not to HEAD, and not with a 204 or 304.
    package func sendsContent(of status: HTTPResponse.Status, to stream: StreamID) -> Bool {
        guard let place = place(of: stream), streams[place].state == .answering else { return false }
        return !streams[place].isHead && !ResponseWriter.forbidsContent(status)
    }

    /// Answers a request with everything at once. Does nothing where the stream has closed meanwhile.
    ///
    /// - Parameters:
    ///   - content: An array that holds the content; it is not copied before it is sent.
    ///   - range: What of the array is the content.
    package func respond(
        _ stream: StreamID, _ head: ResponseHead, content: [UInt8] = [], range: Range<Int>? = nil, date: HTTPDate
    ) {
        guard let place = claim(stream) else { return }
        let range = (range ?? content.indices).clamped(to: content.indices)
        let forbidsContent = ResponseWriter.forbidsContent(head.status)
        let hasContent = !range.isEmpty && !streams[place].isHead && !forbidsContent
        if hasContent {
            streams[place].part = content
            streams[place].start = range.lowerBound
            streams[place].end = range.upperBound
        }
        // 205 announces that it has no content; 204 and 304 announce nothing.
        let length: Int? = if head.status.code == 205 { 0 } else if forbidsContent { nil } else { range.count }
        submit(place, head, length, date, hasContent: hasContent)
    }

    /// Begins an answer whose content is pulled from `source`; its length is among the head's fields or is not known.
    ///
    /// - Returns: The argument of `wake`; nil if the source will not be asked: for HEAD, for statuses without
    ///   content, and for a closed stream.
    package func startStream(
        _ stream: StreamID, _ head: ResponseHead, date: HTTPDate, from source: any HTTP2Source
    ) -> HTTP2StreamKey? {
        guard let place = claim(stream) else { return nil }
        let forbidsContent = ResponseWriter.forbidsContent(head.status)
        let hasContent = !streams[place].isHead && !forbidsContent
        let length = forbidsContent ? nil : head.fields[.contentLength].flatMap { Int($0) }.map { max($0, 0) }
        if hasContent {
            streams[place].source = source
            streams[place].remaining = length ?? -1
        }
        guard submit(place, head, length, date, hasContent: hasContent), hasContent else { return nil }
        return HTTP2StreamKey(place: Int32(place), id: streams[place].id)
    }

    /// Tells that a source that had nothing has something now. Complexity: O(1), and nothing is sent yet.
    package func wake(_ key: HTTP2StreamKey) {
        let place = Int(key.place)
        guard place < streams.count, streams[place].id == key.id else { return }
        if place == pulledPlace { wasWokenWhilePulled = true }
        streams[place].isDrained = false
        guard streams[place].isPending else { return }
        streams[place].isPending = false
        nghttp2_session_resume_data(session, streams[place].id)
    }

    /// Takes a request's answer on: its place in flight is free. Nil where there is none to give.
    private func claim(_ stream: StreamID) -> Int? {
        guard let place = place(of: stream), streams[place].state == .answering else {
            if closedInFlight.remove(stream.number) != nil { releaseInFlight() }
            return nil
        }
        streams[place].state = .responding
        releaseInFlight()
        return place
    }

    @discardableResult
    private func submit(
        _ place: Int, _ head: ResponseHead, _ length: Int?, _ date: HTTPDate, hasContent: Bool
    ) -> Bool {
        fields.write(head, contentLength: length, date: date)
        let (session, id) = (session, streams[place].id)
        let result = fields.withLines { lines, count in
            guard hasContent else { return nghttp2_submit_response(session, id, lines, count, nil) }
            var provider = cnghttp2_provider(Int32(place), Self.readContent)
            return nghttp2_submit_response(session, id, lines, count, &provider)
        }
        if result == 0 { return true }
        dropSource(place)
        submitReset(id, .internalError)
        return false
    }

    /// Queues the interim responses that are owed (RFC 9110, section 10.1.1), once the driver has seen which requests they
    /// are for: it may refuse them instead.
    func submitContinues() {
        guard owesContinues else { return }
        for stream in continues {
            guard let place = place(of: stream), streams[place].owesContinue else { continue }
            streams[place].owesContinue = false
            fields.write(ResponseHead(status: .continue), contentLength: nil, date: nil)
            let (session, id) = (session, streams[place].id)
            _ = fields.withLines { nghttp2_submit_headers(session, 0, id, nil, $0, $1, nil) }
        }
        continues = []
    }
}
