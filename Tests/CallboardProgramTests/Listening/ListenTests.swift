import CallboardClient
import Directors
import Foundation
import TestSupport
import Testing
import Webhooks

@testable import CallboardProgram

@Suite("Listening", .timeLimit(.minutes(1)))
struct ListenTests {
    private static let secret = HookSecret.random()

    @Test("events are answered as planned and shown in the order in which they came")
    func events() async throws {
        let plan = AnswerPlan(values: ["rowHeight": AnswerTemplate(44)])
        let summary = try await ListenerFixture.run(plan: plan) { fixture async throws in
            #expect(try await fixture.send(Messages.message("didSelect"), id: "msg_1").status == 204)
            let answer = try await fixture.send(Messages.message("rowHeight"), id: "msg_2")
            #expect(answer.status == 200 && answer.body == #"{"value":44}"#)
            #expect(try await fixture.send(Messages.message("canEditRow"), id: "msg_3").body == "{}")
            #expect(try await fixture.send(Messages.message("someoneElses"), id: "msg_1").status == 204)
            let receptions = fixture.receptions
            #expect(receptions.map(\.event.type) == ["didSelect", "rowHeight", "canEditRow", "someoneElses"])
            #expect(receptions.map(\.id) == ["msg_1", "msg_2", "msg_3", "msg_1"])
            #expect(receptions.map(\.attempt) == [1, 1, 1, 2])
            #expect(receptions.allSatisfy { $0.signature == .unchecked && $0.path == "/" })
            #expect(receptions.first?.event.message == Messages.message("didSelect"))
        }
        #expect(summary.description == "4 events: 2 answered 200, 2 answered 204")
    }

    @Test("with secrets, what is not signed by one of them is answered 401 and shown")
    func signatures() async throws {
        let (other, stranger) = (HookSecret.random(), HookSecret.random())
        let message = Messages.message("didSelect")
        let summary = try await ListenerFixture.run(secrets: [Self.secret, other]) { fixture async throws in
            var statuses: [Int] = []
            for secrets in [[Self.secret], [other], [stranger, other], [stranger], []] {
                statuses.append(try await fixture.send(message, signing: secrets).status)
            }
            statuses.append(try await fixture.send(message.utf8).status)
            #expect(statuses == [204, 204, 204, 401, 401, 401])
            // The body is part of what is signed, and nothing of it is read before.
            let now = Int(Date().timeIntervalSince1970)
            let signed = WebhookSignature.fields(id: "a", timestamp: now, body: message.utf8, secrets: [Self.secret])
            let fields = signed.map { (name: $0.name, value: $0.value) }
            #expect(try await fixture.send(Array("{".utf8), fields).status == 401)
            #expect(try await fixture.send(message.utf8, fields + [(name: "webhook-id", value: "b")]).status == 401)
            #expect(fixture.receptions.count == 3 && fixture.receptions.allSatisfy { $0.signature == .verified })
            #expect(fixture.entries.count == 8)
        }
        #expect(summary.description == "3 events: 3 answered 204; 5 requests refused: 5 with 401")
    }

    @Test(
        "a message that is too old or from the future is refused",
        arguments: [(-301, 401), (-299, 204), (299, 204), (301, 401)])
    func timestamps(age: Int, status: Int) async throws {
        let now = Date(timeIntervalSince1970: 1_795_256_671.5)
        try await ListenerFixture.run(secrets: [Self.secret], time: now) { fixture async throws in
            let body = Messages.message("didSelect").utf8
            let fields = WebhookSignature.fields(
                id: "msg_1", timestamp: 1_795_256_671 + age, body: body, secrets: [Self.secret])
            #expect(try await fixture.send(body, fields.map { ($0.name, $0.value) }).status == status)
        }
    }

