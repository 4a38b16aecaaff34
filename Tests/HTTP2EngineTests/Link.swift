import HTTP2Engine
import HTTPTypes
import HTTPWire

/// A machine with a driver that answers as a test says, and without a socket.
final class Link {
    /// How requests are answered.
    enum Policy {
        /// Not before the test does it.
        case later
        /// At once, with method, target and content.
        case echo
        /// With a stream whose source the test feeds.
        case stream
    }

    static let date = HTTPDate(secondsSince1970: 784_887_151)

    let machine: HTTP2Machine
    private let policy: Policy
    var now: UInt64 = 1_000_000_000
    /// What was sent since it was last taken.
    var output: [UInt8] = []
    private(set) var requests: [HTTP2Request] = []
    private(set) var refused: [(stream: StreamID, error: WireError)] = []
    private(set) var closed: [(stream: StreamID, code: HTTP2ErrorCode)] = []
    private(set) var failure: HTTP2Failure?
    private(set) var sources: [UInt32: Source] = [:]
    /// Each event in words.
    private(set) var transcript: [String] = []
    /// Whether requests with content are refused when it begins.
    var refusesContent = false

    init(_ policy: Policy = .later, limits: HTTP2Limits = HTTP2Limits(), wire: WireLimits = WireLimits()) throws {
        machine = try HTTP2Machine(limits: limits, wire: wire)
        self.policy = policy
    }

    /// A link whose client has begun.
    static func begun(
        _ policy: Policy = .later, limits: HTTP2Limits = HTTP2Limits(), wire: WireLimits = WireLimits()
    ) throws -> Link {
        let link = try Link(policy, limits: limits, wire: wire)
        link.feed(clientStart)
        link.output = []
        return link
    }

    func feed(_ frames: Frame...) { feed(frames.flatMap(\.bytes)) }

    func feed(_ bytes: [UInt8]) {
        machine.receive(bytes.span, now: now)
        settle()
    }

    /// Handles events and sends until neither is left.
    func settle(limit: Int = 1 << 20) {
        handleEvents()
        while machine.wantsToSend {
            let before = output.count
            machine.output(into: &output, limit: limit, now: now)
            handleEvents()
            if output.count == before { break }
        }
    }

    func handleEvents() {
        while let event = machine.nextEvent() { handle(event) }
    }

    private func handle(_ event: HTTP2Event) {
        switch event {
        case .contentBegins(let stream, let announced):
            transcript.append("begins \(stream.number) \(announced ?? -1)")
            if refusesContent, machine.refuse(stream) { answer(stream, .serviceUnavailable, "no room") }
        case .contentProgressed:
            break
        case .request(let request):
            let fields = request.head.fields.map { "\($0.name.canonicalName)=\($0.value)" }.joined(separator: "|")
            transcript.append(
                "\(request.head.method) \(request.head.target) \(request.head.authority ?? "-") \(fields) "
                    + String(decoding: request.content, as: UTF8.self))
            requests.append(request)
            answer(request)
        case .refused(let stream, let error):
            transcript.append("refused \(stream.number) \(error.status.code)")
            refused.append((stream, error))
            answer(stream, error.status, error.reason)
        case .closed(let stream, let code):
            transcript.append("closed \(stream.number) \(code)")
            closed.append((stream, code))
            sources[stream.number] = nil
        case .failed(let failure):
            transcript.append("failed")
            self.failure = failure
        }
    }

    private func answer(_ request: HTTP2Request) {
        switch policy {
        case .later: break
        case .echo:
            let text = "\(request.head.method) \(request.head.target) "
            machine.respond(
                request.stream, ResponseHead(status: .ok), content: Array(text.utf8) + request.content, date: Self.date)
        case .stream:
            start(request.stream)
        }
    }

    func answer(_ stream: StreamID, _ status: HTTPResponse.Status, _ text: String) {
        machine.respond(stream, ResponseHead(status: status), content: Array(text.utf8), date: Self.date)
    }

    func start(_ stream: StreamID, fields: HTTPFields = [.contentType: "text/event-stream"]) {
        let source = Source()
        sources[stream.number] = source
        source.machine = machine
        source.key = machine.startStream(
            stream, ResponseHead(status: .ok, fields: fields), date: Self.date, from: source)
    }

    /// Takes what was sent as frames.
    func takeFrames() -> [Frame] {
        defer { output = [] }
        return Frame.parse(output) ?? []
    }
}

/// A source that gives what a test has put in.
final class Source: HTTP2Source {
    weak var machine: HTTP2Machine?
    var key: HTTP2StreamKey?
    private var parts: [HTTP2Part] = []
    private(set) var asked = 0

    func put(_ parts: HTTP2Part...) {
        self.parts.append(contentsOf: parts)
        if let key { machine?.wake(key) }
    }

    func put(_ text: String) { put(.bytes(Array(text.utf8), 0..<text.utf8.count)) }

    func nextPart() -> HTTP2Part {
        asked += 1
        return parts.isEmpty ? .pending : parts.removeFirst()
    }
}
