import HTTPClient
import Testing

@testable import Webhooks

@Suite("Where webhooks may go")
struct AddressPolicyTests {
    private func refusal(
        of address: String, named name: String? = nil, allowing rules: [String] = []
    ) throws -> AddressRefusal? {
        let policy = AddressPolicy(allowing: try rules.map { try AddressRule($0) })
        let address = try #require(IPAddress(address))
        do throws(AddressRefusal) {
            try policy.check(address, of: name.map { .name($0) } ?? .address(address))
            return nil
        } catch {
            return error
        }
    }

    /// The first and the last address of every entry of IANA's two registries of special-purpose addresses, and what
    /// multicast and the rest of IPv6 have besides.
    @Test(
        "no address of a special range is allowed by itself, its first and its last neither",
        arguments: [
            ("0.0.0.0", "0.255.255.255"), ("10.0.0.0", "10.255.255.255"), ("100.64.0.0", "100.127.255.255"),
            ("127.0.0.0", "127.255.255.255"), ("169.254.0.0", "169.254.255.255"), ("172.16.0.0", "172.31.255.255"),
            ("192.0.0.0", "192.0.0.255"), ("192.0.0.0", "192.0.0.7"), ("192.0.0.8", "192.0.0.10"),
            ("192.0.0.170", "192.0.0.171"), ("192.0.2.0", "192.0.2.255"), ("192.31.196.0", "192.31.196.255"),
            ("192.52.193.0", "192.52.193.255"), ("192.88.99.0", "192.88.99.255"), ("192.168.0.0", "192.168.255.255"),
            ("192.175.48.0", "192.175.48.255"), ("198.18.0.0", "198.19.255.255"), ("198.51.100.0", "198.51.100.255"),
            ("203.0.113.0", "203.0.113.255"), ("224.0.0.0", "239.255.255.255"), ("240.0.0.0", "255.255.255.254"),
            ("255.255.255.255", "255.255.255.255"),
            ("::", "::1"), ("::ffff:0.0.0.0", "::ffff:0.255.255.255"), ("64:ff9b::", "64:ff9b::ff:ffff"),
            ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"), ("100::", "100::ffff:ffff:ffff:ffff"),
            ("100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff"), ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"), ("2001:1::1", "2001:1::3"),
            ("2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"), ("2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff"),
            ("2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2001:30::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"),
            ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"), ("5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("4000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), ("::2", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ])
    func specialRanges(first: String, last: String) throws {
        for address in [first, last] {
            #expect(try refusal(of: address) != nil, "\(address)")
            // A name is no way around it, and neither is a rule for another one.
            #expect(try refusal(of: address, named: "hook.example", allowing: ["other.example"]) != nil, "\(address)")
        }
    }

    @Test(
        "addresses beside the special ranges are ordinary ones",
        arguments: [
            "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
            "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0",
            "192.0.3.0", "192.31.195.255", "192.31.197.0", "192.88.98.255", "192.88.100.0", "192.167.255.255",
            "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0", "203.0.112.255",
            "203.0.114.0", "223.255.255.255", "8.8.8.8", "2000::", "2001:200::", "2001:db7:ffff::", "2001:db9::",
            "2003::", "2606:4700::1111", "2620:4f:7fff::", "2620:4f:8001::", "3ffe::", "3fff:1000::",
            "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
        ])
    func ordinary(address: String) throws {
        #expect(try refusal(of: address) == nil)
        #expect(AddressPolicy.kind(of: try #require(IPAddress(address))) == nil)
    }

    @Test(
        "IPv6 addresses that carry a forbidden IPv4 address are forbidden",
        arguments: [
            "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:0:10.0.0.1", "::ffff:0:127.0.0.1",
            "64:ff9b::a00:1", "64:ff9b::127.0.0.1", "64:ff9b:1::a00:1", "2002:a00:1::", "2002:7f00:1::1", "::7f00:1",
            "::10.0.0.1", "::ffff:0:0", "::ffff:100.64.0.1", "2001:0:a00:1::", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        ])
    func embedded(address: String) throws {
        #expect(try refusal(of: address) != nil)
    }

    @Test(
        "metadata services are known by name, and no wide rule allows them",
        arguments: [
            "169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254",
            "fd20:ce::254", "::ffff:169.254.169.254", "64:ff9b::169.254.169.254",
        ])
    func metadata(address: String) throws {
        let wide = ["0.0.0.0/0", "::/0", "169.254.0.0/16", "100.64.0.0/10", "fc00::/7", "loopback", "meta.example"]
        let refusal = try #require(try refusal(of: address, named: "meta.example", allowing: wide))
        #expect(refusal.kind == "the address of a metadata service")
        #expect(try self.refusal(of: address, allowing: [address]) == nil)
    }

    @Test(
        "a rule allows what it names and nothing beside it",
        arguments: [
            ("loopback", "127.0.0.1", nil, true), ("loopback", "127.8.9.10", nil, true), ("loopback", "::1", nil, true),
            ("loopback", "::ffff:127.0.0.1", nil, true), ("Loopback", "127.0.0.1", "localhost", true),
            ("loopback", "10.0.0.1", nil, false), ("loopback", "0.0.0.0", nil, false), ("loopback", "::", nil, false),
            ("10.1.0.0/16", "10.1.255.255", nil, true), ("10.1.0.0/16", "::ffff:10.1.2.3", nil, true),
            ("10.1.0.0/16", "64:ff9b::10.1.2.3", nil, true), ("10.1.0.0/16", "10.2.0.0", nil, false),
            ("10.1.2.3", "10.1.2.3", "any.example", true), ("10.1.2.3", "10.1.2.4", nil, false),
            ("fd12::/16", "fd12::1", nil, true), ("fd12::/16", "fd13::1", nil, false),
            ("::ffff:0:0/96", "::ffff:10.0.0.1", nil, true), ("::ffff:0:0/96", "10.0.0.1", nil, false),
            ("hooks.internal", "10.0.0.1", "hooks.internal", true),
            ("HOOKS.internal.", "10.0.0.1", "hooks.internal", true),
            ("hooks.internal", "10.0.0.1", "x.hooks.internal", false), ("hooks.internal", "10.0.0.1", nil, false),
            ("*.internal", "10.0.0.1", "hooks.internal", true), ("*.internal", "fd00::1", "a.b.internal", true),
            ("*.internal", "10.0.0.1", "internal", false), ("*.internal", "10.0.0.1", "hooksinternal", false),
            ("*.internal", "10.0.0.1", "hooks.internal.example", false),
            ("my_service", "172.18.0.2", "my_service", true),
        ] as [(String, String, String?, Bool)])
    func rules(rule: String, address: String, name: String?, isAllowed: Bool) throws {
        #expect(try (refusal(of: address, named: name, allowing: [rule]) == nil) == isAllowed)
    }

    @Test(
        "what cannot be a rule is refused, and the error names it",
        arguments: [
            "", "*", "*.", "*.*.example", "a*.example", "10.0.0.1/8", "10.0.0.0/33", "http://example.com",
            "example.com:80", "example.com/path", "ex ample", "[::1]", "0x7f.1", "ä.example", "a..b", "*.10.0.0.1",
            "user@host", ".", "example.com..", "0x",
        ])
    func badRules(text: String) {
        let error = #expect(throws: AddressRuleError.self) { try AddressRule(text) }
        #expect(error?.description.contains("'\(text)'") == true)
    }

    @Test("a refusal says which address it was and what kind of address that is")
    func words() throws {
        #expect(
            try refusal(of: "10.0.0.1")?.description == "10.0.0.1 is a private address (hooks.allow does not name it)")
        #expect(
            try refusal(of: "127.0.0.1", named: "evil.example")?.description
                == "evil.example has the address 127.0.0.1, which is a loopback address (hooks.allow does not name it)")
        #expect(
            try refusal(of: "::ffff:10.0.0.1")?.description
                == "::ffff:a00:1 stands for 10.0.0.1, a private address (hooks.allow does not name it)")
        #expect(
            try refusal(of: "169.254.169.254")?.description
                == "169.254.169.254 is the address of a metadata service (hooks.allow does not name it)")
    }

    @Test("every entry of the table can be read, and says what it is with an article")
    func table() {
        #expect(SpecialRange.all.count == SpecialRange.table.count)
        #expect(SpecialRange.metadata.count == 10)
        #expect(SpecialRange.loopback.count == 2)
        for special in SpecialRange.all {
            #expect(special.kind.hasPrefix("a ") || special.kind.hasPrefix("an ") || special.kind.hasPrefix("the "))
        }
    }
}
