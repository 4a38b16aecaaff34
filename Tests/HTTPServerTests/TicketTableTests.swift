import Testing

@testable import HTTPServer

@Suite("Tickets")
struct TicketTableTests {
    @Test("a ticket names what it was given for, and nothing once that is removed or its ticket renewed")
    func tickets() {
        var table = TicketTable<String>()
        var tickets: [UInt64] = []
        for name in ["a", "b", "c"] {
            tickets.append(table.claimTicket())
            table.insert(name, for: tickets[tickets.count - 1])
        }
        #expect(tickets.map { table[$0] } == ["a", "b", "c"] && tickets.allSatisfy { $0 >= 1 << 32 })
        table.remove(tickets[1])
        table.remove(tickets[1])
        #expect(table[tickets[1]] == nil && table.count == 2 && table.all == ["a", "c"])
        let reused = table.claimTicket()
        table.insert("d", for: reused)
        #expect(table[tickets[1]] == nil && table[reused] == "d")
        let renewed = table.renew(tickets[0])
        table.insert("e", for: renewed)
        #expect(table[tickets[0]] == nil && table[renewed] == "e" && table.count == 3)
        table.remove(tickets[0])
        #expect(table[renewed] == "e" && Set(tickets + [reused, renewed]).count == 5)
        #expect(table[0] == nil && table[1 << 32 | 99] == nil)
    }
}
