import CallboardClient
import Foundation
import HTTPServer
import HTTPTypes
import Reactor

/// Takes the events of hooks, answers them as planned, and hands each on to be shown.
///
/// An actor on the server's only loop, so that events are shown in the order in which they came.
actor EventReceiver: LoopActor {
    nonisolated let loop: EventLoop

    /// Yields once, when as many events as were asked for have been answered.
    nonisolated let isDone: AsyncStream<Void>

    private let check: SignatureCheck
    private let plan: AnswerPlan
    private let limit: Int
    private let now: @Sendable () -> Date
    private let show: @Sendable (ListenEntry) -> Void
    private let done: AsyncStream<Void>.Continuation

    private var sightings = DeliverySightings()
    private var taken = 0
    private var answered = 0
    private var failures = 0

    /// What has come so far.
    private(set) var summary = ListenSummary()

    /// Makes a receiver.
    ///
    /// - Parameters:
    ///   - limit: After how many events `isDone` yields; what comes then is turned away, to come again.
    ///   - now: The wall clock.
    ///   - show: Called on the loop for everything that has to be shown.
    init(
        loop: EventLoop, check: SignatureCheck, plan: AnswerPlan, limit: Int? = nil,
        now: @escaping @Sendable () -> Date = { Date() }, show: @escaping @Sendable (ListenEntry) -> Void
    ) {
        self.loop = loop
        self.check = check
        self.plan = plan
        self.limit = limit ?? .max
        self.now = now
        self.show = show
        (isDone, done) = AsyncStream.makeStream()
    }

    private func take(_ exchange: Exchange) {
        guard taken < limit else {
            return exchange.respond(
                .problem(.serviceUnavailable, detail: "The listener is closing.", closesConnection: true))
        }
        let time = now()
        do throws(ListenRefusal) {
            let signature = try authenticate(exchange, at: time)
            let event = try ReceivedEvent(exchange.body)
            answer(event, exchange, signature, at: time)
        } catch {
            note(error, at: time, from: exchange.remoteAddress)
            var response = Response.problem(error.status, detail: TextWidth.printable(error.reason))
            if error.status == .methodNotAllowed { response.fields[.allow] = "POST" }
            exchange.respond(response)
        }
    }

    private func authenticate(_ exchange: Exchange, at time: Date) throws(ListenRefusal) -> SignatureCheck.Verdict {
        guard exchange.head.method == .post else {
            throw ListenRefusal(
                status: .methodNotAllowed, reason: "\(exchange.head.method) is no event; events come with POST")
        }
        let seconds = Int(time.timeIntervalSince1970)
        return try check.verdict(on: exchange.body, exchange.head.fields, now: seconds)
    }

    private func answer(
        _ event: ReceivedEvent, _ exchange: Exchange, _ signature: SignatureCheck.Verdict, at time: Date
    ) {
        taken += 1
        summary.noteEvent()
        let id = SignatureCheck.id(in: exchange.head.fields)
        let answer = plan.answer(to: event, failures: failures)
        if plan.applies(to: event) { failures += 1 }
        show(
            .event(
                Reception(
                    event: event, time: time, path: exchange.head.target, id: id,
                    attempt: id.map { sightings.note($0) } ?? 1, signature: signature, answer: answer)))
        guard let delay = answer.delay else { return finish(exchange, answer) }
        loop.schedule(after: delay) { [self] in
            assumeIsolated { $0.finish(exchange, answer) }
        }
    }

    private func finish(_ exchange: Exchange, _ answer: PlannedAnswer) {
        exchange.respond(answer.response)
        summary.noteAnswer(answer.status)
        answered += 1
        if answered == limit { done.yield() }
    }

    private func note(_ refusal: ListenRefusal, at time: Date, from address: String) {
        summary.noteRefusal(refusal.status.code)
        show(.refused(refusal, at: time, from: address))
    }
}

extension EventReceiver: HTTPApplication {
    nonisolated func handle(_ exchange: Exchange) {
        assumeIsolated { $0.take(exchange) }
    }

    nonisolated func refused(_ status: HTTPResponse.Status, reason: String, remoteAddress: String) {
        assumeIsolated { receiver in
            receiver.note(ListenRefusal(status: status, reason: reason), at: receiver.now(), from: remoteAddress)
        }
    }
}
