import Directors
import HTTPClient
import Reactor

extension WebhookDispatcher {
    // MARK: Notifications

    /// Begins an attempt.
    func begin(_ delivery: Delivery) {
        attempts[delivery.sequence] = Task {
            let generation = queues.beginGeneration()
            let hook = await directory.hook(at: delivery.address)
            let call = hook?.url.map { HookCall(address: delivery.address, target: $0, number: nextTicket()) }
            end(delivery, await attempt(delivery, hook, in: generation, call), call)
        }
    }

    private func end(_ delivery: Delivery, _ outcome: AttemptOutcome, _ call: HookCall?) {
        guard attempts.removeValue(forKey: delivery.sequence) != nil else { return }
        switch outcome {
        case .delivered, .crowded, .hookGone, .abandoned: break
        case .failed(let text, _), .disabled(let text, _):
            if let call { board.failed(call, at: clock(), text) }
        }
        queues.finish(delivery.sequence, outcome, variation: .random(in: -1...1), at: now)
        perform()
    }

    /// Tries a delivery once, with the hook as it was found after the beginning of a generation.
    private func attempt(
        _ delivery: Delivery, _ hook: EventHook?, in generation: Int, _ hookCall: HookCall?
    ) async -> AttemptOutcome {
        let address = delivery.address
        // A hook without a target is none to a notification.
        guard let hook, let hookCall else { return .hookGone(DeliveryQueues.hookGone, before: generation) }
        // Given up meanwhile: nothing is begun any more.
        guard attempts[delivery.sequence] != nil else { return .abandoned }
        if let reason = hook.disabledReason { return .hookGone("the hook is disabled: \(reason)", before: generation) }
        let request: ClientRequest
        do throws(HTTPURLError) {
            request = try ClientRequest(
                hook, id: delivery.id, body: delivery.body, to: hookCall, at: clock(), urgency: .notification,
                timeout: settings.notificationTimeout)
        } catch {
            return .failed("the URL \(error)")
        }
        switch await call(request, hookCall) {
        case .failure(.queueFull): return .crowded
        case .failure(.cancelled), .failure(.shutDown): return queues.isClosed ? .abandoned : .crowded
        case .failure(let failure): return .failed(failure.description)
        case .success(let response) where response.isSuccess:
            return await take(response, of: delivery, by: hook, hookCall)
        case .success(let response) where response.status == 410:
            let generation = queues.beginGeneration()
            guard await directory.disable(hook, at: address, reason: Self.goneReason) else {
                return .failed(Self.goneReason)
            }
            return .disabled("the hook was disabled: \(Self.goneReason)", before: generation)
        case .success(let response):
            let retryAfter = [429, 503].contains(response.status) ? response.retryAfter : nil
            return .failed(
                "the target answered \(response.status)", retryAfter: retryAfter?.delay(at: clock().seconds))
        }
    }

    private static let goneReason = "the target answered 410 Gone"

    /// Hands over what a receiver has answered to a notification.
    ///
    /// The status says that it has taken the notification. If the answer is too long, its operations are not performed,
    /// and the hook's last error says so.
    private func take(
        _ answer: ClientResponse, of delivery: Delivery, by hook: EventHook, _ call: HookCall
    ) async -> AttemptOutcome {
        var note: String?
        if let failure = answer.contentFailure {
            board.count { $0.refusedAnswers += 1 }
            note = "its answer was not read: \(failure)"
        } else if !answer.body.isEmpty {
            switch await directory.apply(answer.body, of: delivery, by: hook) {
            case .nothing: break
            case .applied: board.count { $0.appliedAnswers += 1 }
            case .refused(let reason):
                board.count { $0.refusedAnswers += 1 }
                note = "its answer was not applied: \(reason)"
            case .tryAgain(let reason): return .failed("its answer could not be applied: \(reason)")
            }
        }
        board.succeeded(call, at: clock(), note: note)
        return .delivered
    }

    // MARK: Questions

