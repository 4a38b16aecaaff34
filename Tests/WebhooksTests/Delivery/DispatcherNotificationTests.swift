import Directors
import HTTPClient
import Testing

@testable import Webhooks

/// Notifications from being accepted until they have arrived.
@Suite(.timeLimit(.minutes(1)))
struct DispatcherNotificationTests {
    private let hooks = TestDispatcher.hooks

    @Test("notifications of a hook are sent one after the other, in order, signed under their identifiers")
    func inOrder() async throws {
        try await TestDispatcher.run { test in
            var ids: [String] = []
            for text in ["1", "2", "3"] { ids.append(try await test.notify(text)) }
            #expect(Set(ids).count == 3 && ids.allSatisfy { $0.hasPrefix("msg_") })
            for (id, text) in zip(ids, ["1", "2", "3"]) {
                let call = await test.transport.next()
                await test.settle()
                #expect(test.transport.unseen == 0)
                #expect(call.text == text && call.id == id)
                #expect(call.request.urgency == .notification)
                #expect(call.request.timeout == .seconds(15))
                try verify(call, now: 1_700_000_000)
                call.end(204)
            }
            await test.settle()
            #expect(await test.deliveries() == [])
            #expect(try test.store.deliveries() == [])
            #expect(test.dispatcher.metrics.deliveries.delivered == 3)
        }
    }

    private func verify(
        _ call: ScriptedTransport.Call, now: Int, secret: String = TestDispatcher.secret
    ) throws {
        try WebhookSignature.verify(
            id: try #require(call.id), timestamp: try #require(call.field("webhook-timestamp")),
            signature: try #require(call.field("webhook-signature")), body: call.request.body,
            secrets: [try HookSecret(secret)], now: now, tolerance: .zero)
    }

    @Test("nothing is acknowledged or sent before it is stored")
    func storedFirst() async throws {
        let store = HeldDeliveryStore()
        try await TestDispatcher.run(store) { test in
            async let id = test.notify("1")
            while store.waiting.isEmpty { await test.settle() }
            #expect(test.transport.sent == 0)
            #expect(await test.deliveries() == [])
            store.release()
            let call = await test.transport.next()
            let answered = try await id
            #expect(call.id == answered)
        }
    }

    @Test("what cannot be stored is refused and never sent")
    func notStored() async throws {
        let store = HeldDeliveryStore()
        try await TestDispatcher.run(store) { test in
            store.release(failing: .full("the disk is full"))
            await #expect(throws: NotifyRefusal.store(.full("the disk is full"))) { try await test.notify("1") }
            store.release()
            try await test.notify("2")
            #expect(await test.transport.next().text == "2")
            #expect(test.transport.sent == 1)
        }
    }

    @Test("what fails is tried again in its time, under the same identifier, with another time and signature")
    func retries() async throws {
        try await TestDispatcher.run { test in
            let id = try await test.notify("1")
            let first = await test.transport.next()
            first.end(.failure(.timedOut(after: .seconds(15), during: .answer)))
            await test.settle()
            let waiting = try #require(await test.dispatcher.delivery(id)).delivery
            #expect(waiting.attempts == 1 && waiting.state == .pending)
            #expect(waiting.lastError == "timed out after 15 s, waiting for the answer")
            #expect(waiting.nextAttempt == WallTime(milliseconds: 1_700_000_005_000))
            #expect(try test.store.deliveries() == [waiting])
            await test.advance(.milliseconds(4999))
            #expect(test.transport.sent == 1)
            await test.advance(.milliseconds(1))
            let second = await test.transport.next()
            #expect(second.id == id && second.text == "1")
            #expect(second.field("webhook-timestamp") == "1700000005")
            #expect(second.field("webhook-signature") != first.field("webhook-signature"))
            try verify(second, now: 1_700_000_005)
            second.end(200)
            await test.settle()
            #expect(await test.deliveries() == [])
        }
    }

