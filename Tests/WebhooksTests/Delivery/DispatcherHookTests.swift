import Directors
import Testing

@testable import Webhooks

/// What becomes of dead deliveries and of a hook's health when someone changes them.
@Suite(.timeLimit(.minutes(1)))
struct DispatcherHookTests {
    private let hooks = TestDispatcher.hooks

    // MARK: Removing

    @Test(
        "a dead delivery that is removed is gone, from the store too; one that waits and one that is unknown are refused"
    )
    func removedByRequest() async throws {
        let store = MemoryDeliveryStore()
        try await TestDispatcher.run(store) { test in
            let dead = try await test.notify("1")
            let waiting = try await test.notify("2")
            for delay in [5, 60, 0] {
                await test.transport.next().end(500)
                await test.settle()
                await test.advance(.seconds(delay))
            }
            #expect(await test.deliveries(.dead).map(\.id) == [dead])
            #expect(test.dispatcher.health(of: hooks[0]).dead == 1)
            #expect(await test.dispatcher.remove(waiting).refusal == .pending)
            #expect(await test.dispatcher.remove("msg_unknown").refusal == .unknown)
            #expect(await test.dispatcher.remove(dead).refusal == nil)
            #expect(await test.dispatcher.remove(dead).refusal == .unknown)
            #expect(await test.dispatcher.delivery(dead) == nil)
            #expect(try store.deliveries().map(\.id) == [waiting])
            #expect(test.dispatcher.metrics.deliveries.removed == 1 && test.dispatcher.metrics.dead.count == 0)
            #expect(test.dispatcher.health(of: hooks[0]).dead == 0)
        }
        try await TestDispatcher.run(store) { test in
            #expect(await test.deliveries(.dead).isEmpty)
        }
    }

    // MARK: Health

    @Test("health begins anew where the hook leads elsewhere, and an answer of the earlier target does not count")
    func movedHook() async throws {
        try await TestDispatcher.run { test in
            let (first, second) = (
                try HookURL(parsing: "http://receiver.test/hook"), try HookURL(parsing: "http://b.test/")
            )
            try await test.notify("1")
            await test.transport.next().end(200)
            await test.settle()
            #expect(test.dispatcher.health(of: hooks[0], at: first).lastSuccess != nil)
            // Until it is stored that the hook leads elsewhere, and until it is called, nothing is known of that.
            #expect(test.dispatcher.health(of: hooks[0], at: second) == HookHealth())
            #expect(test.dispatcher.health(of: hooks[0], at: nil) == HookHealth())
            try await test.notify("2")
            let late = await test.transport.next()
            try test.register(hooks[0], url: second.text)
            test.dispatcher.hookChanged(hooks[0], isElsewhere: true)
            await test.settle()
            late.end(500)
            let call = await test.transport.next()
            #expect(call.request.url.text == second.text)
            var health = test.dispatcher.health(of: hooks[0], at: second)
            #expect(health.lastError == nil && health.consecutiveFailures == 0 && health.waiting == 1)
            call.end(200)
            await test.settle()
            health = test.dispatcher.health(of: hooks[0], at: second)
            #expect(health.lastSuccess != nil && health.waiting == 0)
            #expect(test.dispatcher.health(of: hooks[0], at: first).lastSuccess == nil)
        }
    }

    @Test("the time that calls took is told by the latest 32, and begins anew with another target")
    func latency() throws {
        let board = DispatcherBoard()
        let (old, new) = (try HookURL(parsing: "http://a.test/"), try HookURL(parsing: "http://b.test/"))
        func latency(at target: HookURL) -> CallLatency { board.health(of: hooks[0], at: target).latency }
        #expect(latency(at: old).calls == 0 && latency(at: old).median == nil)
        func call(_ numbers: ClosedRange<Int>) {
            for number in numbers {
                board.took(HookCall(address: hooks[0], target: old, number: number), .milliseconds(number))
            }
        }
        call(1...20)
        #expect(latency(at: old).median == .milliseconds(10) && latency(at: old).percentile95 == .milliseconds(19))
        call(21...72)
        #expect(latency(at: old).calls == 32)
        #expect(latency(at: old).median == .milliseconds(56) && latency(at: old).percentile95 == .milliseconds(71))
        board.took(HookCall(address: hooks[0], target: new, number: 73), .seconds(7200))
        #expect(latency(at: new).calls == 1 && latency(at: new).median == .microseconds(UInt32.max))
    }

