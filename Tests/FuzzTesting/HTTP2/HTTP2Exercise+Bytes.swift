import HTTP2Engine
import HTTPWire

extension HTTP2Exercise {
    /// How many bytes at the beginning of an input say what happens.
    private static var controlCount: Int { 24 }

    /// Runs an input whose first bytes, over and over, say what the application and the driver do; the rest is the client's.
    static func run(bytes: [UInt8], _ report: FuzzReport) {
        let control = bytes.prefix(controlCount)
        let first = Int(control.first ?? 0)
        guard
            let exercise = HTTP2Exercise(InputReader(control.dropFirst(), repeats: true), size: first >> 1 & 3, report)
        else { return }
        var rest = bytes.dropFirst(controlCount)
        if first & 1 == 0 { exercise.receive(HTTP2Preface.bytes) }
        while !rest.isEmpty, !exercise.machine.isOver {
            let length = exercise.input.below(256)
            let piece = rest.prefix(length >= 200 ? rest.count : length + 1)
            rest = rest.dropFirst(piece.count)
            exercise.receive(Array(piece))
            exercise.step()
        }
        exercise.finish()
    }

    /// What happens between two pieces.
    private func step() {
        now += UInt64(input.byte()) * 4_000_000
        switch input.below(12) {
        case 0...4: send(limit: 1 << 16)
        case 5: send(limit: 1 + input.below(40))
        case 6: act()
        case 7: look()
        case 8: wakeAll()
        default: break
        }
    }

    /// What a driver looks for now and then.
    func look() {
        for stream in machine.stalledStreams(for: 100_000_000, now: now) where machine.isStalled(stream) {
            machine.reset(stream, .cancel)
            owed.removeAll { $0 == stream.number }
            owedRequests.remove(stream.number)
        }
        for stream in machine.slowRequests(for: 300_000_000, now: now) { refuse(stream.number) }
        handleEvents()
        check()
    }
}
