import HTTP2Engine
import HTTPTypes
import HTTPWire

/// An HTTP/2 machine with a driver and an application whose doings follow from an input, and what is claimed of it.
final class HTTP2Exercise {
    /// How far a stream has come, as its events tell.
    enum Phase {
        /// Content arrives.
        case content
        /// An answer is owed or given.
        case given
        /// The stream is closed.
        case closed
    }

    static let date = HTTPDate(secondsSince1970: 784_887_151)

    let machine: HTTP2Machine
    let report: FuzzReport
    let limits: HTTP2Limits
    let wire: WireLimits
    /// Where the choices come from.
    var input: InputReader
    var client = HTTP2ClientView()
    var checker = HTTP2OutputChecker()
    var now: UInt64 = 1_000_000_000
    /// How many parts sources give before they end, so that every run ends.
    var partsLeft = 300

    var phases: [UInt32: Phase] = [:]
    /// Requests that wait for their answer; each is in flight.
    var owed: [UInt32] = []
    /// Those of them that are whole requests.
    var owedRequests: Set<UInt32> = []
    var sources: [UInt32: HTTP2FuzzSource] = [:]
    var keys: [HTTP2StreamKey] = []
    var madeSources: [() -> HTTP2FuzzSource?] = []
    var failure: HTTP2Failure?

    init?(_ input: InputReader, size: Int, _ report: FuzzReport) {
        let (limits, wire) = Self.limits(size: size)
        guard let machine = try? HTTP2Machine(limits: limits, wire: wire) else { return nil }
        (self.machine, self.report, self.limits, self.wire, self.input) = (machine, report, limits, wire, input)
    }

    /// Small bounds, so that short inputs reach them; smaller ones, and the usual ones.
    private static func limits(size: Int) -> (HTTP2Limits, WireLimits) {
        var limits = HTTP2Limits()
        guard size != 3 else { return (limits, WireLimits()) }
        limits.maxStreams = size == 0 ? 5 : 20
        limits.maxInFlight = size == 0 ? 2 : 6
        limits.maxWaitingBytes = 600
        limits.maxFieldSection = 1000
        limits.maxHeaderBlock = 1500
        limits.maxContinuations = 3
        limits.resets = .init(burst: 6, perSecond: 2)
        limits.provokedResets = .init(burst: size == 0 ? 4 : 40, perSecond: 1)
        limits.idleFrames = .init(burst: size == 0 ? 24 : 200, perSecond: 10)
        limits.maxAcknowledgements = 8
        limits.maxDiscarded = size == 2 ? 0 : 600
        limits.streamWindow = size == 0 ? 1000 : 40_000
        limits.connectionWindow = size == 0 ? 70_000 : 3000
        let wire = WireLimits(maxTarget: 100, maxHead: 1000, maxFields: 12, maxBody: 20_000, maxTrailers: 200)
        return (limits, wire)
    }

    // MARK: Driving

    func receive(_ bytes: [UInt8]) {
        if machine.isOver { return }
        client.sent(bytes)
        machine.receive(bytes.span, now: now)
        handleEvents()
        check()
    }

    func send(limit: Int) {
        var output: [UInt8] = []
        machine.output(into: &output, limit: limit, now: now)
        // Whole frames: the last one may go beyond the limit, and GOAWAY comes behind it.
        report.expect(output.count <= limit + 9 + 16_384 + 2048, "\(output.count) bytes for a limit of \(limit)")
        checker.check(output, client, report)
        handleEvents()
        check()
    }

    /// Sends until nothing is left; a driver that goes on as `wantsToSend` says must come to an end.
    func drain() {
        var rounds = 0
        while machine.wantsToSend, rounds < 2000 {
            rounds += 1
            send(limit: 1 << 16)
        }
        report.expect(rounds < 2000, "the machine always wants to send")
    }

    func handleEvents() {
        while let event = machine.nextEvent() { handle(event) }
    }

    // MARK: Claims

    /// What holds between two calls, when every event was taken.
    func check() {
        let kept = machine.keptBytes
        report.expect(kept >= 0, "\(kept) bytes are kept")
        report.expect(!machine.isIdle || kept == 0, "an idle connection keeps \(kept) bytes")
        let most = limits.maxWaitingBytes + limits.maxStreams * (limits.maxFieldSection + wire.maxBody)
        report.expect(kept <= most, "\(kept) bytes are kept, more than the limits allow")
        report.expect((0...limits.maxStreams).contains(machine.openStreams), "\(machine.openStreams) streams are open")
        report.expect(
            machine.requestsInFlight == owed.count, "\(machine.requestsInFlight) in flight, \(owed.count) owed")
        report.expect(owedRequests.count <= limits.maxInFlight, "\(owedRequests.count) requests at once")
        for stream in owed {
            report.expect(
                machine.isAnswering(StreamID(stream)) == (phases[stream] != .closed),
                "stream \(stream) is owed an answer")
        }
    }

    /// Ends the connection, first as a driver does and then at once; nothing may be left.
    func finish() {
        for stream in owed { answer(stream, input.below(3)) }
        wakeAll()
        handleEvents()
        drain()
        if input.flag() {
            machine.finishShutdown()
            drain()
        }
        machine.close()
        handleEvents()
        for stream in owed { answer(stream, input.below(3)) }
        check()
        report.expect(
            machine.openStreams == 0 && machine.requestsInFlight == 0 && machine.keptBytes == 0,
            "a closed connection has \(machine.openStreams) streams, \(machine.requestsInFlight) requests, \(machine.keptBytes) bytes"
        )
        report.expect(machine.isOver && !machine.wantsToSend, "a closed connection is not over")
        report.expect(!phases.values.contains { $0 != .closed }, "a stream was never reported closed")
        report.expect(sources.isEmpty && madeSources.allSatisfy { $0() == nil }, "a source is held after the end")
    }
}
