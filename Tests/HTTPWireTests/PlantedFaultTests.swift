import HTTPTestSupport
import Testing

@testable import HTTPWire

/// Forgets an error and goes on with the next line, as a lenient server would.
private struct ResumingReader: RequestReading {
    private var parser: RequestParser
    init(limits: WireLimits) { parser = RequestParser(limits: limits) }

    mutating func next(in bytes: Span<UInt8>, cursor: inout Int) throws(WireError) -> RequestEvent {
        do throws(WireError) {
            return try parser.next(in: bytes, cursor: &cursor)
        } catch {
            parser = RequestParser(limits: parser.limits)
            return .needMore
        }
    }
}

/// Takes a bare line feed for a line end by looking only at what the real parser would refuse it for.
private struct LineFeedReader: RequestReading {
    private var parser: RequestParser
    private var normal: [UInt8] = []
    private var seen = 0
    private var inner = 0
    init(limits: WireLimits) { parser = RequestParser(limits: limits) }

    mutating func next(in bytes: Span<UInt8>, cursor: inout Int) throws(WireError) -> RequestEvent {
        while seen < bytes.count {
            if bytes[seen] == 0x0a, normal.last != 0x0d { normal.append(0x0d) }
            normal.append(bytes[seen])
            seen += 1
        }
        let text = normal
        return try parser.next(in: text.span, cursor: &inner)
    }
}

/// Looks only at the last line that has arrived whenever the head is not complete yet.
private struct ForgetfulReader: RequestReading {
    private var parser: RequestParser
    init(limits: WireLimits) { parser = RequestParser(limits: limits) }

    mutating func next(in bytes: Span<UInt8>, cursor: inout Int) throws(WireError) -> RequestEvent {
        let event = try parser.next(in: bytes, cursor: &cursor)
        // The mistake: a carriage return at the end of what has arrived is taken for looked at.
        if case .needMore = event, cursor < bytes.count, bytes[bytes.count - 1] == 0x0d { parser.scanned += 1 }
        return event
    }
}

@Suite("Faults planted in a parser")
struct PlantedFaultTests {
    private func caught(by reader: (some RequestReading).Type) -> Int {
        let requests = HostileRequestTests.small
        return requests.count { departure($0, by: reader, limits: smallLimits, splits: [$0.bytes.count]) != nil }
    }

    @Test("the suite finds nothing in the parser itself")
    func nothingInTheParser() {
        #expect(caught(by: RequestParser.self) == 0)
    }

    @Test("the suite catches a parser that goes on after an error")
    func catchesResuming() {
        #expect(caught(by: ResumingReader.self) >= 80)
    }

    @Test("the suite catches a parser that takes a bare line feed for a line end")
    func catchesLineFeed() {
        #expect(caught(by: LineFeedReader.self) >= 5)
    }

    @Test("the splits catch a parser that loses its place at a carriage return")
    func catchesForgetting() throws {
        let request = try #require(ValidRequest.all.first)
        let whole = Transcript.of(request.bytes, cutAt: [], by: ForgetfulReader.self)
        #expect(whole.failure == nil)
        let differing = (0..<request.bytes.count).count { split in
            Transcript.of(request.bytes, cutAt: [split], by: ForgetfulReader.self) != whole
        }
        #expect(differing > 0)
    }
}