    /// Asks a receiver once, within the time of its hook.
    ///
    /// - Returns: The content of a success, which nobody has looked into, or why there is none. Both count for the
    ///   hook's health; what is wrong with the content is to be told to ``answerRefused(_:_:)``.
    package func ask(_ question: WebhookQuestion) async -> Result<[UInt8], QuestionFailure> {
        guard !queues.isClosed else { return .failure(.closed) }
        if let reason = question.hook.disabledReason { return .failure(.disabled(reason)) }
        guard let target = question.hook.url else { return .failure(.failed("the hook has no URL")) }
        let hookCall = HookCall(address: question.address, target: target, number: nextTicket())
        let result = await answer(to: question, hookCall)
        switch result {
        case .success: board.succeeded(hookCall, at: clock())
        case .failure(.closed): break
        case .failure(let failure): board.failed(hookCall, at: clock(), failure.description)
        }
        guard case .failure(.status(410)) = result else { return result }
        let generation = queues.beginGeneration()
        if await directory.disable(question.hook, at: question.address, reason: Self.goneReason) {
            queues.kill(question.address, "the hook was disabled: \(Self.goneReason)", before: generation, at: now)
            perform()
        }
        return result
    }

    private func answer(
        to question: WebhookQuestion, _ hookCall: HookCall
    ) async -> Result<[UInt8], QuestionFailure> {
        let request: ClientRequest
        do throws(HTTPURLError) {
            request = try ClientRequest(
                question.hook, id: question.id, body: question.body, to: hookCall, at: clock(),
                urgency: .question, timeout: settings.questionTimeout)
        } catch {
            return .failure(.failed("the URL \(error)"))
        }
        switch await call(request, hookCall) {
        case .success(let response) where response.isSuccess:
            return response.contentFailure.map { .failure(QuestionFailure($0)) } ?? .success(response.body)
        case .success(let response): return .failure(.status(response.status))
        case .failure(let failure): return .failure(QuestionFailure(failure))
        }
    }

    /// Notes that a receiver has answered a question with something that cannot be used. Callable from any thread.
    package nonisolated func answerRefused(_ question: WebhookQuestion, _ reason: String) {
        guard let target = question.hook.url else { return }
        // Where the hook has led elsewhere since, it counts for nothing.
        board.failed(HookCall(address: question.address, target: target, number: 0), at: clock(), reason)
    }

    // MARK: Both

    /// Sends a request, and counts its outcome and its time.
    private func call(_ request: ClientRequest, _ hookCall: HookCall) async -> Result<ClientResponse, ClientFailure> {
        let start = loop.now
        let result = await transport.send(request)
        let took = Duration.nanoseconds(Int64(clamping: loop.now &- start))
        let outcome = CallOutcome(result)
        board.count { metrics in
            switch request.urgency {
            case .notification: metrics.notifications.record(outcome, took: took)
            case .question: metrics.questions.record(outcome, took: took)
            }
        }
        if outcome.isOfTarget { board.took(hookCall, took) }
        return result
    }
}

extension DeliveryQueues {
    /// Why what waits for a hook that is gone is dead.
    static let hookGone = "the hook was removed"
}

extension ClientRequest {
    /// Makes a signed request to a hook's target.
    ///
    /// - Throws: The fault of the target's URL.
    init(
        _ hook: EventHook, id: String, body: [UInt8], to call: HookCall, at time: WallTime, urgency: Urgency,
        timeout: Duration
    ) throws(HTTPURLError) {
        self.init(
            url: try HTTPURL(call.target.text),
            fields: hook.headers.map { HeaderField($0.name, $0.value) }
                + WebhookSignature.fields(id: id, timestamp: time.seconds, body: body, secrets: hook.secrets),
            body: body, urgency: urgency, sender: call.address.description, timeout: hook.timeout ?? timeout)
        takesStatusAlone = true
    }
}

extension CallOutcome {
    init(_ result: Result<ClientResponse, ClientFailure>) {
        switch result {
        case .success(let response):
            self =
                switch response.status {
                case 200..<300: .success
                case 400..<500: .clientError
                case 500...: .serverError
                default: .redirect
                }
        case .failure(let failure):
            self =
                switch failure {
                case .timedOut: .timeout
                case .refused: .refused
                case .queueFull: .crowded
                case .answerTooLarge: .tooLarge
                case .cancelled, .shutDown: .abandoned
                default: .unreachable
                }
        }
    }
}

extension QuestionFailure {
    init(_ failure: ClientFailure) {
        let text = failure.description
        self =
            switch failure {
            case .timedOut: .timedOut(text)
            case .refused: .refused(text)
            case .queueFull: .crowded(text)
            case .answerTooLarge: .tooLarge(text)
            case .shutDown, .cancelled: .closed
            default: .failed(text)
            }
    }
}
