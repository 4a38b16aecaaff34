import Directors
import HTTPWire
import JSONValues
import Testing

@testable import DirectorLife

@Suite("Events that are encoded in pieces")
struct EventEncoderTests {
    private func director() throws -> Director {
        var director = Director(name: "d", epoch: "e", properties: DirectorProperties(defaultsOf: .table))
        try director.register(CellAdapter(model: "M", cell: "C"))
        let elements = try (0..<200).map { ElementDraft(value: try JSONValue(parsing: #"{"id":\#($0)}"#)) }
        try director.perform([.sections(.set([SectionDraft(identifier: "s", elements: elements)]))])
        _ = try director.reload()
        return director
    }

    private func bytes(_ encoder: EventEncoder, id: String?) -> [UInt8] {
        var encoder = encoder
        var bytes: [UInt8] = []
        while !encoder.isComplete { bytes += encoder.next(size: 100) }
        ServerSentEvent.appendEnd(id: id, to: &bytes)
        return bytes
    }

    @Test("a snapshot in pieces is its frame, with and without elements", arguments: [true, false])
    func snapshot(withElements: Bool) throws {
        let director = try director()
        let frame = StreamEvent.snapshot(director, director.published, withElements: withElements)
            .frame(epoch: "e", version: 1)
        let encoder = SnapshotEncoder(director, director.published, includingElements: withElements)
        #expect(bytes(EventEncoder(snapshot: encoder), id: "e-1") == Array(frame.storage[frame.payload]))
        let shared = frame.replacingID(with: "e-1.f-7")
        #expect(bytes(EventEncoder(snapshot: encoder), id: "e-1.f-7") == Array(shared.storage[shared.payload]))
    }

    @Test("a snapshot in pieces that says why a client begins anew is the frame with that member")
    func reset() throws {
        let director = try director()
        let frame = StreamEvent.snapshot(director, director.published, withElements: true)
            .frame(epoch: "e", version: 1).addingMember(Array(#""reset":"gone""#.utf8), id: "e-1")
        let encoder = SnapshotEncoder(director, director.published, includingElements: true, reset: "gone")
        #expect(bytes(EventEncoder(snapshot: encoder), id: "e-1") == Array(frame.storage[frame.payload]))
    }

    @Test("a changeset in pieces is its frame")
    func changeset() throws {
        var director = try director()
        let before = director.published
        let elements = try (0..<50).map { ElementDraft(value: try JSONValue(parsing: #"{"id":\#($0)}"#)) }
        let section = SectionDraft(identifier: "t", elements: elements)
        try director.perform([.elements(of: .section(.first), .remove(.position(7))), .sections(.add([section]))])
        _ = try director.reload()
        let change = director.change(from: before, to: director.published)
        let frame = EventFrame.changeset(change)
        #expect(bytes(EventEncoder(changeset: change), id: "e-2") == Array(frame.storage[frame.payload]))
    }
}
