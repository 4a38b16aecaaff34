import HTTPTypes

@testable import HTTPWire

/// A connection without a socket: it feeds a machine, and answers as the test says.
final class MachineConnection {
    /// What the machine had to say of what arrived.
    enum Event: Equatable {
        case request(UInt32, String, String)
        case refused(UInt32, Int)
    }

    /// How a request is answered once it is complete.
    enum Policy {
        /// Not before the test does it.
        case later
        /// By turns as a whole, with an announced length, and with a stream.
        case atOnce
    }

    /// A mistake that the driver of a machine makes.
    enum Fault: CaseIterable {
        /// The byte behind what was used up is lost where more bytes are needed.
        case losesByte
        /// What was used up is given again where content goes on.
        case repeatsBytes
        /// A request that is refused is answered, and the next one is read all the same.
        case forgetsRefusal
    }

    private static let date = HTTPDate(secondsSince1970: 784_887_151)

    var machine = HTTP1Machine()
    private let policy: Policy
    private let fault: Fault?
    private let readers: RequestReaders
    /// What has arrived and was not used up.
    private(set) var input: [UInt8] = []
    /// What the machine sent, without interim responses.
    var output: [UInt8] = []
    /// The interim responses.
    private(set) var interim: [UInt8] = []
    private(set) var events: [Event] = []
    /// The deadlines that were armed, in order.
    private(set) var armed: [DeadlineKind] = []
    private var answered = 0

    init(
        _ policy: Policy = .later, limits: WireLimits = WireLimits(), readers: RequestReaders? = nil,
        fault: Fault? = nil
    ) {
        self.readers = readers ?? RequestReaders(limits: limits)
        self.policy = policy
        self.fault = fault
    }

    var text: String { String(decoding: output, as: UTF8.self) }

    func feed(_ text: String) { feed(Array(text.utf8)) }

    /// Takes bytes in, as far as the machine wants any.
    func feed(_ bytes: [UInt8]) {
        input += bytes
        var cursor = 0
        while machine.stage == .receiving {
            let before = cursor
            switch machine.receive(input.span, cursor: &cursor, with: readers, output: &interim) {
            case .needMore(let deadline):
                if let deadline { armed.append(deadline) }
                if fault == .losesByte, cursor < input.count { cursor += 1 }
                if fault == .repeatsBytes, machine.keptBytes > 0, cursor > before { cursor -= 1 }
                input.removeFirst(cursor)
                return
            case .contentBegins, .contentProgressed:
                armed.append(.body)
            case .request(let request):
                let head = request.head
                events.append(
                    .request(
                        request.stream.number, "\(head.method.rawValue) \(head.target)",
                        String(decoding: request.content, as: UTF8.self)))
                if policy == .atOnce { answer() }
            case .refused(let stream, let error):
                events.append(.refused(stream.number, error.status.code))
                if policy == .atOnce { respond(error.status, "no") }
                if fault == .forgetsRefusal { machine = HTTP1Machine() }
            }
        }
        input.removeFirst(cursor)
    }

    private func answer() {
        answered += 1
        switch answered % 3 {
        case 0:
            if stream(length: 4) {
                part("four")
                _ = endStream()
            }
        case 1:
            respond(.ok, "whole")
        default:
            if stream() {
                part("one")
                part("two")
                _ = endStream()
            }
        }
    }

    func respond(_ status: HTTPResponse.Status = .ok, _ content: String = "") {
        let sendsContent = machine.sendsContent(of: status)
        machine.respond(
            ResponseHead(status: status), contentLength: content.utf8.count, date: Self.date, output: &output)
        if sendsContent { output += Array(content.utf8) }
    }

    /// Begins a streamed answer; false where no parts follow.
    func stream(_ status: HTTPResponse.Status = .ok, length: Int? = nil) -> Bool {
        var head = ResponseHead(status: status)
        if let length { head.fields[.contentLength] = "\(length)" }
        return machine.startStream(head, date: Self.date, output: &output)
    }

    /// Sends a part of a stream as the machine says.
    @discardableResult
    func part(_ content: String) -> HTTP1Machine.PartFraming {
        let framing = machine.sendPart(of: content.utf8.count)
        switch framing {
        case .chunk: ResponseWriter.appendChunk(Array(content.utf8), to: &output)
        case .plain: output += Array(content.utf8)
        case .excess: break
        }
        return framing
    }
}