    @Test(
        "a 410 ends what waited, and not what is accepted once the hook was put anew before that is done",
        .timeLimit(.minutes(1)))
    func goneAndAnew() async throws {
        try await TestDispatcher.run { test in
            for text in ["1", "2"] { try await test.notify(text) }
            let call = await test.transport.next()
            test.directory.state.withLock { $0.beforeAnswer = { try await anew(test, "3") } }
            call.end(410)
            try await expectNext("3", dead: 2, in: test)
        }
    }

    @Test(
        "a hook that is gone ends what waited, and not what is accepted once it was put anew before that is done",
        .timeLimit(.minutes(1)))
    func removedAndAnew() async throws {
        try await TestDispatcher.run { test in
            test.directory.state.withLock {
                $0.hooks[hooks[0]] = nil
                $0.beforeAnswer = { try await anew(test, "2") }
            }
            try await test.notify("1")
            try await expectNext("2", dead: 1, in: test)
        }
    }

    @Test(
        "a 410 that answers a question ends what waited, and not what is accepted once the hook was put anew",
        .timeLimit(.minutes(1)))
    func askedAndAnew() async throws {
        try await TestDispatcher.run { test in
            try await test.notify("1")
            await test.transport.next().end(500)
            await test.settle()
            let hook = try #require(test.directory.state.withLock { $0.hooks[hooks[0]] })
            async let answer = test.dispatcher.ask(
                WebhookQuestion(id: "msg_q", address: hooks[0], hook: hook, body: Array("{}".utf8)))
            let call = await test.transport.next()
            test.directory.state.withLock { $0.beforeAnswer = { try await anew(test, "2") } }
            call.end(410)
            #expect(await answer == .failure(.status(410)))
            try await expectNext("2", dead: 1, in: test)
        }
    }

    @Test("a call that began before the hook was given its target counts for nothing once the new one was called")
    func lateCall() throws {
        let board = DispatcherBoard()
        let (old, new) = (try HookURL(parsing: "http://a.test/"), try HookURL(parsing: "http://b.test/"))
        let time = WallTime(milliseconds: 1)
        board.succeeded(HookCall(address: hooks[0], target: new, number: 2), at: time)
        board.failed(HookCall(address: hooks[0], target: old, number: 1), at: time, "late")
        #expect(board.health(of: hooks[0], at: new).lastError == nil)
        #expect(board.health(of: hooks[0], at: new).lastSuccess == time)
        board.failed(HookCall(address: hooks[0], target: old, number: 3), at: time, "back")
        #expect(board.health(of: hooks[0], at: old).lastError?.text == "back")
        #expect(board.health(of: hooks[0], at: old).lastSuccess == nil)
    }
}

extension Result where Success == Void {
    /// Why it was not done; nil where it was.
    fileprivate var refusal: Failure? {
        if case .failure(let refusal) = self { refusal } else { nil }
    }
}

/// Puts the first hook anew, and notifies it.
private func anew(_ test: TestDispatcher, _ text: String) async throws {
    try test.register(TestDispatcher.hooks[0], url: "https://other.test/")
    try await test.notify(text)
}

/// Expects a call of the first hook's new target, and what was ended before.
private func expectNext(_ text: String, dead: Int, in test: TestDispatcher) async throws {
    let call = await test.transport.next()
    #expect(call.text == text)
    call.end(200)
    await test.settle()
    #expect(await test.deliveries(.dead).count == dead)
    #expect(await test.deliveries(.pending).isEmpty)
}
