import HTTPTypes
import HTTPWire

/// An HTTP/1.1 machine with a driver and an application whose doings follow from an input, and what is claimed of it.
///
/// The same bytes are given twice: cut into pieces as the input says, and all at once. What becomes of them must be the same.
final class HTTP1Exercise {
    private static let date = HTTPDate(secondsSince1970: 784_887_151)
    private static let limits = WireLimits(
        maxTarget: 100, maxHead: 400, maxFields: 8, maxBody: 1000, maxChunkExtensions: 60, maxTrailers: 100,
        maxLeadingEmptyLines: 2)

    private var machine = HTTP1Machine()
    private let readers = RequestReaders(limits: limits)
    private let report: FuzzReport
    private var input: [UInt8] = []
    private var interim: [UInt8] = []
    private var output: [UInt8] = []
    /// What came of the bytes, in words.
    private var transcript: [String] = []
    private var refusesContent = false

    private init(_ report: FuzzReport) {
        self.report = report
    }

    /// Runs an input whose first eight bytes say how it is cut and answered; the rest is the client's.
    static func run(_ bytes: [UInt8], _ report: FuzzReport) {
        var control = InputReader(bytes.prefix(8), repeats: true)
        let (shape, rest) = (control.byte(), bytes.dropFirst(8))
        let whole = HTTP1Exercise(report)
        let pieces = HTTP1Exercise(report)
        whole.refusesContent = shape & 3 == 3
        pieces.refusesContent = shape & 3 == 3
        whole.feed(rest)
        var left = rest
        while !left.isEmpty {
            let piece = left.prefix(1 + control.below(32))
            left = left.dropFirst(piece.count)
            pieces.feed(piece)
        }
        report.expect(
            whole.transcript == pieces.transcript && whole.output == pieces.output,
            "the pieces matter: \(whole.transcript) and \(pieces.transcript)")
        for exercise in [whole, pieces] { exercise.finish(shape) }
    }

    private func feed(_ bytes: ArraySlice<UInt8>) {
        input += bytes
        var cursor = 0
        var steps = 0
        while machine.stage == .receiving {
            let before = cursor
            let action = machine.receive(input.span, cursor: &cursor, with: readers, output: &interim)
            report.expect((before...input.count).contains(cursor), "the cursor goes from \(before) to \(cursor)")
            let kept = machine.keptBytes
            report.expect(
                (0...Self.limits.maxHead + Self.limits.maxTrailers + Self.limits.maxBody).contains(kept),
                "\(kept) bytes are kept")
            steps += 1
            report.expect(steps <= 3 * input.count + 8, "\(steps) steps for \(input.count) bytes")
            if steps > 4 * input.count + 16 || handle(action, unread: input.count - cursor) { break }
        }
        input.removeFirst(min(cursor, input.count))
    }

    /// Takes an action of the machine's; true where more bytes are needed.
    private func handle(_ action: HTTP1Machine.ReceiveAction, unread: Int) -> Bool {
        switch action {
        case .needMore:
            report.note(20)
            report.expect(unread <= Self.limits.maxLine, "\(unread) bytes are left unread")
            return true
        case .contentBegins(let announced):
            report.note(21, announced == nil ? 0 : 1)
            transcript.append("begins \(announced ?? -1)")
            report.expect((announced ?? 1) <= Self.limits.maxBody, "content of \(announced ?? 0) bytes is announced")
            if refusesContent, let stream = machine.refuse() { respond(stream, .serviceUnavailable) }
        case .contentProgressed:
            report.note(22)
        case .request(let request):
            report.note(23, request.head.method.rawValue)
            check(request)
            transcript.append("\(request.head) \(request.content)")
            respond(request.stream, .ok)
        case .refused(let stream, let error):
            report.note(24, error.reason)
            report.expect((400...599).contains(error.status.code), "refused with \(error.status.code)")
            transcript.append("refused \(error.status.code) \(error.reason)")
            respond(stream, error.status)
        }
        return false
    }

    private func check(_ request: HTTP1Machine.ReceivedRequest) {
        let count = request.content.count
        report.expect(count <= Self.limits.maxBody, "\(count) bytes of content")
        switch request.head.bodyFraming {
        case .none: report.expect(count == 0, "\(count) bytes of content that was not announced")
        case .length(let length): report.expect(count == length, "\(count) bytes of content, \(length) announced")
        case .chunked: break
        }
        report.expect(request.headSize <= Self.limits.maxHead, "a head of \(request.headSize) bytes")
        report.expect(request.head.target.utf8.count <= Self.limits.maxTarget, "a target beyond the limit")
        report.expect(request.head.fields.count <= Self.limits.maxFields, "more fields than the limit")
    }

    /// Answers by turns as a whole, with a stream of chunks, and with a stream of an announced length.
    private func respond(_ stream: StreamID, _ status: HTTPResponse.Status) {
        report.expect(machine.isAnswering(stream) && machine.stage == .answering, "no answer is owed")
        var head = ResponseHead(status: status)
        switch stream.number % 3 {
        case 0:
            machine.respond(head, contentLength: 0, date: Self.date, output: &output)
        case 1:
            guard machine.startStream(head, date: Self.date, output: &output) else { break }
            report.expect(machine.isStreaming(stream) && machine.sendPart(of: 4) != .excess, "a part does not fit")
            report.expect(machine.endStream(peerHasFinished: false, output: &output), "the stream does not end")
        default:
            head.fields[.contentLength] = "4"
            guard machine.startStream(head, date: Self.date, output: &output) else { break }
            report.expect(machine.sendPart(of: 5) == .excess, "a part goes beyond the length")
            report.expect(!machine.endStream(peerHasFinished: false, output: &output), "a stream ends too early")
            report.expect(machine.sendPart(of: 4) == .plain, "a part does not fit")
            report.expect(machine.endStream(peerHasFinished: false, output: &output), "the stream does not end")
        }
        report.expect(machine.stage == .receiving || machine.stage == .closing, "the answer is not complete")
    }

    /// Ends the connection by a deadline, by the client's end or at once.
    private func finish(_ shape: UInt8) {
        switch shape >> 2 & 3 {
        case 0:
            if case .refused(let stream, _) = machine.expire(hasUnread: !input.isEmpty) {
                respond(stream, .requestTimeout)
                report.expect(machine.stage == .closing, "a slow request is followed by others")
            }
        case 1: _ = machine.peerFinished(hasOutput: shape & 16 != 0)
        case 2: machine.abandonInput()
        default: break
        }
        if machine.stage == .closing { _ = machine.lastAnswerSent(isAllRead: false, hasUnread: true) }
        machine.close()
        report.expect(
            machine.stage == .closed && machine.keptBytes <= Self.limits.maxHead, "the connection is not over")
    }
}
