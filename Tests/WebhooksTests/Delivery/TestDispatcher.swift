import Directors
import Notation
import Reactor
import Testing

@testable import Webhooks

/// A dispatcher on a loop of its own, whose time, store, receivers and hooks a test has in its hands.
final class TestDispatcher: Sendable {
    let store: any DeliveryStore
    let transport: ScriptedTransport
    let directory = ScriptedDirectory()
    let dispatcher: WebhookDispatcher
    private let loop: EventLoop
    private let clock = ManualClock()

    static let hooks = ["a", "b", "c"].map {
        HookAddress(director: "contacts", epoch: "e1", level: .cell($0), event: "didSelect")
    }
    static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    /// Makes a dispatcher and starts it; the wall clock shows a time and goes on with the loop's.
    static func run(
        _ store: any DeliveryStore = MemoryDeliveryStore(), settings: DispatcherSettings = settings,
        at time: WallTime = WallTime(milliseconds: 1_700_000_000_000), living: [Name: String] = ["contacts": "e1"],
        _ test: (TestDispatcher) async throws -> Void
    ) async throws {
        let dispatcher = try TestDispatcher(store, settings, time)
        do {
            try await dispatcher.dispatcher.start(living: living)
            try await test(dispatcher)
        } catch {
            await dispatcher.loop.stopAndWait()
            throw error
        }
        await dispatcher.loop.stopAndWait()
    }

    /// No jitter, so that a test can say when.
    static let settings = DispatcherSettings(schedule: RetrySchedule(delays: [.seconds(5), .seconds(60)], jitter: 0))

    private init(_ store: any DeliveryStore, _ settings: DispatcherSettings, _ time: WallTime) throws {
        self.store = store
        loop = try EventLoop(name: "hooks", clock: clock)
        transport = ScriptedTransport(loop: loop)
        let start = clock.now()
        dispatcher = WebhookDispatcher(
            loop: loop, store: store, transport: transport, directory: directory, settings: settings,
            clock: { [clock] in time.advanced(by: .nanoseconds(Int64(clock.now() - start))) })
        for address in Self.hooks { try register(address) }
    }

    /// Registers a hook, or another in its place.
    func register(
        _ address: HookAddress, url: String = "http://receiver.test/hook", secrets: [String] = [secret],
        _ change: (inout EventHook) -> Void = { _ in }
    ) throws {
        var hook = EventHook(url: try HookURL(parsing: url), secrets: try secrets.map { try HookSecret($0) })
        change(&hook)
        directory.state.withLock { $0.hooks[address] = hook }
    }

    /// Notifies and waits for what is answered.
    @discardableResult
    func notify(_ drafts: DeliveryDraft...) async throws -> [String] {
        try await withCheckedContinuation { continuation in
            dispatcher.notify(drafts) { continuation.resume(returning: $0) }
        }.get()
    }

    /// Notifies the first hook.
    @discardableResult
    func notify(_ text: String, coalesce: Duration? = nil) async throws -> String {
        try await notify(Self.hooks[0], text, coalesce: coalesce)
    }

    /// Notifies a hook.
    @discardableResult
    func notify(_ address: HookAddress, _ text: String, coalesce: Duration? = nil) async throws -> String {
        let ids = try await notify(DeliveryDraft(address: address, body: Array(text.utf8), coalesce: coalesce))
        return try #require(ids.first)
    }

    /// Lets time pass, and what is due happen.
    func advance(_ duration: Duration) async {
        clock.advance(by: duration, waking: [loop])
        await settle()
    }

    /// Lets everything happen that needs nobody else: it all happens on the loop, and nothing leads to more than a dozen
    /// turns.
    func settle() async {
        for _ in 0..<12 { _ = await dispatcher.delivery("") }
    }

    /// Everything that is there.
    func deliveries(_ state: Delivery.State? = nil) async -> [Delivery] {
        await dispatcher.page(DeliveryFilter(state: state), offset: 0, limit: .max).deliveries
    }
}
