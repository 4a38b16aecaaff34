import HTTPTypes

@testable import HTTPWire

/// What the tests ask of a parser; the real one, or one with a fault planted in it.
protocol RequestReading {
    init(limits: WireLimits)
    mutating func next(in bytes: Span<UInt8>, cursor: inout Int) throws(WireError) -> RequestEvent
}

extension RequestParser: RequestReading {}

/// What a parser made of a stream of bytes, in a form in which it does not matter how the stream was cut.
struct Transcript: Equatable, CustomStringConvertible {
    struct Message: Equatable {
        var head: RequestHead
        var body: [UInt8] = []
        var isComplete = false
    }

    /// How the stream is handed over.
    enum Buffering: CaseIterable {
        /// The whole stream stays in the buffer.
        case keepsAll
        /// What was consumed is dropped before more arrives.
        case dropsConsumed
    }

    var messages: [Message] = []
    var failure: WireError?
    /// Set where the parser broke a rule of its own: an event out of order, a range out of bounds, no progress.
    var fault: String?

    /// Reads a stream that arrives in pieces which end at the cuts and at its end.
    static func of<Reader: RequestReading>(
        _ stream: [UInt8], cutAt cuts: some Sequence<Int>, by reader: Reader.Type = RequestParser.self,
        limits: WireLimits = WireLimits(), _ buffering: Buffering = .keepsAll
    ) -> Transcript {
        var parser = Reader(limits: limits)
        var transcript = Transcript()
        var buffer: [UInt8] = []
        var cursor = 0
        var taken = 0
        for cut in Array(cuts) + [stream.count] where cut >= taken {
            if buffering == .dropsConsumed {
                buffer.removeFirst(cursor)
                cursor = 0
            }
            buffer.append(contentsOf: stream[taken..<cut])
            taken = cut
            guard transcript.read(buffer, &cursor, &parser) else { break }
        }
        return transcript
    }

    /// Takes events until the parser wants more; false once it has failed.
    private mutating func read(_ buffer: [UInt8], _ cursor: inout Int, _ parser: inout some RequestReading) -> Bool {
        var steps = 0
        while true {
            steps += 1
            guard steps <= 3 * buffer.count + 10 else {
                fault = "the parser makes no progress"
                return false
            }
            let before = cursor
            do throws(WireError) {
                let event = try parser.next(in: buffer.span, cursor: &cursor)
                guard (before...buffer.count).contains(cursor) else {
                    fault = "the cursor went from \(before) to \(cursor)"
                    return false
                }
                if case .needMore = event { return true }
                take(event, buffer)
            } catch {
                failure = error
                return false
            }
        }
    }

    private mutating func take(_ event: RequestEvent, _ buffer: [UInt8]) {
        let isOpen = messages.last.map { !$0.isComplete } ?? false
        switch event {
        case .needMore:
            return
        case .head(let head):
            if isOpen { fault = "a head inside a message" }
            messages.append(Message(head: head))
        case .body(let range):
            guard isOpen, !range.isEmpty, buffer.indices.contains(range.lowerBound), range.upperBound <= buffer.count
            else {
                fault = "a body out of place: \(range)"
                return
            }
            messages[messages.count - 1].body += buffer[range]
        case .end:
            guard isOpen else {
                fault = "an end outside of a message"
                return
            }
            messages[messages.count - 1].isComplete = true
        }
    }

    var description: String {
        var parts = messages.map { message in
            "\(message.head.method) \(message.head.target) (\(message.head.fields.count) fields, "
                + "\(message.body.count) bytes\(message.isComplete ? "" : ", open"))"
        }
        if let failure { parts.append("failure \(failure)") }
        if let fault { parts.append("FAULT \(fault)") }
        return parts.joined(separator: "; ")
    }
}
