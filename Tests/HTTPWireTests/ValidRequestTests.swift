import HTTPTestSupport
import HTTPTypes
import Testing

@testable import HTTPWire

@Suite("Valid requests")
struct ValidRequestTests {
    @Test("the table has at least 30 requests")
    func tableIsLarge() {
        #expect(ValidRequest.all.count >= 30)
    }

    @Test("is understood whole, split at every byte and byte by byte", arguments: ValidRequest.all)
    func isUnderstood(_ request: ValidRequest) throws {
        let whole = Transcript.of(request.bytes, cutAt: [], limits: smallLimits)
        #expect(whole.failure == nil && whole.fault == nil && whole.messages.count == 1, "\(whole)")
        let message = try #require(whole.messages.first)
        #expect(request.departure(message) == nil)
        for buffering in Transcript.Buffering.allCases {
            let bytewise = Transcript.of(
                request.bytes, cutAt: 0..<request.bytes.count, limits: smallLimits, buffering)
            #expect(bytewise == whole, "byte by byte")
            for split in 0...request.bytes.count {
                let halves = Transcript.of(request.bytes, cutAt: [split], limits: smallLimits, buffering)
                #expect(halves == whole, "split at \(split)")
            }
        }
    }

    @Test("is not complete before its last byte", arguments: ValidRequest.all)
    func needsAllBytes(_ request: ValidRequest) {
        for count in 0..<request.bytes.count {
            let prefix = Transcript.of(Array(request.bytes[..<count]), cutAt: [], limits: smallLimits)
            #expect(prefix.failure == nil && !prefix.messages.contains { $0.isComplete }, "after \(count) bytes")
        }
    }

    @Test("is understood in a pipeline with every other one", arguments: ValidRequest.all)
    func isUnderstoodInPipeline(_ first: ValidRequest) {
        for second in ValidRequest.all {
            let stream = first.bytes + second.bytes + HostileRequest.smuggled
            let whole = Transcript.of(stream, cutAt: [], limits: smallLimits)
            let expected = !first.keepAlive ? 1 : !second.keepAlive ? 2 : 3
            #expect(whole.failure == nil && whole.messages.count == expected, "before \(second)")
            #expect(whole.messages.first.map(first.departure) == .some(nil))
            if expected > 1 { #expect(second.departure(whole.messages[1]) == nil, "\(second)") }
            let cuts = [first.bytes.count - 1, first.bytes.count, first.bytes.count + 1]
            for cut in cuts {
                #expect(Transcript.of(stream, cutAt: [cut], limits: smallLimits) == whole)
            }
        }
    }

    @Test("a head that arrives byte by byte is looked at once")
    func scansOnce() throws {
        let bytes = Array("GET /a/path HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n".utf8)
        var parser = RequestParser()
        var cursor = 0
        for count in 1..<bytes.count {
            let event = try parser.next(in: bytes.span.extracting(first: count), cursor: &cursor)
            #expect(event == .needMore)
            // Only a carriage return at the end is left for another look, since what follows it decides.
            let unseen = bytes[count - 1] == UInt8(ascii: "\r") ? 1 : 0
            #expect(cursor + parser.scanned == count - unseen)
        }
    }

    @Test("a parser is idle between requests and only there")
    func idleBetweenRequests() throws {
        var parser = RequestParser()
        let bytes = Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi".utf8)
        #expect(parser.isIdle)
        var cursor = 0
        for count in 1..<bytes.count {
            while try parser.next(in: bytes.span.extracting(first: count), cursor: &cursor) != .needMore {}
            #expect(!parser.isIdle, "after \(count) bytes")
        }
        #expect(try parser.next(in: bytes.span, cursor: &cursor) == .body(bytes.count - 1..<bytes.count))
        #expect(parser.requestMethod == .post)
        #expect(try parser.next(in: bytes.span, cursor: &cursor) == .end)
        #expect(parser.isIdle && !parser.isFinished && parser.requestMethod == nil)
    }

    @Test("after a request that closes the connection all bytes are ignored")
    func ignoresAfterClose() throws {
        var parser = RequestParser()
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n\0\0GET".utf8)
        var cursor = 0
        while try parser.next(in: bytes.span, cursor: &cursor) != .end {}
        #expect(parser.isFinished && parser.isIdle)
        #expect(try parser.next(in: bytes.span, cursor: &cursor) == .needMore)
        #expect(cursor == bytes.count)
    }

    @Test("bytes above ASCII that are not UTF-8 are kept in a field's value")
    func opaqueValue() throws {
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8) + [0xe9, 0xff] + Array("\r\n\r\n".utf8)
        let message = try #require(Transcript.of(bytes, cutAt: []).messages.first)
        let field = try #require(message.head.fields.first)
        #expect(field.withUnsafeBytesOfValue { Array($0) } == [0xe9, 0xff])
    }

    @Test("nothing of an address is left over for the next request")
    func authorityIsForgotten() {
        let stream = "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: c\r\n\r\nGET / HTTP/1.0\r\n\r\n"
        let messages = Transcript.of(Array(stream.utf8), cutAt: []).messages
        #expect(messages.map(\.head.authority) == ["b", "c", nil])
    }

    @Test("fields keep their order, and Host is not among them")
    func fieldOrder() throws {
        let bytes = Array("GET / HTTP/1.1\r\nZ: 1\r\nHost: a\r\nB: 2\r\nACCEPT: 3\r\nZ: 4\r\n\r\n".utf8)
        let head = try #require(Transcript.of(bytes, cutAt: []).messages.first?.head)
        #expect(head.fields.map(\.name.rawName) == ["Z", "B", "Accept", "Z"])
        #expect(head.fields.map(\.value) == ["1", "2", "3", "4"])
    }
}
