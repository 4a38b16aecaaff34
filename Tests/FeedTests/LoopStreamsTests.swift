import HTTPWire
import Reactor
import Testing

@testable import Feed

@Suite("Events of several directors")
struct LoopStreamsTests {
    @Test("streams in the same place share the event with their id, for a turn of the loop")
    func sharing() async throws {
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        let streams = LoopStreams(loop: loop, heartbeat: .seconds(10))
        let event = EventFrame(ServerSentEvent(event: "changeset", data: Array(#"{"n":1}"#.utf8), id: "a-1"))
        func frame(_ id: String?) async -> EventFrame {
            await withCheckedContinuation { continuation in
                loop.execute { continuation.resume(returning: streams.assumeIsolated { $0.frame(event, id: id) }) }
            }
        }
        let (one, other, third) = await withCheckedContinuation { continuation in
            loop.execute {
                continuation.resume(
                    returning: streams.assumeIsolated {
                        ($0.frame(event, id: "a-1.b-2"), $0.frame(event, id: "a-1.b-2"), $0.frame(event, id: "a-1.b-3"))
                    })
            }
        }
        #expect(one === other && other !== third)
        let later = await frame("a-1.b-3")
        #expect(later !== third)
        for (frame, id) in [(one, "a-1.b-2"), (third, "a-1.b-3"), (later, "a-1.b-3")] {
            let text = String(decoding: frame.storage[frame.payload], as: UTF8.self)
            #expect(text == "event: changeset\ndata: {\"n\":1}\nid: \(id)\n\n")
        }
        await group.stop()
    }
}
