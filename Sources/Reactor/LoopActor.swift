/// An actor that lives on an event loop: its jobs run there, and code that the loop calls enters it without a hop.
///
/// A conforming actor stores its loop and gets its `unownedExecutor` from here. The order of what runs as a part of the
/// actor follows from the function: `onLoop` and `enter` on the loop run at once, before anything that waits in the loop's
/// queue; `send`, and `enter` elsewhere, run in the order in which they were handed to the loop.
///
/// Public, since the compiler inlines nothing across modules that is `package`: a call of an actor is then a few instructions.
public protocol LoopActor: Actor {
    /// The loop that the actor lives on; always the same one.
    nonisolated var loop: EventLoop { get }
    /// The priority of what is handed to the actor with `send`, and with `enter` from elsewhere.
    static var priority: LoopPriority { get }
}

extension LoopActor {
    /// The priority where an actor does not say another one.
    public static var priority: LoopPriority { .normal }

    /// The loop as the actor's executor. Called by the runtime.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Runs `body` as a part of the actor and returns its result; on the loop's thread only, elsewhere it traps.
    ///
    /// Unlike `assumeIsolated`, which allocates twice, it allocates nothing if `body` captures nothing: pass its inputs
    /// in `value`.
    @inlinable
    public nonisolated func onLoop<Value: Sendable, Result: Sendable>(
        _ value: Value, _ body: @escaping @Sendable (isolated Self, Value) -> Result
    ) -> Result {
        loop.checkIsolated()
        return IsolatedCall(call: body).plain.call(self, value)
    }

    /// Runs `body` as a part of the actor: at once where the caller is on the loop, else in the loop's queue.
    ///
    /// From any thread; the result of `body` is dropped. On the loop it allocates nothing where `body` captures nothing:
    /// what it needs goes into `value`.
    @inlinable
    public nonisolated func enter<Value: Sendable, Result>(
        _ value: Value, _ body: @escaping @Sendable (isolated Self, Value) -> Result
    ) {
        if loop.isCurrent {
            _ = IsolatedCall(call: body).plain.call(self, value)
        } else {
            send { _ = body($0, value) }
        }
    }

    /// Runs `body` as a part of the actor: at once where the caller is on the loop, else in the loop's queue.
    ///
    /// From any thread. A capture of `body` costs an allocation, also on the loop; `enter(_:_:)` with a value does not.
    @inlinable
    public nonisolated func enter(_ body: @escaping @Sendable (isolated Self) -> Void) {
        if loop.isCurrent {
            IsolatedBody(call: body).plain.call(self)
        } else {
            send(body)
        }
    }

    /// Runs `body` as a part of the actor in the loop's queue, after everything that was handed to the loop before with the
    /// actor's priority.
    ///
    /// From any thread, the loop's own included. It keeps the actor until then; a loop that has stopped never runs it.
    public nonisolated func send(_ body: @escaping @Sendable (isolated Self) -> Void) {
        loop.execute(at: Self.priority) { IsolatedBody(call: body).plain.call(self) }
    }
}

// A function is cast inside of a structure: by itself it would be wrapped in another function, which allocates.

/// A function that runs as a part of an actor.
@usableFromInline
struct IsolatedBody<Resident: Actor> {
    @usableFromInline let call: (isolated Resident) -> Void

    @inlinable
    init(call: @escaping (isolated Resident) -> Void) {
        self.call = call
    }

    /// The same function for a caller that is known to be on the actor's executor.
    @inlinable var plain: PlainBody<Resident> {
        // SAFETY: a function is called in the same way whether or not its parameter is isolated.
        unsafeBitCast(self, to: PlainBody<Resident>.self)
    }
}

/// See `IsolatedBody`.
@usableFromInline
struct PlainBody<Resident: Actor> {
    @usableFromInline let call: (Resident) -> Void
}

/// A function that runs as a part of an actor, with a value and a result.
@usableFromInline
struct IsolatedCall<Resident: Actor, Value, Result> {
    @usableFromInline let call: (isolated Resident, Value) -> Result

    @inlinable
    init(call: @escaping (isolated Resident, Value) -> Result) {
        self.call = call
    }

    /// The same function for a caller that is known to be on the actor's executor.
    @inlinable var plain: PlainCall<Resident, Value, Result> {
        // SAFETY: a function is called in the same way whether or not its first parameter is isolated.
        unsafeBitCast(self, to: PlainCall<Resident, Value, Result>.self)
    }
}

/// See `IsolatedCall`.
@usableFromInline
struct PlainCall<Resident: Actor, Value, Result> {
    @usableFromInline let call: (Resident, Value) -> Result
}
