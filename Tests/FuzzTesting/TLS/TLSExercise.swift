import Foundation
import TLSEngine

/// A TLS session with a client whose bytes an input changes, and what is claimed of it.
final class TLSExercise {
    /// Two servers for `localhost`: one for every client, and one for clients with a certificate of an authority alone.
    private static let contexts: [TLSContext] = {
        let now = Int(Date().timeIntervalSince1970)
        let validity = now - 3600...now + 86_400
        guard let maker = try? CertificateMaker(authority: "Fuzz", validity: validity),
            let names = TLSName(host: "localhost"),
            let certificate = try? maker.issue(names: [names], validity: validity),
            let authority = try? maker.authority
        else { return [] }
        let clients = TLSConfiguration.ClientAuthority(certificates: authority.chain, mode: .required)
        return [nil, clients].compactMap {
            try? TLSContext(
                TLSConfiguration(
                    certificates: [certificate], applicationProtocols: ["h2", "http/1.1"], clientAuthority: $0))
        }
    }()

    private let report: FuzzReport
    private var session: TLSSession
    private var input: InputReader
    private let client: TLSFuzzClient?
    private let requiresCertificate: Bool
    private var isChanged = false
    private var failure: TLSError?
    /// What the client has sealed.
    private var written: [UInt8] = []
    private var received: [UInt8] = []
    private var receivedCiphertext = 0
    private var sentCiphertext = 0
    /// What the session has sent and the client has not got yet.
    private var forClient: [UInt8] = []

    /// Runs an input: its first byte says whether there is a client, and which.
    static func run(_ bytes: [UInt8], _ report: FuzzReport) {
        var input = InputReader(bytes)
        let shape = input.byte()
        report.expect(contexts.count == 2, "there are no certificates")
        guard contexts.count == 2, let session = try? TLSSession(context: contexts[Int(shape >> 1 & 1)]) else { return }
        var client: TLSFuzzClient?
        if shape & 1 == 0 {
            let protocols: [[UInt8]] = [[], Array("\u{2}h2".utf8), Array("\u{8}http/1.1".utf8), Array("\u{1}x".utf8)]
            client = TLSFuzzClient(isTLS12: shape & 4 != 0, protocols: protocols[Int(shape >> 3 & 3)])
        }
        let exercise = TLSExercise(
            session, input, client, requiresCertificate: shape & 2 != 0, report)
        exercise.run()
    }

    private init(
        _ session: consuming TLSSession, _ input: InputReader, _ client: TLSFuzzClient?, requiresCertificate: Bool,
        _ report: FuzzReport
    ) {
        self.session = session
        self.input = input
        self.client = client
        self.requiresCertificate = requiresCertificate
        self.report = report
    }

    private func run() {
        if client != nil { converse() } else { receiveRaw() }
        session.receiveEnd()
        send(0)
        let state = session.state
        if failure == nil { report.expect(state == .truncated || state == .peerClosed, "it ends in \(state)") }
        receive([22, 3, 1, 0, 0])
        report.expect(state == session.state, "\(session.state) follows the end")
    }

    /// Bytes that are no client's.
    private func receiveRaw() {
        while !input.isAtEnd { receive(input.take(1 + input.below(128))) }
        report.expect(received.isEmpty && !session.canSend, "a session opens without a client")
    }

    /// A handshake and what follows, with changes in any of the client's flights.
    private func converse() {
        guard let client else { return }
        var rounds = 0
        while rounds < 12 {
            rounds += 1
            let answer = forClient
            forClient = []
            let flight = client.step(answer)
            if flight.isEmpty, answer.isEmpty { break }
            pass(flight)
        }
        report.expect(rounds < 12, "the handshake goes on for ever")
        if !isChanged, !requiresCertificate { checkOpen() }
        rounds = 0
        while !input.isAtEnd, rounds < 24 {
            rounds += 1
            exchange(client)
        }
    }

