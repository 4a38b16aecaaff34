import CNGHTTP2
import Glibc

/// An end that speaks HTTP/1.1 to the test and HTTP/2 to the server, with nghttp2's client in between.
///
/// A request that the test writes becomes a stream as soon as its head is complete; its content is sent as it is written.
/// Answers come in the order of the requests. The window of a stream opens as the test receives what came on it; the
/// connection's never closes, so that one answer does not wait for another. An answer that is cut off, and one that has no
/// length for a client of HTTP/1.0, ends what the test receives, since nothing else can in HTTP/1.1.
///
/// SAFETY: the session is deleted with this object, so that the pointer it calls back with is valid; texts and buffers are
/// used within the calls that give them.
package final class HTTP2ClientEnd: ClientEnd {
    private let bytes: any ClientEnd
    private let scheme: String
    private(set) var session: OpaquePointer?
    private var reader = HTTP1RequestReader()
    /// The streams in the order of their requests; the first is the one whose answer the test receives.
    private var order: [Int32] = []
    private var answers: [Int32: TranslatedAnswer] = [:]
    /// The stream whose content the test is writing.
    private var writing: Int32 = 0
    private var ownFault: String?
    /// The result of a receive that has met the end, and the error's number.
    private var failure: (result: Int, number: Int32)?

    /// Speaks HTTP/2 over `bytes`, from the first send or receive on.
    package init(over bytes: any ClientEnd, scheme: String) {
        self.bytes = bytes
        self.scheme = scheme
        var callbacks: OpaquePointer?
        nghttp2_session_callbacks_new(&callbacks)
        Self.set(callbacks)
        var option: OpaquePointer?
        nghttp2_option_new(&option)
        nghttp2_option_set_no_auto_window_update(option, 1)
        nghttp2_session_client_new2(&session, callbacks, Unmanaged.passUnretained(self).toOpaque(), option)
        nghttp2_session_callbacks_del(callbacks)
        nghttp2_option_del(option)
        nghttp2_submit_settings(session, 0, nil, 0)
    }

    deinit { nghttp2_session_del(session) }

    package var isOpen: Bool { bytes.isOpen }
    package var sentCount: Int { bytes.sentCount }
    package var fault: String? { ownFault ?? bytes.fault }

    // MARK: Sending

    package func send(_ text: [UInt8]) -> Bool {
        do {
            try reader.read(text) { event in
                switch event {
                case .head(let head): try begin(head)
                case .content(let piece): add(piece)
                case .end: endContent()
                }
            }
        } catch {
            ownFault = (error as? HTTP1RequestReader.Fault)?.reason ?? "\(error)"
            return false
        }
        // Content waits for windows, which the server opens as it reads.
        while flush(), answers.values.contains(where: \.hasUnsentContent) {
            guard fill() > 0 else { return false }
        }
        return failure == nil
    }

    package func finishSending() {
        _ = flush()
        bytes.finishSending()
    }

    package func abandonRequest() {
        guard let answer = answers[writing], !answer.isContentComplete else { return }
        answer.isContentComplete = true
        answer.content = []
        reader = HTTP1RequestReader()
        nghttp2_submit_rst_stream(session, 0, writing, NGHTTP2_CANCEL.rawValue)
        _ = flush()
    }

    private func begin(_ head: HTTP1RequestReader.Head) throws {
        let answer = TranslatedAnswer(isHead: head.method == "HEAD", isOld: head.isOld, hasContent: head.hasContent)
        var fields = [
            (":method", Array(head.method.utf8)), (":scheme", Array(scheme.utf8)), (":path", Array(head.target.utf8)),
            (":authority", Array(head.authority.utf8)),
        ]
        fields += head.fields.map { ($0.name, $0.value) }
        var provider = cnghttp2_provider(0, Self.readContent)
        let stream = Self.withLines(fields) { lines, count in
            withUnsafePointer(to: &provider) {
                nghttp2_submit_request(session, nil, lines, count, head.hasContent ? $0 : nil, nil)
            }
        }
        guard stream > 0 else { throw HTTP1RequestReader.Fault(reason: "a request that nghttp2 refuses: \(stream)") }
        answers[stream] = answer
        order.append(stream)
        writing = stream
    }

    private func add(_ piece: ArraySlice<UInt8>) {
        guard let answer = answers[writing] else { return }
        answer.content = answer.content.isEmpty ? piece : answer.content + piece
        resume(answer)
    }

    private func endContent() {
        guard let answer = answers[writing], !answer.isContentComplete else { return }
        answer.isContentComplete = true
        resume(answer)
    }

    private func resume(_ answer: TranslatedAnswer) {
        guard answer.isDeferred else { return }
        answer.isDeferred = false
        nghttp2_session_resume_data(session, writing)
    }

    /// Sends what the session has; false where the server takes no more.
    private func flush() -> Bool {
        var output: [UInt8] = []
        while true {
            var data: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &data)
            guard count > 0 else { break }
            output.append(contentsOf: UnsafeBufferPointer(start: data, count: count))
        }
        return output.isEmpty || bytes.send(output)
    }

    // MARK: Receiving

    package func receive(into chunk: inout [UInt8]) -> Int {
        while true {
            if let stream = order.first, let answer = answers[stream] {
                let count = answer.take(into: &chunk)
                if count > 0 {
                    giveBack(answer.takeConsumed(), of: stream)
                    return count
                }
                if answer.isLast { return 0 }
                if answer.isComplete {
                    forget(stream)
                    continue
                }
            }
            // A server that has closed takes nothing more, and what it has sent before is still to be read.
            _ = flush()
            let count = fill()
            if count > 0 { continue }
            // What came before the end is received before it.
            if let stream = order.first, let answer = answers[stream], !answer.bytes.isEmpty || answer.isComplete {
                continue
            }
            if let failure { errno = failure.number }
            return count
        }
    }

    private func forget(_ stream: Int32) {
        order.removeFirst()
        answers[stream] = nil
    }

    private func giveBack(_ count: Int, of stream: Int32) {
        guard count > 0 else { return }
        nghttp2_session_consume_stream(session, stream, count)
        _ = flush()
    }

    /// Receives once from the server; as ``receive(into:)`` of what is below.
    private func fill() -> Int {
        if let failure { return failure.result }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = bytes.receive(into: &chunk)
        guard count > 0 else {
            // A receive that has waited for too long may be repeated.
            if count == 0 || errno != EAGAIN { failure = (count, errno) }
            return count
        }
        let taken = chunk.withUnsafeBufferPointer { nghttp2_session_mem_recv(session, $0.baseAddress, count) }
        if taken < 0 { note(fault: String(cString: nghttp2_strerror(Int32(taken)))) }
        if ownFault != nil { failure = (0, 0) }
        return ownFault == nil ? count : 0
    }

    // MARK: What the session calls

    /// Takes note of what the session finds wrong with what the server sends.
    func note(fault: String) { ownFault = ownFault ?? fault }

    /// The answer on a stream; nil for one that the test has received already.
    func answer(on stream: Int32) -> TranslatedAnswer? { answers[stream] }
}
