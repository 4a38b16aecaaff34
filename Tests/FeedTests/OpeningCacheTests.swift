import HTTPWire
import Testing

@testable import Feed

@Suite("What streams begin with")
struct OpeningCacheTests {
    private func snapshot(bytes: Int) -> EventFrame {
        let data = Array(#"{"text":"\#(String(repeating: "x", count: bytes))"}"#.utf8)
        return EventFrame(ServerSentEvent(event: "snapshot", data: data, id: "a-1"))
    }

    private func adding(_ reason: String) -> (EventFrame) -> EventFrame {
        { $0.addingMember(Array("\"reset\":\"\(reason)\"".utf8), id: "a-1") }
    }

    @Test("snapshots for twelve made-up ids are one encoding for each form, and copies of it within the bound in bytes")
    func madeUpIDs() {
        var cache = OpeningCache(maxBytes: 10_000)
        var encoded = 0
        let make = {
            encoded += 1
            return snapshot(bytes: 4000)
        }
        for round in 0..<3 {
            for reason in ["a", "b", "c", "d", "e"] {
                for withElements in [true, false] {
                    _ = cache.snapshot(withElements: withElements, reset: reason, make: make, adding: adding(reason))
                    // Two forms always stay, and the newest copy.
                    #expect(cache.bytes <= 3 * 4200, "round \(round)")
                }
            }
        }
        #expect(encoded == 2)
        cache.clear(oldestRetained: 0)
        #expect(cache.bytes == 0 && cache.count == 0)
    }

    @Test("a copy that gave way is shared for as long as a stream sends it, and is let go of then")
    func sharing() {
        var cache = OpeningCache(maxBytes: 0)
        let make = { snapshot(bytes: 4000) }
        var first: EventFrame? = cache.snapshot(withElements: true, reset: "a", make: make, adding: adding("a"))
        _ = cache.snapshot(withElements: true, reset: "b", make: make, adding: adding("b"))
        let again = cache.snapshot(withElements: true, reset: "a", make: make, adding: adding("a"))
        #expect(first === again)
        weak let watched = again
        first = nil
        #expect(watched != nil)
    }

    @Test("a large snapshot leaves room for one changeset only, the newest; small ones are kept up to the bound")
    func catchUps() {
        var cache = OpeningCache(maxBytes: 10_000)
        for version in 0..<200 { _ = cache.catchUp(from: version) { snapshot(bytes: 20) } }
        #expect(cache.count == OpeningCache.maxFrames && cache.bytes <= 10_000)
        _ = cache.snapshot(withElements: true) { snapshot(bytes: 20_000) }
        #expect(cache.count == 2)
        var made = 0
        for _ in 0..<3 {
            _ = cache.catchUp(from: 7) {
                made += 1
                return snapshot(bytes: 20)
            }
        }
        #expect(made == 1 && cache.count == 2)
    }

    @Test("the member that is added stands in the object, and the event and its id are those of the frame")
    func addedMember() {
        let data = Array("{\"a\":\n1}".utf8)
        let frame = EventFrame(ServerSentEvent(event: "snapshot", data: data, id: "a-1"))
        let added = adding("why")(frame)
        let text = String(decoding: added.bytes[added.payload], as: UTF8.self)
        #expect(text == "event: snapshot\ndata: {\"a\":\ndata: 1,\"reset\":\"why\"}\nid: a-1\n\n")
    }
}
