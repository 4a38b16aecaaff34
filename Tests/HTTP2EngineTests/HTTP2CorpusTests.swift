import FuzzTesting
import Testing

@Suite("HTTP/2 corpus")
struct HTTP2CorpusTests {
    @Test("Whatever a fuzzer has kept leads to no fault", arguments: [FuzzTarget.http2, .http2Answers])
    func replay(target: FuzzTarget) throws {
        let inputs = try FuzzCorpus.inputs(of: target)
        #expect(!inputs.isEmpty)
        for input in inputs {
            let faults = target.run(input.bytes).faults
            #expect(faults.isEmpty, "\(input.name): \(faults)")
        }
    }
}
