import Directors
import HTTPClient
import Testing

@testable import Webhooks

/// What is beside delivering: answers, questions, bounds, listing, starting and closing.
@Suite(.timeLimit(.minutes(1)))
struct DispatcherServiceTests {
    private let hooks = TestDispatcher.hooks

    // MARK: Answers

    @Test("what a receiver answers is applied once, and then the delivery is gone")
    func answers() async throws {
        try await TestDispatcher.run { test in
            let id = try await test.notify("1")
            await test.transport.next().end(200, #"{"reload":true}"#)
            await test.settle()
            #expect(test.directory.state.withLock { $0.answers } == [#"\#(id) {"reload":true}"#])
            #expect(await test.deliveries() == [])
            #expect(test.dispatcher.metrics.appliedAnswers == 1)
        }
    }

    @Test("an answer that cannot be applied shows in the hook's health, and its delivery has arrived")
    func refusedAnswer() async throws {
        try await TestDispatcher.run { test in
            test.directory.state.withLock { $0.outcome = .refused("there is no section \"x\"") }
            try await test.notify("1")
            await test.transport.next().end(200, "{}")
            await test.settle()
            #expect(await test.deliveries() == [])
            let health = test.dispatcher.health(of: hooks[0])
            #expect(health.consecutiveFailures == 0 && health.lastSuccess != nil)
            #expect(health.lastError?.text == "its answer was not applied: there is no section \"x\"")
        }
    }

    @Test("an answer that cannot be applied now is asked for again under the same identifier")
    func answerLater() async throws {
        try await TestDispatcher.run { test in
            test.directory.state.withLock { $0.outcome = .tryAgain("the disk is full") }
            let id = try await test.notify("1")
            await test.transport.next().end(200, "{}")
            await test.settle()
            #expect(await test.deliveries().map(\.lastError) == ["its answer could not be applied: the disk is full"])
            test.directory.state.withLock { $0.outcome = .applied }
            await test.advance(.seconds(5))
            let call = await test.transport.next()
            #expect(call.id == id)
            call.end(200, "{}")
            await test.settle()
            #expect(await test.deliveries() == [])
        }
    }

    // MARK: Questions

    private func ask(_ test: TestDispatcher) async throws -> Result<[UInt8], QuestionFailure> {
        let hook = try #require(test.directory.state.withLock { $0.hooks[hooks[0]] })
        return await test.dispatcher.ask(
            WebhookQuestion(id: "msg_q", address: hooks[0], hook: hook, body: Array("{}".utf8)))
    }

    @Test("a question is asked once, ahead of notifications, and its answer handed over as it came")
    func question() async throws {
        try await TestDispatcher.run { test in
            async let answer = ask(test)
            let call = await test.transport.next()
            #expect(call.request.urgency == .question && call.request.timeout == .seconds(5) && call.id == "msg_q")
            call.end(200, #"{"value":true}"#)
            let answered = try await answer
            #expect(answered == .success(Array(#"{"value":true}"#.utf8)))
            #expect(test.dispatcher.health(of: hooks[0]).lastSuccess == WallTime(milliseconds: 1_700_000_000_000))
            #expect(test.dispatcher.metrics.questions.outcomes == [.success: 1])
        }
    }

    @Test(
        "a question that has no answer says why, and counts for the hook's health",
        arguments: [
            (ClientFailure.timedOut(after: .seconds(5), during: .answer), CallOutcome.timeout),
            (.queueFull(target: "t", limit: 3), .crowded), (.answerTooLarge(limit: 10), .tooLarge),
            (.notConnected(target: "t", reason: "refused"), .unreachable), (.shutDown, .abandoned),
        ])
    func failedQuestion(_ failure: ClientFailure, _ outcome: CallOutcome) async throws {
        try await TestDispatcher.run { test in
            async let answer = ask(test)
            await test.transport.next().end(.failure(failure))
            let expected = QuestionFailure(failure)
            let answered = try await answer
            #expect(answered == .failure(expected))
            #expect(test.dispatcher.metrics.questions.outcomes == [outcome: 1])
            let health = test.dispatcher.health(of: hooks[0])
            #expect(health.lastError?.text == (expected == .closed ? nil : failure.description))
            #expect(test.transport.sent == 1)
        }
    }

    @Test("a 410 that answers a question disables no hook that was replaced meanwhile")
    func refusedByTheEarlierTarget() async throws {
        try await TestDispatcher.run { test in
            async let answer = ask(test)
            let call = await test.transport.next()
            try test.register(hooks[0], url: "https://other.test/")
            call.end(410)
            #expect(try await answer == .failure(.status(410)))
            #expect(test.directory.state.withLock { $0.disabled } == [:])
        }
    }

    @Test("a status other than a success is no answer; 410 disables the hook")
    func refusedQuestion() async throws {
        try await TestDispatcher.run { test in
            for status in [204, 301, 404, 500, 410] {
                async let answer = ask(test)
                await test.transport.next().end(status)
                let answered = try await answer
                #expect(answered == (status == 204 ? .success([]) : .failure(.status(status))))
            }
            #expect(try await ask(test) == .failure(.disabled("the target answered 410 Gone")))
            #expect(test.dispatcher.health(of: hooks[0]).consecutiveFailures == 4)
        }
    }

    // MARK: Bounds

    @Test("at a bound a notification is refused, which names it, and nothing of it is stored")
    func bounds() async throws {
        var settings = TestDispatcher.settings
        settings.maximumWaitingPerHook = 3
        settings.maximumWaiting.count = 5
        try await TestDispatcher.run(settings: settings) { test in
            for text in ["1", "2", "3"] { try await test.notify(hooks[0], text) }
            await test.transport.next().end(500)
            await test.settle()
            let full = NotifyRefusal.hookFull(hooks[0], limit: 3, retryAfter: .seconds(5))
            await #expect(throws: full) { try await test.notify(hooks[0], "4") }
            #expect(
                full.description == "3 deliveries wait for the hook /v1/directors/contacts/adapters/a/events/didSelect "
                    + "already; see to its receiver, or try again later")
            // All or none.
            await #expect(throws: full) {
                try await test.notify(
                    DeliveryDraft(address: hooks[1], body: []), DeliveryDraft(address: hooks[0], body: []))
            }
            for text in ["5", "6"] { try await test.notify(hooks[1], text) }
            await #expect(throws: NotifyRefusal.full(limit: "5 deliveries", retryAfter: .seconds(10))) {
                try await test.notify(hooks[2], "7")
            }
            #expect(await test.deliveries().count == 5)
            #expect(try test.store.deliveries().count == 5)
            #expect(test.dispatcher.metrics.deliveries.refused == 4)
            #expect(test.dispatcher.health(of: hooks[0]).waiting == 3)
        }
    }

    @Test("an identifier that is there already is accepted and not stored again")
    func repeated() async throws {
        let store = HeldDeliveryStore()
        try await TestDispatcher.run(store) { test in
            let draft = DeliveryDraft(id: "msg_1", address: hooks[0], body: [1])
            async let first = test.notify(draft, draft)
            async let second = test.notify(draft)
            while store.waiting.isEmpty { await test.settle() }
            await test.settle()
            #expect(store.waiting.count == 1)
            store.release()
            let firstIDs = try await first
            #expect(firstIDs == ["msg_1", "msg_1"])
            let secondIDs = try await second
            #expect(secondIDs == ["msg_1"])
            #expect(try await test.notify(draft) == ["msg_1"])
            #expect(await test.deliveries().count == 1)
        }
    }

    // MARK: Listing

    @Test("deliveries are listed in their order, filtered and in pages")
    func listing() async throws {
        try await TestDispatcher.run { test in
            var ids: [String] = []
            for index in 0..<9 { ids.append(try await test.notify(hooks[index % 3], "\(index)")) }
            test.dispatcher.hookRemoved(hooks[2])
            await test.settle()
            for _ in 0..<3 { await test.transport.next().end(500) }
            await test.settle()
            func page(_ filter: DeliveryFilter, _ offset: Int = 0, _ limit: Int = 100) async -> ([String], Int) {
                let page = await test.dispatcher.page(filter, offset: offset, limit: limit)
                return (page.deliveries.map(\.id), page.total)
            }
            #expect(await page(DeliveryFilter()) == (ids, 9))
            #expect(await page(DeliveryFilter(), 2, 3) == (Array(ids[2..<5]), 9))
            #expect(await page(DeliveryFilter(), 100, 3) == ([], 9))
            #expect(await page(DeliveryFilter(state: .dead)) == ([ids[2], ids[5], ids[8]], 3))
            #expect(await page(DeliveryFilter(director: "contacts", event: "didSelect"), 8) == ([ids[8]], 9))
            #expect(await page(DeliveryFilter(director: "other")) == ([], 0))
            #expect(await page(DeliveryFilter(event: "willSelect")) == ([], 0))
            #expect(await page(DeliveryFilter(address: hooks[1], state: .pending)) == ([ids[1], ids[4], ids[7]], 3))
        }
    }

    @Test("a dead delivery that is tried again stands at the end of its queue, with fresh attempts")
    func retry() async throws {
        try await TestDispatcher.run(settings: DispatcherSettings(schedule: RetrySchedule(delays: []))) { test in
            let ids = [try await test.notify("1"), try await test.notify("2")]
            await test.transport.next().end(500)
            let second = await test.transport.next()
            let revived = try await test.dispatcher.retry(ids[0]).get()
            #expect(revived.state == .pending && revived.attempts == 0 && revived.lastError == nil)
            #expect(await test.deliveries().map(\.id) == [ids[1], ids[0]])
            #expect(try test.store.deliveries().map(\.id) == [ids[1], ids[0]])
            second.end(200)
            let again = await test.transport.next()
            #expect(again.id == ids[0] && again.text == "1")
            again.end(200)
            await test.settle()
            #expect(await test.dispatcher.retry(ids[0]) == .failure(.unknown))
        }
    }

    @Test("a delivery that waits is tried at once when someone asks for it")
    func hurried() async throws {
        try await TestDispatcher.run { test in
            let id = try await test.notify("1")
            await test.transport.next().end(500)
            await test.settle()
            #expect(try await test.dispatcher.retry(id).get().attempts == 1)
            #expect(await test.transport.next().id == id)
        }
    }

    // MARK: Starting and closing

    @Test("after a start everything that is stored goes on, in order, but for what is left of other directors")
    func restart() async throws {
        let store = MemoryDeliveryStore()
        var ids: [String] = []
        try await TestDispatcher.run(store) { test in
            for text in ["1", "2"] { ids.append(try await test.notify(text)) }
            await test.transport.next().end(500)
            await test.settle()
            let removed = HookAddress(director: "contacts", epoch: "e1", level: .director, event: "didUpdateFocus")
            ids.append(try await test.notify(removed, "removed"))
            await test.dispatcher.shutdown(grace: .zero)
        }
        try await TestDispatcher.run(store, at: WallTime(milliseconds: 1_700_000_003_000)) { test in
            #expect(await test.deliveries(.pending).map(\.id) == Array(ids[0..<2]))
            #expect(await test.deliveries(.dead).map(\.lastError) == ["the hook was removed"])
            await test.settle()
            #expect(test.transport.sent == 0)
            await test.advance(.seconds(2))
            for text in ["1", "2"] {
                let call = await test.transport.next()
                #expect(call.text == text)
                call.end(200)
            }
            await test.settle()
        }
        var dead = Delivery.waiting(10, "gone", "e1")
        dead.state = .dead
        for delivery in [dead, .waiting(9, "contacts", "e0")] { try await store.put(delivery) }
        try await TestDispatcher.run(store) { test in
            #expect(await test.deliveries().map(\.id) == [ids[2]])
            await test.settle()
            let stored = try test.store.deliveries()
            #expect(stored.map(\.id) == [ids[2]])
        }
    }

    @Test("a clock that was set back delays what waits by no more than the schedule's longest delay")
    func clockSetBack() async throws {
        let store = MemoryDeliveryStore()
        var delivery = Delivery.waiting(1, "contacts", "e1")
        delivery.nextAttempt = WallTime(milliseconds: 1_900_000_000_000)
        try await store.put(delivery)
        try await TestDispatcher.run(store) { test in
            await test.advance(.seconds(86_400) - .milliseconds(1))
            #expect(test.transport.sent == 0)
            await test.advance(.milliseconds(1))
            #expect(test.transport.sent == 1)
        }
    }

    @Test("closing waits for what is under way, and refuses everything else")
    func closing() async throws {
        try await TestDispatcher.run { test in
            try await test.notify(hooks[0], "1")
            try await test.notify(hooks[0], "2")
            let call = await test.transport.next()
            async let closing: Void = test.dispatcher.shutdown(grace: .seconds(10))
            await test.settle()
            await #expect(throws: NotifyRefusal.closed) { try await test.notify(hooks[1], "3") }
            #expect(try await ask(test) == .failure(.closed))
            #expect(await test.dispatcher.retry("msg_x") == .failure(.refused(.closed)))
            call.end(200)
            await closing
            #expect(try test.store.deliveries().map(\.body) == [Array("2".utf8)])
            #expect(test.transport.sent == 1)
        }
    }

    @Test("what is under way when the time is over is given up and stays as it is")
    func givenUp() async throws {
        try await TestDispatcher.run { test in
            try await test.notify("1")
            let call = await test.transport.next()
            let closing = Task { await test.dispatcher.shutdown(grace: .seconds(10)) }
            await test.settle()
            await test.advance(.seconds(10))
            await closing.value
            call.end(200)
            await test.settle()
            #expect(try test.store.deliveries().map(\.attempts) == [0])
            #expect(test.dispatcher.metrics.underWay == 0)
        }
    }

    @Test("a store that does not answer holds up the end for a while only")
    func stuckStore() async throws {
        let store = HeldDeliveryStore()
        try await TestDispatcher.run(store) { test in
            store.release()
            try await test.notify("1")
            store.hold()
            await test.transport.next().end(200)
            await test.settle()
            let closing = Task { await test.dispatcher.shutdown(grace: .seconds(1)) }
            await test.settle()
            await test.advance(.seconds(1))
            await test.advance(.seconds(2))
            await closing.value
            #expect(store.waiting.count == 1)
        }
    }

    // MARK: Numbers

    @Test("health and metrics tell what has happened")
    func numbers() async throws {
        try await TestDispatcher.run { test in
            try await test.notify("1")
            try await test.notify("2")
            await test.transport.next().end(503)
            await test.settle()
            await test.advance(.seconds(5))
            let call = await test.transport.next()
            await test.advance(.milliseconds(70))
            call.end(400)
            await test.settle()
            var health = test.dispatcher.health(of: hooks[0])
            #expect(health.consecutiveFailures == 2 && health.waiting == 2 && health.dead == 0)
            #expect(health.lastSuccess == nil)
            #expect(
                health.lastError
                    == .init(time: WallTime(milliseconds: 1_700_000_005_070), text: "the target answered 400"))
            await test.advance(.seconds(60))
            await test.transport.next().end(200)
            await test.settle()
            health = test.dispatcher.health(of: hooks[0])
            #expect(health.consecutiveFailures == 0 && health.waiting == 1)
            #expect(health.lastSuccess == WallTime(milliseconds: 1_700_000_065_070))
            let metrics = test.dispatcher.metrics
            #expect(metrics.notifications.outcomes == [.serverError: 1, .clientError: 1, .success: 1])
            #expect(metrics.notifications.latency.count == 3)
            #expect(metrics.notifications.latency.sum == 70_000)
            #expect(metrics.deliveries.accepted == 2 && metrics.deliveries.delivered == 1)
            #expect(metrics.deliveries.failedAttempts == 2)
            #expect(metrics.waiting.count == 1 && metrics.underWay == 1)
            #expect(metrics.oldestWaiting == WallTime(milliseconds: 1_700_000_000_000))
            #expect(test.dispatcher.health(of: hooks[1]) == HookHealth())
        }
    }
}

extension DeliveryStore {
    /// Stores a delivery.
    fileprivate func put(_ delivery: Delivery) async throws {
        try await withCheckedContinuation { continuation in
            write([.put(delivery)]) { continuation.resume(returning: $0) }
        }.get()
    }
}

extension Delivery {
    fileprivate static func waiting(_ sequence: Int, _ director: String, _ epoch: String) -> Delivery {
        Delivery(
            sequence: sequence, id: "msg_\(sequence)",
            address: HookAddress(director: director, epoch: epoch, level: .cell("a"), event: "didSelect"),
            created: WallTime(milliseconds: 1_700_000_000_000), body: [])
    }
}
