import HTTP2Engine

extension HTTP2Exercise {
    /// Runs an input as a program of frames, of what the application does and of when output is taken.
    static func run(program: [UInt8], _ report: FuzzReport) {
        guard let first = program.first,
            let exercise = HTTP2Exercise(InputReader(program.dropFirst()), size: Int(first & 3), report)
        else { return }
        exercise.receive(HTTP2Preface.bytes + HTTP2FrameProgram.frame(4, 0, 0, []))
        if first & 4 == 0 { exercise.send(limit: 1 << 16) }
        var frames = HTTP2FrameProgram()
        while !exercise.input.isAtEnd, !exercise.machine.isOver { exercise.run(&frames) }
        exercise.finish()
    }

    private func run(_ frames: inout HTTP2FrameProgram) {
        let kind = input.below(32)
        switch kind {
        case 0..<10: receive(frames.frame(kind, &input))
        case 10...13: receive(frames.frame(0, &input))
        case 14: receive(frames.frame(1, &input))
        case 15: cut(frames.frame(input.below(10), &input))
        case 16...19: send(limit: 1 << 16)
        case 20: send(limit: 1 + input.number() >> 2)
        case 21: drain()
        case 22: now += UInt64(input.byte()) * 10_000_000
        case 23, 24: look()
        case 25:
            machine.shutDown()
            check()
        case 26:
            if input.below(4) == 3 { machine.finishShutdown() }
        case 27:
            if input.below(8) == 7 {
                machine.close()
                handleEvents()
                check()
            }
        default:
            act()
            handleEvents()
            check()
        }
    }

    /// Gives a frame in pieces, with output between them.
    private func cut(_ frame: [UInt8]) {
        var rest = frame[...]
        while !rest.isEmpty, !machine.isOver {
            let piece = rest.prefix(1 + input.below(24))
            rest = rest.dropFirst(piece.count)
            receive(Array(piece))
            if input.flag() { send(limit: 100) }
        }
    }
}
