import HTTP2Engine
import HTTPTypes
import HTTPWire

extension HTTP2Exercise {
    /// Takes an event, and checks that it may come now.
    func handle(_ event: HTTP2Event) {
        switch event {
        case .contentBegins(let stream, let announced):
            report.note(5, announced == nil ? 0 : 1)
            report.expect(phases[stream.number] == nil, "content of \(stream.number) begins twice")
            phases[stream.number] = .content
            if input.below(8) == 7 { refuse(stream.number) }
        case .contentProgressed(let stream, let received):
            let phase = phases[stream.number]
            report.expect(phase != nil && phase != .closed, "progress of \(stream.number)")
            report.expect(received <= wire.maxBody, "\(received) bytes of content")
        case .request(let request):
            report.note(6)
            checkRequest(request)
            owedRequests.insert(request.stream.number)
            begin(request.stream.number)
        case .refused(let stream, let error):
            report.note(7, error.status.code)
            report.note(8, error.reason)
            report.expect((400...599).contains(error.status.code), "refused with \(error.status.code)")
            begin(stream.number)
        case .closed(let stream, let code):
            report.note(9, Int(code.rawValue))
            let phase = phases[stream.number]
            report.expect(phase != nil && phase != .closed, "\(stream.number) is closed in vain")
            phases[stream.number] = .closed
            sources.removeValue(forKey: stream.number)?.isClosed = true
        case .failed(let failure):
            report.note(10, "\(failure)")
            report.expect(self.failure == nil, "the connection fails twice")
            self.failure = failure
        }
    }

    private func checkRequest(_ request: HTTP2Request) {
        let count = request.content.count
        report.expect(count <= wire.maxBody, "a request with \(count) bytes of content")
        if case .length(let length) = request.head.bodyFraming {
            report.expect(count == length, "\(count) bytes of content where \(length) were announced")
        }
        report.expect(request.headSize <= limits.maxFieldSection, "a head of \(request.headSize) bytes")
        report.expect(request.head.target.utf8.count <= wire.maxTarget, "a target beyond the limit")
    }

    /// A request is to be answered: now, or when the input says so.
    private func begin(_ stream: UInt32) {
        let phase = phases[stream]
        report.expect(phase == nil || phase == .content, "a second request on \(stream)")
        phases[stream] = .given
        owed.append(stream)
        let choice = input.below(6)
        if choice < 3 { answer(stream, choice) }
    }

    // MARK: What an application does

    /// Answers a request: with content, with a stream or with a reset; of a closed stream it is late and does nothing.
    func answer(_ stream: UInt32, _ kind: Int) {
        owed.removeAll { $0 == stream }
        owedRequests.remove(stream)
        let isLate = phases[stream] == .closed
        report.note(11, kind * 2 + (isLate ? 1 : 0))
        switch kind {
        case 0: respond(stream)
        case 1: startStream(stream)
        default: machine.reset(StreamID(stream), HTTP2ErrorCode(rawValue: UInt32(input.below(14))))
        }
    }

    private func head() -> ResponseHead {
        ResponseHead(status: [.ok, .ok, .noContent, .notModified, .notFound][input.below(5)])
    }

    private func respond(_ stream: UInt32) {
        var head = head()
        if input.flag() { head.fields[.contentType] = " text/plain\r\n" }
        let count = [0, 1, 100, 5000, 20_000, 70_000][input.below(6)]
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ Int(stream)) }
        let range: Range<Int>? = input.flag() ? count / 2..<count + 5 : nil
        let id = StreamID(stream)
        if machine.sendsContent(of: head.status, to: id) {
            checker.given[stream, default: []] += content[(range ?? 0..<count).clamped(to: 0..<count)]
        }
        machine.respond(id, head, content: content, range: range, date: Self.date)
    }

    private func startStream(_ stream: UInt32) {
        var head = head()
        if input.below(4) == 3 { head.fields[.contentLength] = "\(input.number())" }
        let sendsContent = machine.sendsContent(of: head.status, to: StreamID(stream))
        let source = HTTP2FuzzSource(stream: stream, exercise: self)
        madeSources.append { [weak source] in source }
        source.key = machine.startStream(StreamID(stream), head, date: Self.date, from: source)
        report.expect((source.key != nil) == sendsContent || failure != nil, "a source of \(stream) is not used")
        guard let key = source.key else { return }
        keys.append(key)
        sources[stream] = source
    }

    func wakeAll() {
        for key in keys where sources[key.stream.number] != nil { wake(key) }
    }

    /// Refuses a request whose content arrives; the answer is owed then.
    func refuse(_ stream: UInt32) {
        guard machine.refuse(StreamID(stream)) else { return }
        report.note(12)
        report.expect(phases[stream] == .content, "\(stream) is refused in its phase")
        phases[stream] = .given
        owed.append(stream)
        if input.flag() { answer(stream, 0) }
    }

    /// Does one of the things that an application may do at any time, to a stream that it knows or knew.
    func act() {
        let kind = input.below(8)
        let number = input.below(64)
        report.note(13, kind)
        let known = UInt32(number * 2 + 1)
        switch kind {
        case 0, 1: if !owed.isEmpty { answer(owed[number % owed.count], kind) }
        case 2: reset(known)
        case 3: if !keys.isEmpty { wake(keys[number % keys.count]) }
        case 4, 5: for key in keys.suffix(8) { wake(key) }
        case 6: if phases[known] == .content { refuse(known) }
        default: if let stream = owed.last { answer(stream, 2) }
        }
    }

    private func wake(_ key: HTTP2StreamKey) {
        sources[key.stream.number]?.woken()
        machine.wake(key)
    }

    private func reset(_ stream: UInt32) {
        if owed.contains(stream) { return answer(stream, 2) }
        machine.reset(StreamID(stream), .cancel)
    }

    /// What a source may do while it is asked; `receive` and `output` do nothing then.
    func actWhilePulled() {
        guard partsLeft > 0 else { return }
        switch input.below(16) {
        case 13, 14: act()
        case 15:
            var output: [UInt8] = []
            machine.output(into: &output, limit: 1000, now: now)
            machine.receive([0, 0, 0, 9].span, now: now)
            machine.close()
            report.expect(output.isEmpty, "output within a source's turn")
        default: break
        }
    }
}
