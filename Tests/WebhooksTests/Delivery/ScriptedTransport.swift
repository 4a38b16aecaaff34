import Directors
import HTTPClient
import Reactor
import Synchronization

@testable import Webhooks

/// A transport whose answers a test gives, request by request; it lives on the dispatcher's loop, as the real one does.
actor ScriptedTransport: WebhookTransport {
    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// A request that waits for its answer.
    struct Call: Sendable {
        let request: ClientRequest
        private let answer: @Sendable (Result<ClientResponse, ClientFailure>) -> Void

        fileprivate init(
            _ request: ClientRequest, answer: @escaping @Sendable (Result<ClientResponse, ClientFailure>) -> Void
        ) {
            self.request = request
            self.answer = answer
        }

        func end(_ result: Result<ClientResponse, ClientFailure>) { answer(result) }

        func end(_ status: Int, _ body: String = "", retryAfter: RetryAfter? = nil) {
            end(.success(ClientResponse(status: status, body: Array(body.utf8), retryAfter: retryAfter)))
        }

        func field(_ name: String) -> String? { request.fields.last { $0.name == name }?.value }

        var id: String? { field("webhook-id") }
        var text: String { String(decoding: request.body, as: UTF8.self) }
    }

    private struct State {
        var calls: [Call] = []
        var open: [Int: CheckedContinuation<Result<ClientResponse, ClientFailure>, Never>] = [:]
        var sent = 0
        var waiter: CheckedContinuation<Call, Never>?
    }

    private nonisolated let state = Mutex(State())

    /// Requests that no test has looked at yet.
    nonisolated var unseen: Int { state.withLock { $0.calls.count } }

    /// Requests that have been sent in all.
    nonisolated var sent: Int { state.withLock { $0.sent } }

    func send(_ request: ClientRequest) async -> Result<ClientResponse, ClientFailure> {
        let number = state.withLock { state in
            state.sent += 1
            return state.sent
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let call = Call(request) { self.end(number, $0) }
                let waiter = state.withLock { state in
                    state.open[number] = continuation
                    defer { state.waiter = nil }
                    if state.waiter == nil { state.calls.append(call) }
                    return state.waiter
                }
                waiter?.resume(returning: call)
            }
        } onCancel: {
            end(number, .failure(.cancelled))
        }
    }

    private nonisolated func end(_ number: Int, _ result: Result<ClientResponse, ClientFailure>) {
        state.withLock { $0.open.removeValue(forKey: number) }?.resume(returning: result)
    }

    /// The next request, in the order in which they were sent; for one test at a time.
    nonisolated func next() async -> Call {
        await withCheckedContinuation { continuation in
            let call: Call? = state.withLock { state in
                guard state.calls.isEmpty else { return state.calls.removeFirst() }
                state.waiter = continuation
                return nil
            }
            if let call { continuation.resume(returning: call) }
        }
    }
}

/// A directory of hooks that a test changes.
final class ScriptedDirectory: HookDirectory {
    struct State {
        var hooks: [HookAddress: EventHook] = [:]
        var disabled: [HookAddress: String] = [:]
        var answers: [String] = []
        var outcome = ApplyOutcome.applied
        /// Called once an answer is found and before it is given.
        var beforeAnswer: (@Sendable () async throws -> Void)?

        mutating func takeBeforeAnswer() -> (@Sendable () async throws -> Void)? {
            defer { beforeAnswer = nil }
            return beforeAnswer
        }
    }

    let state = Mutex(State())

    nonisolated(nonsending) func hook(at address: HookAddress) async -> EventHook? {
        let (hook, meanwhile) = state.withLock { ($0.hooks[address], $0.takeBeforeAnswer()) }
        try? await meanwhile?()
        return hook
    }

    nonisolated(nonsending) func disable(_ hook: EventHook, at address: HookAddress, reason: String) async -> Bool {
        let (isDisabled, meanwhile) = state.withLock { state -> (Bool, (@Sendable () async throws -> Void)?) in
            guard state.hooks[address] == hook else { return (false, nil) }
            state.hooks[address]?.disabledReason = reason
            state.disabled[address] = reason
            return (true, state.takeBeforeAnswer())
        }
        try? await meanwhile?()
        return isDisabled
    }

    nonisolated(nonsending) func apply(
        _ answer: [UInt8], of delivery: Delivery, by _: EventHook
    ) async -> ApplyOutcome {
        state.withLock { state in
            state.answers.append("\(delivery.id) \(String(decoding: answer, as: UTF8.self))")
            return state.outcome
        }
    }
}
