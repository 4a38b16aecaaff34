import HTTPTestSupport

@testable import HTTPWire

/// Small limits, so that the requests that go beyond them can be split everywhere.
let smallLimits = WireLimits(
    maxTarget: 48, maxHead: 160, maxFields: 8, maxBody: 64, maxChunkExtensions: 40, maxTrailers: 60,
    maxLeadingEmptyLines: 2)

extension HostileLimits {
    init(_ limits: WireLimits) {
        self.init(
            target: limits.maxTarget, head: limits.maxHead, fields: limits.maxFields, body: limits.maxBody,
            chunkExtensions: limits.maxChunkExtensions, trailers: limits.maxTrailers,
            leadingEmptyLines: limits.maxLeadingEmptyLines)
    }
}

/// Says how a reader departs from what is expected of it for a hostile request; nil where it does not.
///
/// The request must be refused with its status whether or not anything follows, at every split and byte by byte, with
/// the same outcome each time, and what follows must not be read.
func departure<Reader: RequestReading>(
    _ request: HostileRequest, by reader: Reader.Type = RequestParser.self, limits: WireLimits,
    splits: any Sequence<Int>
) -> String? {
    let alone = Transcript.of(request.bytes, cutAt: [], by: reader, limits: limits)
    if let fault = alone.fault { return fault }
    guard alone.failure?.status.code == request.status else {
        return "whole: \(alone) instead of \(request.status)"
    }
    let stream = request.bytes + HostileRequest.smuggled
    for buffering in Transcript.Buffering.allCases {
        let bytewise = Transcript.of(stream, cutAt: 0..<stream.count, by: reader, limits: limits, buffering)
        if bytewise != alone { return "byte by byte (\(buffering)): \(bytewise) instead of \(alone)" }
    }
    if alone.messages.contains(where: { $0.isComplete }) { return "a hostile request was taken for complete" }
    for split in splits {
        let transcript = Transcript.of(stream, cutAt: [split], by: reader, limits: limits)
        if transcript != alone { return "split at \(split): \(transcript) instead of \(alone)" }
    }
    return nil
}
