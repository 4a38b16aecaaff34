import HTTPTestSupport
import TestSupport
import Testing

@testable import HTTPWire

@Suite("Random requests")
struct RequestPropertyTests {
    /// Says how a rendering of a request is misunderstood; nil where it is not.
    private func departure(_ request: RandomRequest, seed: UInt64) -> String? {
        var generator = SeededGenerator(seed: seed)
        let stream = request.rendered(&generator) + HostileRequest.smuggled
        let whole = Transcript.of(stream, cutAt: [])
        let expected = request.expected
        var message = whole.messages.first
        // Their effect is in the head; how often and where they stand was drawn by the rendering.
        message?.head.fields.removeAll {
            ["connection", "content-length", "transfer-encoding"].contains($0.name.canonicalName)
        }
        guard whole.failure == nil, whole.fault == nil, message == expected else {
            return "\(whole) from \(String(reflecting: String(decoding: stream, as: UTF8.self)))"
        }
        guard whole.messages.count == (expected.head.keepAlive ? 2 : 1) else { return "what follows: \(whole)" }
        let cuts = (0..<3).map { _ in Int.random(in: 0...stream.count, using: &generator) }.sorted()
        for buffering in Transcript.Buffering.allCases {
            let split = Transcript.of(stream, cutAt: cuts, buffering)
            guard split == whole else { return "split at \(cuts): \(split)" }
        }
        return nil
    }

    private func shrunk(_ request: RandomRequest, seed: UInt64) -> RandomRequest {
        var request = request
        while let simpler = request.simpler.first(where: { departure($0, seed: seed) != nil }) { request = simpler }
        return request
    }

    @Test("any rendering of a request is read back as the request")
    func renderingsAreReadBack() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("random requests: seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10_000 {
            let request = RandomRequest.make(&generator)
            let rendering = generator.next()
            if departure(request, seed: rendering) != nil {
                let small = shrunk(request, seed: rendering)
                Issue.record("seed \(seed): \(small): \(departure(small, seed: rendering) ?? "")")
                return
            }
        }
    }

    @Test("a request with random edits is read or refused, the same whole and in pieces")
    func editsAreSafe() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("edited requests: seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<15_000 {
            let edited = Self.edited(&generator)
            let cuts = (0..<2).map { _ in Int.random(in: 0...edited.count, using: &generator) }.sorted()
            if Self.disagreement(edited, cuts) != nil {
                let small = Self.shrunk(edited) { Self.disagreement($0, Array(0..<$0.count)) != nil }
                Issue.record("seed \(seed), cuts \(cuts): \(String(decoding: small, as: UTF8.self).debugDescription)")
                return
            }
            if Transcript.of(edited, cutAt: [], limits: smallLimits).failure != nil { refused += 1 }
        }
        // Edits that never hit anything would test nothing.
        #expect(refused > 1000)
    }

    private static func disagreement(_ stream: [UInt8], _ cuts: [Int]) -> String? {
        let whole = Transcript.of(stream, cutAt: [], limits: smallLimits)
        if let fault = whole.fault { return fault }
        for buffering in Transcript.Buffering.allCases {
            let split = Transcript.of(stream, cutAt: cuts, limits: smallLimits, buffering)
            if split != whole { return "\(split) instead of \(whole)" }
        }
        let bytewise = Transcript.of(stream, cutAt: 0..<stream.count, limits: smallLimits)
        return bytewise == whole ? nil : "\(bytewise) instead of \(whole)"
    }

    /// A pipeline of two valid requests with a few bytes changed, preferably to ones that mean something.
    private static func edited(_ generator: inout SeededGenerator) -> [UInt8] {
        var stream: [UInt8] = []
        for _ in 0..<2 { stream += ValidRequest.all.randomElement(using: &generator)?.bytes ?? [] }
        let telling = Array("\r\n\0 \t:;,=\"/%0fF?*HTP1.cC-\u{7f}".utf8)
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !stream.isEmpty {
            let index = Int.random(in: 0..<stream.count, using: &generator)
            let byte = telling.randomElement(using: &generator) ?? 0
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: stream[index] = byte
            case 1: stream[index] = .random(in: 0...255, using: &generator)
            case 2: stream.insert(byte, at: index)
            case 3: stream.remove(at: index)
            case 4: stream.insert(contentsOf: stream[index..<min(index + 9, stream.count)], at: index)
            default: stream.removeSubrange(index..<min(index + 5, stream.count))
            }
        }
        return stream
    }

    /// The shortest stream that still fails, by leaving out ever smaller parts.
    private static func shrunk(_ stream: [UInt8], while fails: ([UInt8]) -> Bool) -> [UInt8] {
        var stream = stream
        var size = stream.count / 2
        while size > 0 {
            var index = 0
            while index + size <= stream.count {
                let shorter = Array(stream[..<index] + stream[(index + size)...])
                if fails(shorter) { stream = shorter } else { index += size }
            }
            size /= 2
        }
        return stream
    }
}
