import DirectorLife
import Directors
import JSONValues
import Journal
import Logging
import Synchronization
import Testing

@testable import Hosting

/// The loop runs by itself here: the desk waits for it, and the journal for nothing.
@Suite("What hooks' targets bring about")
struct HookDeskTests {
    private static let level = HookLevel.cell("M")
    private static let address = HookAddress(director: "d", epoch: "e1", level: level, event: "didSelect")

    /// A desk with one director, whose hook has the given rights; and what the desk tells.
    private func run(
        rights: Effects = .ofAnswers, _ body: (HookDesk, DirectorHost, EventHook, () -> [String]) async throws -> Void
    ) async throws {
        try await HostBench.run(journal: HeldJournal(holds: false)) { bench in
            let host = bench.livingHost()
            let hook = EventHook(url: try HookURL(parsing: "http://a/"), secrets: [], rights: rights)
            bench.commit("hook", to: host) { draft in
                _ = draft.define { director in
                    (try? director.register(CellAdapter(model: "M", cell: "Cell"))) != nil
                        && (try? director.setHook(hook, on: "didSelect", at: Self.level)) == true
                }
            }
            _ = bench.environment.registry.insert(host, bound: 9)
            let desk = HookDesk(
                registry: bench.environment.registry, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let told = Mutex<[String]>([])
            desk.tell { deed in told.withLock { $0.append("\(deed.kind.rawValue) \(deed.change)") } }
            bench.stepper.release()
            try await body(desk, host, hook) { told.withLock { $0 } }
        }
    }

    @Test("a hook is found in its own life only")
    func finding() async throws {
        try await run { desk, _, hook, _ in
            #expect(await desk.hook(at: Self.address) == hook)
            let earlier = HookAddress(director: "d", epoch: "e0", level: Self.level, event: "didSelect")
            #expect(await desk.hook(at: earlier) == nil)
        }
    }

    @Test("a hook that has taken another's place is not disabled for that one's target")
    func disabling() async throws {
        try await run { desk, host, hook, told in
            var other = hook
            other.timeout = .seconds(1)
            #expect(await !desk.disable(other, at: Self.address, reason: "gone") && told().isEmpty)
            #expect(await desk.disable(hook, at: Self.address, reason: "gone") && told().count == 1)
            #expect(await host.storedHook(at: Self.address)?.disabledReason == "gone")
            #expect(await desk.disable(hook, at: Self.address, reason: "again") && told().count == 2)
        }
    }

    private static let batch = OperationBatch(
        operations: [.setVariable(name: "text", value: JSONValue(string: "x"))], reload: false, animations: nil)

    @Test("an answer is applied once for each event, however often it comes")
    func applying() async throws {
        try await run { _, host, hook, _ in
            let numbers = await (host.stored.number, host.apply(Self.batch, of: "1", from: Self.address, hook).outcome)
            #expect(numbers.1 == .applied)
            #expect(await host.stored.number == numbers.0 + 1)
            #expect(await host.apply(Self.batch, of: "1", from: Self.address, hook).outcome == .applied)
            #expect(await host.stored.number == numbers.0 + 1)
            #expect(await host.apply(Self.batch, of: "2", from: Self.address, hook).outcome == .applied)
            #expect(await host.stored.number == numbers.0 + 2)
        }
    }

    @Test("an answer does no more than the hook has the right to, and that is told")
    func rights() async throws {
        try await run(rights: []) { desk, host, hook, told in
            let before = await host.stored.number
            let answer = await host.apply(Self.batch, of: "1", from: Self.address, hook)
            guard case .refused(let reason) = desk.note(answer, Self.address) else {
                Issue.record("\(answer.outcome)")
                return
            }
            #expect(reason.hasPrefix("it needs rights that the hook does not have"))
            #expect(await host.stored.number == before)
            #expect(told() == ["applyHookAnswer refused"])
        }
    }

    @Test(
        "an answer of a target that was replaced meanwhile does nothing; one of the same target, what both hooks grant",
        arguments: [
            ("http://b/", Effects.ofAnswers, Effects.ofAnswers, false), ("http://a/", Effects(), .ofAnswers, false),
            ("http://a/", .ofAnswers, Effects(), false), ("http://a/", .ofAnswers, .ofAnswers, true),
        ])
    func former(target: String, before: Effects, now: Effects, isApplied: Bool) async throws {
        try await run(rights: now) { desk, host, hook, told in
            let called = EventHook(url: try HookURL(parsing: target), secrets: [], rights: before)
            let number = await host.stored.number
            let outcome = await desk.note(host.apply(Self.batch, of: "1", from: Self.address, called), Self.address)
            #expect((outcome == .applied) == isApplied)
            #expect(await host.stored.number == (isApplied ? number + 1 : number))
            #expect(told() == [isApplied ? told().first ?? "" : "applyHookAnswer refused"])
            if target == "http://b/" {
                #expect(outcome == .refused("the hook has led elsewhere since its target was called"))
            }
        }
    }
}
