import Access
import Testing

@Suite("Stream tickets")
struct TicketTests {
    private let key = TicketKey.random()
    private let ticket = StreamTicket(credential: "cbt_x", directors: ["menu", "ä \"b\""], expiresAt: 1000)

    @Test("a ticket is opened by the key that has sealed it, until its time is over")
    func life() throws {
        let text = key.seal(ticket)
        #expect(text.hasPrefix(TicketKey.prefix))
        #expect(text.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil)
        #expect(try key.open(text, now: 999) == ticket)
        #expect(throws: TicketFault.expired) { try key.open(text, now: 1000) }
        #expect(throws: TicketFault.unknown) { try TicketKey.random().open(text, now: 0) }
        #expect(key.seal(ticket) != text, "a nonce is used once")
        let nobodys = StreamTicket(credential: nil, directors: ["d"], expiresAt: 5)
        #expect(try key.open(key.seal(nobodys), now: 0) == nobodys)
    }

    @Test("a ticket that was changed in any byte, cut or lengthened is not known")
    func changed() throws {
        let text = Array(key.seal(ticket).utf8)
        var tried = 0
        for index in text.indices {
            var other = text
            other[index] = other[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: TicketFault.unknown) { try key.open(String(decoding: other, as: UTF8.self), now: 0) }
            #expect(throws: TicketFault.unknown) {
                try key.open(String(decoding: text[..<index], as: UTF8.self), now: 0)
            }
            tried += 1
        }
        #expect(throws: TicketFault.unknown) { try key.open(String(decoding: text, as: UTF8.self) + "AAAA", now: 0) }
        #expect(tried == text.count)
    }
}

@Suite("What is left of grants")
struct ReadingGrantTests {
    @Test("of several grants, reading the named directors that may be read is left, and no pattern matches more")
    func reading() throws {
        let grants = try Grants([
            Grant([.read, .mutate], on: [DirectorPattern("menu-*")]), Grant([.operate], on: []),
            Grant([.report], on: [.all]),
        ])
        let left = grants.reading(["menu-1", "menu-*", "other"])
        for name in ["menu-1", "menu-*"] { #expect(left.allow(.read, on: name)) }
        #expect(!left.allow(.read, on: "menu-2") && !left.allow(.read, on: "other"))
        for right in Right.allCases where right != .read {
            #expect(!left.allowSomewhere(right) && !left.allow(right, on: "menu-1"))
        }
        #expect(grants.reading(["other"]) == .nothing)
    }
}
