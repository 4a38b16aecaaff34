import Testing

@testable import FuzzTesting

/// The checker that the fuzz targets read the output with finds what it is there for.
@Suite("HTTP/2 output checker")
struct HTTP2CheckerTests {
    /// The frames that a server begins with, for a client that has begun stream 1 with a window of 3 bytes.
    private static let start = Frame(.settings).bytes + Frame(.headers, 4, 1).bytes

    static let faults: [(String, [UInt8])] = [
        ("a header is cut", start + [0, 0]),
        ("a payload is cut", start + Frame(.data, 0, 1, [1, 2]).bytes.dropLast()),
        ("SETTINGS is missing", Frame(.ping, 1, 0, Array(0..<8)).bytes),
        ("a frame is too long", start + Frame(99, 0, 1, [UInt8](repeating: 0, count: 16_385)).bytes),
        ("a stream of nobody's", start + Frame(.headers, 4, 3).bytes),
        ("content before fields", Frame(.settings).bytes + Frame(.data, 0, 1, [1]).bytes),
        ("content beyond the window", start + Frame(.data, 0, 1, [1, 2, 3, 4]).bytes),
        ("content that was not given", start + Frame(.data, 0, 1, [1, 3]).bytes),
        ("an end that is too early", start + Frame(.data, 1, 1, [1, 2, 3]).bytes),
        ("content behind a reset", start + Frame(.reset, 0, 1, Frame.word(8)).bytes + Frame(.data, 0, 1, [1]).bytes),
        (
            "a frame behind GOAWAY",
            start + Frame(.goAway, 0, 0, Frame.word(1) + Frame.word(1)).bytes + Frame(.ping, 1, 0, Array(0..<8)).bytes
        ),
        ("PUSH_PROMISE", start + Frame(.push, 4, 1, [0, 0, 0, 2]).bytes),
        ("PING that asks", start + Frame(.ping, 0, 0, Array(0..<8)).bytes),
    ]

    private func check(_ output: [UInt8]) -> [String] {
        var client = HTTP2ClientView()
        client.sent(clientStart + Frame(.settings, 0, 0, Frame.setting(4, 3)).bytes + Frame.headers(1, Frame.get).bytes)
        var checker = HTTP2OutputChecker()
        checker.given[1] = [1, 2, 3, 4]
        let report = FuzzReport()
        checker.check(output, client, report)
        return report.faults
    }

    @Test("Wrong output is a fault", arguments: faults)
    func wrong(name: String, output: [UInt8]) {
        #expect(!check(output).isEmpty)
    }

    @Test("Right output is none")
    func right() {
        #expect(
            check(Self.start + Frame(.data, 0, 1, [1, 2, 3]).bytes + Frame(.reset, 0, 1, Frame.word(8)).bytes) == [])
    }
}
