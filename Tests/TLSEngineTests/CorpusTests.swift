import FuzzTesting
import Testing

@Suite("Corpus")
struct CorpusTests {
    @Test("Whatever a fuzzer has kept leads to no fault")
    func replay() throws {
        let inputs = try FuzzCorpus.inputs(of: FuzzTarget.tls)
        #expect(!inputs.isEmpty)
        for input in inputs {
            let faults = FuzzTarget.tls.run(input.bytes).faults
            #expect(faults.isEmpty, "\(input.name): \(faults)")
        }
    }
}
