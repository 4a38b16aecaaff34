import HTTPClient
import Testing

@testable import Webhooks

@Suite("Ranges of addresses")
struct AddressRangeTests {
    @Test(
        "a range contains what begins with its bits",
        arguments: [
            ("10.0.0.0/8", ["10.0.0.0", "10.255.255.255"], ["9.255.255.255", "11.0.0.0", "::ffff:10.0.0.1", "a00::"]),
            ("172.16.0.0/12", ["172.16.0.0", "172.31.255.255"], ["172.15.255.255", "172.32.0.0"]),
            ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::"]),
            ("192.0.2.7", ["192.0.2.7"], ["192.0.2.6", "192.0.2.8"]),
            ("::/0", ["::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"], ["0.0.0.0"]),
            ("2001:db8::/32", ["2001:db8::", "2001:db8:ffff::1"], ["2001:db7:ffff::", "2001:db9::"]),
            ("::1/128", ["::1"], ["::", "::2", "1::1"]),
            ("2001:db8:0:1::/64", ["2001:db8:0:1:ffff::"], ["2001:db8:0:2::", "2001:db8::"]),
            ("2001:db8::1:0:0/96", ["2001:db8::1:ffff:ffff"], ["2001:db8::2:0:0"]),
        ])
    func containing(text: String, inside: [String], outside: [String]) throws {
        let range = try #require(AddressRange(text))
        #expect("\(range)" == (text.hasSuffix("/128") ? "::1" : text))
        for address in inside { #expect(range.contains(try #require(IPAddress(address))), "\(address)") }
        for address in outside { #expect(!range.contains(try #require(IPAddress(address))), "\(address)") }
    }

    @Test(
        "what is no range is not read",
        arguments: [
            "", "/", "10.0.0.0/", "/8", "10.0.0.0/33", "::/129", "10.0.0.1/8", "2001:db8::1/64", "10.0.0.0/-1",
            "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.0/0008", "name/8", "10/8",
        ])
    func refusing(text: String) {
        #expect(AddressRange(text) == nil)
    }
}