    @Test("the latest ten attempts that have failed are told, also those before a retry")
    func attempts() async throws {
        try await TestDispatcher.run { test in
            let id = try await test.notify("1")
            for status in [500, 501, 502] {
                let call = await test.transport.next()
                await test.advance(.milliseconds(status))
                call.end(status)
                await test.settle()
                await test.advance(.seconds(86_400))
            }
            #expect(await test.dispatcher.delivery(id)?.delivery.state == .dead)
            func attempts() async throws -> [DeliveryAttempt] {
                try #require(await test.dispatcher.delivery(id)).attempts
            }
            let errors = try await attempts().map(\.error)
            #expect(errors == [500, 501, 502].map { "the target answered \($0)" })
            #expect(try await attempts().map(\.took) == [500, 501, 502].map { .milliseconds($0) })
            #expect(try await attempts()[1].began == WallTime(milliseconds: 1_700_086_400_500))
            for round in 1...3 {
                _ = await test.dispatcher.retry(id)
                for _ in 1...3 {
                    await test.transport.next().end(510 + round)
                    await test.settle()
                    await test.advance(.seconds(86_400))
                }
            }
            let statuses = [502] + (1...3).flatMap { round in Array(repeating: 510 + round, count: 3) }
            #expect(try await attempts().map(\.error) == statuses.map { "the target answered \($0)" })
        }
    }

    @Test("one that is tried again holds those behind it back; when it is dead they go on")
    func heldBack() async throws {
        try await TestDispatcher.run { test in
            let first = try await test.notify("1")
            try await test.notify("2")
            for delay in [5, 60] as [Int] {
                await test.transport.next().end(500)
                await test.settle()
                #expect(test.transport.unseen == 0)
                await test.advance(.seconds(delay))
            }
            let last = await test.transport.next()
            #expect(last.id == first)
            last.end(302)
            #expect(await test.transport.next().text == "2")
            let dead = await test.deliveries(.dead)
            #expect(dead.map(\.id) == [first])
            #expect(dead.first?.lastError == "the target answered 302")
            #expect(dead.first?.attempts == 3)
        }
    }

    @Test("a receiver that hangs holds up no other hook")
    func independent() async throws {
        try await TestDispatcher.run { test in
            try await test.notify(hooks[0], "hangs")
            let hanging = await test.transport.next()
            for index in 0..<20 {
                try await test.notify(hooks[0], "behind \(index)")
                try await test.notify(hooks[1], "\(index)")
                let call = await test.transport.next()
                #expect(call.text == "\(index)")
                call.end(200)
            }
            hanging.end(200)
            #expect(await test.transport.next().text == "behind 0")
        }
    }

    @Test(
        "Retry-After is heeded with 429 and 503, within a day",
        arguments: [
            (503, RetryAfter.seconds(30), 30), (429, .seconds(2), 5), (503, .time(1_700_000_090), 90),
            (500, .seconds(30), 5), (503, .seconds(9_999_999_999), 86_400),
        ])
    func retryAfter(_ status: Int, _ field: RetryAfter, _ seconds: Int) async throws {
        try await TestDispatcher.run { test in
            try await test.notify("1")
            await test.transport.next().end(status, retryAfter: field)
            await test.settle()
            await test.advance(.seconds(seconds) - .milliseconds(1))
            #expect(test.transport.sent == 1)
            await test.advance(.milliseconds(1))
            #expect(test.transport.sent == 2)
        }
    }

    @Test("a queue of the transport that is full is no attempt")
    func crowded() async throws {
        try await TestDispatcher.run { test in
            let id = try await test.notify("1")
            for _ in 0..<5 {
                await test.transport.next().end(.failure(.queueFull(target: "receiver.test", limit: 10)))
                await test.settle()
                await test.advance(.seconds(1))
            }
            #expect(await test.dispatcher.delivery(id)?.delivery.attempts == 0)
            #expect(test.dispatcher.health(of: hooks[0]).consecutiveFailures == 0)
        }
    }

