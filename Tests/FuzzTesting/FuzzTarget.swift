/// Code that is run with the inputs of a fuzzer, and what is claimed of it.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// A client's bytes for the HTTP/2 machine, with an application that answers by the first bytes of the input.
    case http2
    /// A program of frames and answers for the HTTP/2 machine.
    case http2Answers = "http2-answers"
    /// A client's bytes for a TLS session: as they are, or those of a handshake with changes.
    case tls
    /// A client's bytes for the HTTP/1.1 machine, cut in two ways.
    case http1

    /// Runs the code with an input. The report's faults are empty where every claim holds.
    ///
    /// Any bytes are an input. Equal bytes lead to equal reports, but for the random numbers of TLS.
    package func run(_ input: [UInt8]) -> FuzzReport {
        let report = FuzzReport()
        switch self {
        case .http2: HTTP2Exercise.run(bytes: input, report)
        case .http2Answers: HTTP2Exercise.run(program: input, report)
        case .tls: TLSExercise.run(input, report)
        case .http1: HTTP1Exercise.run(input, report)
        }
        return report
    }
}
