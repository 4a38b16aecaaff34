/// Reads what the machine sends, and checks it against the client's windows and against the application's answers.
struct HTTP2OutputChecker {
    /// The bytes of content that the application has given, by stream.
    var given: [UInt32: [UInt8]] = [:]
    private var sent: [UInt32: Int] = [:]
    private var answered: Set<UInt32> = []
    private var ended: Set<UInt32> = []
    private var isFirst = true
    /// Whether the newest frame was GOAWAY with an error, behind which nothing may come.
    private(set) var hasFailed = false

    /// Checks the output of one call, which is whole frames.
    mutating func check(_ bytes: [UInt8], _ client: HTTP2ClientView, _ report: FuzzReport) {
        var start = 0
        while start < bytes.count {
            guard bytes.count - start >= 9 else { return report.expect(false, "a frame's header is cut") }
            let length = bytes[start..<start + 3].reduce(0) { $0 << 8 | Int($1) }
            guard bytes.count - start >= 9 + length else { return report.expect(false, "a frame is cut") }
            report.expect(length <= 16_384, "a frame of \(length) bytes")
            report.expect(!hasFailed, "a frame behind GOAWAY")
            let (kind, flags) = (bytes[start + 3], bytes[start + 4])
            let stream = HTTP2ClientView.number(bytes, start + 5)
            let payload = bytes[start + 9..<start + 9 + length]
            report.note(1, Int(kind) << 3 | Int(flags & 5))
            report.expect(isFirst ? kind == 4 : true, "the first frame is of the kind \(kind)")
            isFirst = false
            checkFrame(kind, flags, stream, payload, client, report)
            start += 9 + length
        }
    }

    private mutating func checkFrame(
        _ kind: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: ArraySlice<UInt8>, _ client: HTTP2ClientView,
        _ report: FuzzReport
    ) {
        let isOfStream = stream & 1 == 1 && stream <= client.newestStream
        switch kind {
        case 0, 1, 9:
            report.expect(isOfStream, "kind \(kind) on stream \(stream) of \(client.newestStream)")
            report.expect(!ended.contains(stream), "kind \(kind) on stream \(stream), which has ended")
            if kind == 0 { checkContent(stream, payload, client, report) }
            if kind == 1 { answered.insert(stream) }
            if kind != 9, flags & 1 != 0 {
                ended.insert(stream)
                report.expect(
                    sent[stream, default: 0] == given[stream, default: []].count, "stream \(stream) ends too early")
            }
        case 3:
            report.expect(isOfStream && payload.count == 4, "RST_STREAM on \(stream) of \(client.newestStream)")
            report.note(2, Int(HTTP2ClientView.number(payload, 0)))
            ended.insert(stream)
        case 4: report.expect(stream == 0 && payload.count % 6 == 0, "SETTINGS on \(stream)")
        case 6: report.expect(stream == 0 && flags == 1 && payload.count == 8, "PING on \(stream)")
        case 7:
            report.expect(stream == 0 && payload.count >= 8, "GOAWAY on \(stream)")
            let code = HTTP2ClientView.number(payload, 4)
            report.note(3, Int(code))
            hasFailed = code != 0
        case 8: report.expect((stream == 0 || isOfStream) && payload.count == 4, "WINDOW_UPDATE on \(stream)")
        default: report.expect(false, "a frame of the kind \(kind)")
        }
    }

    /// Content that the client has room for, and that the application gave.
    private mutating func checkContent(
        _ stream: UInt32, _ payload: ArraySlice<UInt8>, _ client: HTTP2ClientView, _ report: FuzzReport
    ) {
        report.expect(answered.contains(stream), "content before the fields of stream \(stream)")
        let before = sent[stream, default: 0]
        let content = given[stream, default: []]
        report.expect(
            before + payload.count <= content.count && content[before...].starts(with: payload),
            "stream \(stream) sends what was not given")
        sent[stream] = before + payload.count
        sent[0, default: 0] += payload.count
        // An empty frame is not subject to flow control (RFC 9113, section 6.9).
        if payload.isEmpty { return }
        for id in [0, stream] {
            report.expect(sent[id, default: 0] <= client.window(of: id), "content beyond the window of \(id)")
        }
    }
}