    @Test("410 disables the hook, and what waits for it goes dead")
    func gone() async throws {
        try await TestDispatcher.run { test in
            let ids = [try await test.notify("1"), try await test.notify("2")]
            try await test.notify(hooks[1], "other")
            let call = await test.transport.next()
            call.end(410)
            #expect(await test.transport.next().text == "other")
            await test.settle()
            let reason = "the hook was disabled: the target answered 410 Gone"
            #expect(test.directory.state.withLock { $0.disabled } == [hooks[0]: "the target answered 410 Gone"])
            let dead = await test.deliveries(.dead)
            #expect(dead.map(\.id) == ids && dead.map(\.lastError) == [reason, reason])
            #expect(dead.map(\.attempts) == [1, 0])
            #expect(try test.store.deliveries().filter { $0.state == .dead } == dead)
            let third = try await test.notify("3")
            await test.settle()
            #expect(
                await test.dispatcher.delivery(third)?.delivery.lastError
                    == "the hook is disabled: the target answered 410 Gone")
        }
    }

    @Test("a target and secrets that were replaced count for what waits already")
    func replaced() async throws {
        try await TestDispatcher.run { test in
            try await test.notify("1")
            await test.transport.next().end(500)
            await test.settle()
            let secret = "whsec_" + String(repeating: "QUJD", count: 10)
            try test.register(hooks[0], url: "https://other.test:8443/x", secrets: [TestDispatcher.secret, secret]) {
                $0.timeout = .seconds(3)
                $0.headers = []
            }
            test.dispatcher.hookChanged(hooks[0])
            let call = await test.transport.next()
            #expect(call.request.url.text == "https://other.test:8443/x")
            #expect(call.request.timeout == .seconds(3))
            try verify(call, now: 1_700_000_000)
            try verify(call, now: 1_700_000_000, secret: secret)
        }
    }

    @Test("a hook that was replaced is not judged by its earlier target, and is called at once", arguments: [410, 500])
    func replacedUnderWay(_ status: Int) async throws {
        try await TestDispatcher.run { test in
            let id = try await test.notify("1")
            try await test.notify("2")
            let call = await test.transport.next()
            try test.register(hooks[0], url: "https://other.test/")
            test.dispatcher.hookChanged(hooks[0])
            call.end(status)
            let second = await test.transport.next()
            #expect(second.request.url.text == "https://other.test/")
            #expect(second.id == id)
            second.end(200)
            #expect(await test.transport.next().text == "2")
            #expect(test.directory.state.withLock { $0.disabled } == [:])
            #expect(await test.deliveries(.dead) == [])
        }
    }

    @Test("what waits for a hook that is removed goes dead, what is a director's goes with it")
    func removed() async throws {
        try await TestDispatcher.run { test in
            let ids = [try await test.notify("1"), try await test.notify("2")]
            let call = await test.transport.next()
            test.directory.state.withLock { $0.hooks[hooks[0]] = nil }
            test.dispatcher.hookRemoved(hooks[0])
            await test.settle()
            #expect(await test.deliveries(.dead).map(\.id) == [ids[1]])
            call.end(200)
            await test.settle()
            let third = try await test.notify("3")
            await test.settle()
            #expect(await test.dispatcher.delivery(third)?.delivery.lastError == "the hook was removed")
            let other = try await test.notify(hooks[1], "other")
            let last = await test.transport.next()
            test.dispatcher.forget(director: "contacts", epoch: "e0")
            await test.settle()
            #expect(await test.deliveries().count == 3)
            test.dispatcher.forget(director: "contacts", epoch: "e1")
            await test.settle()
            #expect(await test.deliveries().map(\.id) == [other])
            last.end(500)
            await test.settle()
            #expect(await test.deliveries() == [])
            #expect(try test.store.deliveries() == [])
            #expect(test.dispatcher.metrics.deliveries.forgotten == 3)
            #expect(test.transport.sent == 2)
        }
    }

    @Test("events that come in floods are one delivery for each interval, with the latest")
    func coalesced() async throws {
        try await TestDispatcher.run { test in
            let first = try await test.notify("1", coalesce: .milliseconds(100))
            for number in 2...50 {
                #expect(try await test.notify("\(number)", coalesce: .milliseconds(100)) == first)
            }
            #expect(test.transport.sent == 0)
            #expect(try test.store.deliveries().map(\.body) == [Array("50".utf8)])
            await test.advance(.milliseconds(99))
            #expect(test.transport.sent == 0)
            await test.advance(.milliseconds(1))
            let call = await test.transport.next()
            #expect(call.id == first && call.text == "50")
            // While it is under way the next one waits, and stands for all behind it, however long it takes.
            let second = try await test.notify("51", coalesce: .milliseconds(100))
            #expect(second != first)
            await test.advance(.seconds(1))
            #expect(try await test.notify("52", coalesce: .milliseconds(100)) == second)
            call.end(200)
            #expect(await test.transport.next().text == "52")
        }
    }
}
