import Glibc
import TestSupport
import Testing

@testable import HTTPClient

@Suite("IP addresses as text")
struct IPAddressTests {
    @Test(
        "addresses are read",
        arguments: [
            ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("10.0.0.1", "10.0.0.1"), ("::", "::"),
            ("::1", "::1"), ("1::", "1::"), ("2001:DB8::A", "2001:db8::a"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::ffff:10.0.0.1", "::ffff:a00:1"),
            ("64:ff9b::10.0.0.1", "64:ff9b::a00:1"), ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
            ("0:0:0:0:0:0:0:1", "::1"),
        ])
    func reading(text: String, expected: String) {
        #expect(IPAddress(text)?.description == expected)
    }

    @Test(
        "what is no address is not read",
        arguments: [
            "", " ", ".", ":", ":::", "1", "1.2.3", "1.2.3.4.", "1.2.3.4.5", "256.0.0.1", "01.2.3.4", "0x1.2.3.4",
            "1.2.3.-4", "1.2.3.+4", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "::12345", "::g",
            "1:2:3:4:5:6:7:8::",
            "fe80::1%eth0", "[::1]", "::1.2.3", "1.2.3.4::", "::1.2.3.4:5", ":1::2", "1::2:", "::+1", "::1 ",
        ])
    func refusing(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("random addresses are written and read as by the C library")
    func property() throws {
        var generator = SeededGenerator(seed: runSeed)
        for round in 0..<2000 {
            // Groups that are often zero, so that every place of "::" comes up.
            let groups = (0..<8).map { _ in generator.chance(2) ? 0 : UInt64(generator.below(65_536)) }
            let address = IPAddress.v6(
                groups[..<4].reduce(0) { $0 << 16 | $1 }, groups[4...].reduce(0) { $0 << 16 | $1 })
            var bytes = [UInt8](repeating: 0, count: 16)
            try #require(inet_pton(AF_INET6, "\(address)", &bytes) == 1, "seed \(runSeed), round \(round)")
            var text = [CChar](repeating: 0, count: 64)
            try #require(inet_ntop(AF_INET6, bytes, &text, 64) != nil)
            let theirs = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            #expect(IPAddress(theirs) == address, "seed \(runSeed), round \(round): \(theirs)")
            #expect(IPAddress("\(address)") == address, "seed \(runSeed), round \(round)")
        }
    }

    @Test("texts made of an address's characters are read exactly if the C library reads them")
    func randomTexts() {
        var generator = SeededGenerator(seed: runSeed)
        let pieces = [":", "::", ".", "0", "1", "12", "255", "ffff", "abc", "1.2.3.4", "a:b", "00001"]
        var valid = 0
        for round in 0..<5000 {
            let text = (0..<(1 + generator.below(9))).map { _ in pieces[generator.below(pieces.count)] }.joined()
            var bytes = [UInt8](repeating: 0, count: 16)
            let isTheirs = inet_pton(AF_INET6, text, &bytes) == 1 || inet_pton(AF_INET, text, &bytes) == 1
            #expect((IPAddress(text) != nil) == isTheirs, "seed \(runSeed), round \(round): \(text)")
            valid += isTheirs ? 1 : 0
        }
        #expect(valid > 10)
    }

    @Test(
        "numbers are read as inet_aton does",
        arguments: [
            "0x7f.1", "2130706433", "017700000001", "127.1", "127.0.1", "0x7f.0x0.0x0.0x1", "0177.0.0.01", "0", "0x0",
            "4294967295", "1.16777215", "1.2.65535", "0XA.1", "4294967296", "1.16777216", "1.2.65536", "1.2.3.256",
            "256.1", "08", "0x", "1.2.3.4.5", "", "1..2", "a", "0xg", "1.", ".1", "-1", "+1", "99999999999999999999",
        ])
    func spellings(text: String) {
        var form = in_addr()
        let theirs: IPAddress? = inet_aton(text, &form) != 0 ? .v4(UInt32(bigEndian: form.s_addr)) : nil
        #expect(IPAddress(anySpelling: text) == theirs)
    }
}
