import FuzzTesting
import Testing

@Suite("HTTP/1.1 corpus")
struct HTTP1CorpusTests {
    @Test("Whatever a fuzzer has kept leads to no fault")
    func replay() throws {
        let inputs = try FuzzCorpus.inputs(of: FuzzTarget.http1)
        #expect(!inputs.isEmpty)
        for input in inputs {
            let faults = FuzzTarget.http1.run(input.bytes).faults
            #expect(faults.isEmpty, "\(input.name): \(faults)")
        }
    }
}
