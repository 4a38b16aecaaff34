import CLinux
import Glibc

/// Starts the threads of event loops and remembers which loop a thread belongs to.
enum LoopThread {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        // SAFETY: the key is made once and written during the call. No destructor: the thread owns its loop.
        precondition(pthread_key_create(&key, nil) == 0, "no thread-specific storage left")
        return key
    }()

    /// The loop whose thread this is.
    static var currentLoop: EventLoop? {
        get {
            guard let pointer = pthread_getspecific(key) else { return nil }
            // SAFETY: set below to a loop that its running thread keeps alive, and cleared before that thread ends.
            return Unmanaged<EventLoop>.fromOpaque(pointer).takeUnretainedValue()
        }
        set {
            // SAFETY: see above; the pointer is not owned.
            pthread_setspecific(key, newValue.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
        }
    }

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts a detached thread that runs `body`.
    static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        // SAFETY: the new thread takes over the reference; if there is none, it is given back below.
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                // SAFETY: the argument is the reference retained above, taken over exactly once.
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                _ = pthread_setname_np(pthread_self(), String(start.name.prefix(15)))
                start.body()
                return nil
            }, start.toOpaque())
        guard result == 0 else {
            start.release()
            throw SystemError(call: "pthread_create", number: result)
        }
        pthread_detach(thread)
    }
}