    /// One of the things that happen on an open connection.
    private func exchange(_ client: TLSFuzzClient) {
        switch input.below(8) {
        case 0, 1:
            let bytes = [UInt8](repeating: input.byte(), count: input.number() >> 3)
            let sealed = client.write(bytes)
            if !sealed.isEmpty { written += bytes }
            pass(sealed)
        case 2: for _ in 0..<input.below(48) { pass(client.send(keyUpdate: true)) }
        case 3: pass(client.send(keyUpdate: false))
        case 4: send(input.number())
        case 5: session.close(to: &forClient)
        case 6: pass(input.take(input.below(64)), isClients: false)
        default:
            let answer = forClient
            forClient = []
            pass(client.step(answer))
        }
    }

    /// Gives a flight of the client's to the session, changed as the input says and in pieces.
    private func pass(_ flight: [UInt8], isClients: Bool = true) {
        if flight.isEmpty { return }
        var outcome = TLSRecordChanges.Outcome(bytes: flight, isChanged: true)
        if isClients { outcome = TLSRecordChanges.apply(to: flight, &input, report) }
        isChanged = isChanged || outcome.isChanged
        let length = input.below(4) == 3 ? 1 + input.below(32) : outcome.bytes.count
        var rest = outcome.bytes[...]
        while !rest.isEmpty {
            receive(Array(rest.prefix(max(1, length))))
            rest = rest.dropFirst(max(1, length))
        }
    }
}

// MARK: Claims

extension TLSExercise {
    private func receive(_ bytes: [UInt8]) {
        let (before, output) = (received.count, forClient.count)
        receivedCiphertext += bytes.count
        do throws(TLSError) {
            try session.receive(bytes.span.bytes, to: &received, output: &forClient)
            report.expect(failure == nil, "a failed session takes bytes")
        } catch {
            report.note(31, error.description)
            report.expect(failure == nil || failure == error, "\(error) follows another failure")
            failure = error
            report.expect(session.state == .failed(error), "the state is \(session.state) after \(error)")
            report.expect(!session.canSend, "a failed session can send")
            if case .library(let reason) = error {
                report.expect(false, "the peer's bytes make the library fail: \(reason)")
            }
        }
        report.note(32, "\(session.state)")
        report.expect(
            received.count - before <= bytes.count + TLSSession.maxRecord, "more plaintext than bytes have come")
        report.expect(
            received.count <= written.count && written[before..<received.count] == received[before...],
            "plaintext that the client did not write")
        sentCiphertext += forClient.count - output
        // A handshake's flight with its tickets, and an answer to each new key.
        report.expect(
            sentCiphertext <= 8192 + receivedCiphertext * 2, "\(sentCiphertext) bytes for \(receivedCiphertext)")
        report.expect(
            TLSRecordChanges.split(Array(forClient[output...])).allSatisfy {
                (20...23).contains($0[0]) && $0.count <= 5 + 16_384 + 256
            },
            "the output is no records")
        if requiresCertificate { report.expect(!session.canSend, "a client without a certificate is served") }
    }

    private func checkOpen() {
        guard let client, client.isOpen else { return }
        report.expect(session.state == .open && session.canSend, "an honest handshake ends in \(session.state)")
        report.expect(session.version != nil && session.cipher != nil, "nothing is known of an open session")
    }

    private func send(_ count: Int) {
        let canSend = session.canSend
        let before = forClient.count
        let bytes = [UInt8](repeating: 7, count: count)
        do throws(TLSError) {
            try session.send(bytes.span.bytes, to: &forClient)
            report.expect(canSend, "a session that cannot send does")
            let records = (count + TLSSession.maxRecord - 1) / TLSSession.maxRecord
            report.expect(forClient.count - before <= count + 64 * (records + 1), "sealing adds too much")
        } catch {
            report.expect(!canSend && error == .notOpen && forClient.count == before, "\(error) while sending")
        }
    }
}
