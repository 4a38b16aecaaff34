import Directors
import HTTPTypes
import Hosting
import JSONValues
import Webhooks

extension Application {
    /// `GET /v1/deliveries`.
    func listDeliveries(_ call: Call) throws(Problem) {
        let dispatcher = try dispatcher()
        let (offset, limit) = call.query.page
        let grants = call.principal.grants
        let mayShow: @Sendable (String) -> Bool = { grants.allow(.hooks, on: $0) }
        let filter = DeliveryFilter(
            director: call.query["director"], event: call.query["event"],
            state: Delivery.State.allCases.first { $0.word == call.query["status"] },
            mayShow: grants.allowEverywhere(.hooks) ? nil : mayShow)
        LoopContext.run(on: call.exchange.loop) { _ in
            let page = await dispatcher.page(filter, offset: offset, limit: limit)
            let body = ListForm.deliveries.page(
                page.deliveries, offset: offset, limit: limit, total: page.total
            ) { ShownDelivery(delivery: $0, showsMessage: false).write(to: &$1) }
            call.answer(Reply(body: body))
        }
    }

    /// `GET /v1/deliveries/{delivery}`.
    func readDelivery(_ call: Call) throws(Problem) {
        let dispatcher = try dispatcher()
        LoopContext.run(on: call.exchange.loop) { _ in
            guard let traced = await Self.delivery(call, dispatcher) else { return }
            call.answer(Reply(body: traced.delivery.resource(for: call, attempts: traced.attempts)))
        }
    }

    /// `POST /v1/deliveries/{delivery}:retry`.
    func retryDelivery(_ call: Call) throws(Problem) {
        let dispatcher = try dispatcher()
        LoopContext.run(on: call.exchange.loop) { _ in
            guard await Self.delivery(call, dispatcher) != nil else { return }
            switch await dispatcher.retry(call.parameters[0]) {
            case .success(let delivery): call.answer(Reply(status: .accepted, body: delivery.resource(for: call)))
            case .failure(let refusal): call.answer(Problem(refusal))
            }
        }
    }

    /// `DELETE /v1/deliveries/{delivery}`.
    func removeDelivery(_ call: Call) throws(Problem) {
        let dispatcher = try dispatcher()
        LoopContext.run(on: call.exchange.loop) { _ in
            guard await Self.delivery(call, dispatcher) != nil else { return }
            switch await dispatcher.remove(call.parameters[0]) {
            case .success: call.answer(.noContent(etag: nil))
            case .failure(let refusal): call.answer(Problem(refusal))
            }
        }
    }

    /// The delivery that the path names, if the request may have to do with it; otherwise it is answered 404.
    private static func delivery(_ call: Call, _ dispatcher: WebhookDispatcher) async -> TracedDelivery? {
        guard let traced = await dispatcher.delivery(call.parameters[0]),
            call.principal.grants.allow(.hooks, on: traced.delivery.address.director)
        else {
            call.answer(Problem(RetryRefusal.unknown))
            return nil
        }
        return traced
    }

    private func dispatcher() throws(Problem) -> WebhookDispatcher {
        guard let hooks else { throw .withoutHooks }
        return hooks.dispatcher
    }
}

extension Problem {
    /// A delivery is not removed: 404, 409, 507 or 503.
    fileprivate init(_ refusal: RemovalRefusal) {
        switch refusal {
        case .unknown: self = Problem(RetryRefusal.unknown)
        case .pending:
            self = .conflict(
                "This delivery still waits, and only a dead one can be removed. Removing its hook gives it up.")
        case .refused(.full(let reason)):
            self = .overBound("There is no room to store that the delivery is removed: \(reason).")
        case .refused(let error):
            self = Problem(
                .notStored, "The delivery could not be removed: \(error). Try again later.")
        case .closed: self = Problem(NotifyRefusal.closed)
        }
    }
}

extension Delivery {
    /// The delivery's JSON form, with what is sent where the director may be read: there are elements in it.
    fileprivate func resource(for call: Call, attempts: [DeliveryAttempt]? = nil) -> [UInt8] {
        let showsMessage = call.principal.has(.read, on: address.director)
        return ShownDelivery(delivery: self, showsMessage: showsMessage, attempts: attempts).encoded
    }
}

/// A delivery as an answer shows it.
struct ShownDelivery: AnswerObject {
    let delivery: Delivery
    let showsMessage: Bool
    /// The attempts, where they are told.
    var attempts: [DeliveryAttempt]?

    static let form = AnswerForm<Self>(
        AnswerField("id") { $0.delivery.id },
        AnswerField("director") { $0.delivery.address.director },
        AnswerField("epoch") { $0.delivery.address.epoch },
        AnswerField("event") { $0.delivery.address.event },
        AnswerField("hook", "The hook's path.") { $0.delivery.address.path },
        AnswerField("status", as: .choice(Delivery.State.allCases.map(\.word))) { $0.delivery.state.word },
        AnswerField("attempts", as: .integer(minimum: 0)) { $0.delivery.attempts },
        AnswerField("created") { $0.delivery.created },
        AnswerField("lastAttempt") { $0.delivery.lastAttempt },
        AnswerField("nextAttempt") { $0.delivery.state == .pending ? $0.delivery.nextAttempt : nil },
        AnswerField("lastError") { $0.delivery.lastError },
        .ifAny(
            "history",
            "The latest \(DeliveryAttempt.maximumCount) attempts that have failed since the server was started, oldest "
                + "first; not in a list."
        ) { $0.attempts },
        .ifAny(
            "message", "The message that is sent; left out in lists, and without the right `read`.",
            as: .reference("AnyObject")
        ) { $0.showsMessage ? JSONValue(trusting: $0.delivery.body) : nil })
}

extension DeliveryAttempt: AnswerObject {
    package static let form = AnswerForm<Self>(
        AnswerField("at", "When it began.") { $0.began },
        AnswerField("took") { $0.took },
        AnswerField("error") { $0.error })
}