    @Test(
        "what is no event is answered with a problem, and the listener goes on",
        arguments: [
            ("", 400), ("x", 400), ("{", 400), ("[]", 400), ("null", 400), ("{}", 400), (#"{"type":1,"data":{}}"#, 400),
            (#"{"type":"didSelect"}"#, 400), (#"{"type":"didSelect","data":[]}"#, 400),
            (#"{"type":"a","type":"b","data":{}}"#, 400), ("{\"type\":\"\u{1}\",\"data\":{}}", 400),
            (String(repeating: "[", count: 100_000), 400), (#"{"type":"x","data":{"items":[\#(zeros(10_001))]}}"#, 413),
            (#"{"type":"x","data":{"items":[\#(zeros(10_000))]}}"#, 204), (#"{"type":"","data":{}}"#, 204),
            (#"{"type":"didSelect","data":{"indexPath":"x","section":[],"element":7,"cell":{}},"timestamp":9}"#, 204),
            (#"{"type":"rowHeight","data":{"items":{}}}"#, 200), (#"{"type":"rowHeight","data":{"items":[]}}"#, 200),
        ] as [(String, Int)])
    func hostileBodies(body: String, status: Int) async throws {
        try await ListenerFixture.run { fixture async throws in
            let answer = try await fixture.send(Array(body.utf8))
            #expect(answer.status == status)
            // It is no Callboard server, whose kinds of problems it must not claim.
            if status >= 400 { #expect(answer.body.hasPrefix(#"{"type":"about:blank""#)) }
            #expect(try await fixture.send(Messages.message("didSelect")).status == 204)
            let log = ListenLog(style: .plain)
            for entry in fixture.entries { #expect(!log.lines(for: entry).isEmpty) }
        }
    }

    private static func zeros(_ count: Int) -> String { Array(repeating: "0", count: count).joined(separator: ",") }

    @Test("other methods are refused", arguments: ["GET", "PUT", "DELETE", "BREW"])
    func methods(method: String) async throws {
        let summary = try await ListenerFixture.run { fixture async throws in
            #expect(try await fixture.send([], method: method).status == 405)
        }
        #expect(summary.description == "0 events; 1 request refused: 1 with 405")
    }

    @Test("damaged messages are taken or refused, and never end the listener")
    func damaged() async throws {
        var random = SeededGenerator(seed: SeededGenerator.seedOfRun("damaged messages"))
        let good = Messages.message("rowHeight").utf8
        var bodies: [[UInt8]] = []
        for _ in 0..<200 {
            var body = good
            for _ in 0...random.below(4) {
                let place = random.below(body.count)
                switch random.below(3) {
                case 0: body[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: body.removeSubrange(place..<min(body.count, place + 1 + random.below(9)))
                default: body.insert(contentsOf: good[random.below(good.count)...], at: place)
                }
                if body.isEmpty { body = [0x20] }
            }
            bodies.append(body)
        }
        let plan = AnswerPlan(
            values: ["rowHeight": AnswerTemplate("{/element/value/height}")],
            operations: AnswerTemplate([["op": "removeElement", "section": "{section}", "element": "{element}"]]))
        try await ListenerFixture.run(plan: plan) { fixture async throws in
            for body in bodies {
                let status = try await fixture.send(body).status
                #expect([200, 204, 400].contains(status), "\(String(decoding: body, as: UTF8.self))")
            }
            #expect(fixture.entries.count == bodies.count)
            for entry in fixture.entries {
                for style in [ListenLog.Style.plain, .json] {
                    Self.expectHarmless(ListenLog(style: style).lines(for: entry))
                }
            }
        }
    }

    /// Checks that lines hold nothing that a terminal acts on.
    static func expectHarmless(_ lines: [String]) {
        for line in lines { #expect(TextWidth.printable(line) == line, "\(line.debugDescription)") }
    }

    @Test("as many events as were asked for are taken, and what comes then is to come again")
    func count() async throws {
        let summary = try await ListenerFixture.run(limit: 2) { fixture async throws in
            #expect(try await fixture.send([0x78]).status == 400)
            for _ in 0..<2 { #expect(try await fixture.send(Messages.message("didSelect")).status == 204) }
            for await _ in fixture.listener.receiver.isDone { break }
            #expect(try await fixture.send(Messages.message("didSelect")).status == 503)
            #expect(fixture.receptions.count == 2)
        }
        #expect(summary.description == "2 events: 2 answered 204; 1 request refused: 1 with 400")
    }

    @Test("the first events fail, with a time to try again, and the others do not")
    func failures() async throws {
        let plan = AnswerPlan(events: ["didSelect"], failure: .init(status: 500, count: 2, retryAfter: 3))
        let summary = try await ListenerFixture.run(plan: plan) { fixture async throws in
            var answers: [ListenerFixture.Answer] = []
            for type in ["didSelect", "didDeselect", "didSelect", "didSelect"] {
                answers.append(try await fixture.send(Messages.message(type)))
            }
            #expect(answers.map(\.status) == [500, 204, 500, 204])
            #expect(answers.map(\.retryAfter) == ["3", nil, "3", nil])
        }
        #expect(summary.description == "4 events: 2 answered 204, 2 answered 500")
    }

    @Test("an answer that is held back delays no other, and is not waited for at the end")
    func delay() async throws {
        let plan = AnswerPlan(events: ["rowHeight"], delay: .seconds(60))
        let start = ContinuousClock.now
        let summary = try await ListenerFixture.run(plan: plan) { fixture async throws in
            let held = Task { try await fixture.send(Messages.message("rowHeight")) }
            while fixture.receptions.isEmpty { await Task.yield() }
            #expect(try await fixture.send(Messages.message("didSelect")).status == 204)
            Task { [listener = fixture.listener] in
                _ = await held.result
                _ = listener
            }
        }
        #expect(summary.description == "2 events: 1 answered 204, 1 not answered")
        #expect(start.duration(to: .now) < .seconds(20))
    }

    @Test("a port that is taken is said so")
    func takenPort() async throws {
        try await ListenerFixture.run { fixture async throws in
            let port = try #require(URL(string: fixture.listener.address)?.port.flatMap { UInt16(exactly: $0) })
            let error = await programError {
                try await EventListener.start(host: "127.0.0.1", port: port) { loop in
                    EventReceiver(loop: loop, check: SignatureCheck(secrets: []), plan: AnswerPlan()) { _ in }
                }
            }
            #expect(error?.message.contains("cannot listen on 127.0.0.1:\(port)") == true)
            #expect(error?.advice?.contains("another port") == true)
        }
    }

    @Test("secrets come from the flag, or else from the environment, and none is quoted in an error")
    func secrets() async throws {
        let (first, second) = (HookSecret.random(), HookSecret.random())
        let environment = [SecretOptions.variable: "\(first.text), \(second.text)"]
        let fromEnvironment = try ListenCommand.parse(["0"]).secrets.check(environment: environment)
        #expect(fromEnvironment.secrets == [first, second])
        let fromFlag = try ListenCommand.parse(["0", "--secret", second.text]).secrets.check(environment: environment)
        #expect(fromFlag.secrets == [second])
        #expect(try ListenCommand.parse(["0"]).secrets.check(environment: [:]).secrets.isEmpty)
        let error = await programError {
            try ListenCommand.parse(["0"]).secrets.check(environment: [SecretOptions.variable: "whsec_c2hvcnQ="])
        }
        #expect(error?.status == .configuration)
        #expect(error?.message == "\(SecretOptions.variable): the secret has 5 bytes; it has to have 24 to 64")
    }

    @Test("the oldest deliveries are forgotten, whatever their identifiers are")
    func sightings() {
        var sightings = DeliverySightings(capacity: 3)
        #expect(["a", "b", "a", "c", "d", "a", "d", "b"].map { sightings.note($0) } == [1, 1, 2, 1, 1, 1, 2, 1])
        let long = String(repeating: "x", count: 10_000)
        #expect(sightings.note(long + "1") == 1 && sightings.note(long + "2") == 2)
    }
}
