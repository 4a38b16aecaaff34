import DirectorLife
import Foundation
import Journal
import Notation

// A turn of the thread: waiting, what others want of it, and a look where one is due.
extension LifeFollower {
    /// Waits for something to do, and does it.
    ///
    /// - Returns: False once it has been stopped.
    func run() -> Bool {
        wait()
        let (jobs, isStopped) = requests.withLock { requests in
            defer { requests.jobs = [] }
            return (requests.jobs, requests.isStopped)
        }
        for job in jobs { job() }
        guard !isStopped else { return false }
        let now = ContinuousClock.now
        if let retryAt, now < retryAt {
            fail(status.withLock { $0.failure } ?? "the database is away")
            return true
        }
        look(now)
        return true
    }

    private func wait() {
        // What came along with an answer has been read already, and wakes nobody.
        if let connection, let texts = try? connection.takeNotifications() { note(texts) }
        var deadline = hinted.isEmpty ? nextLook : .now
        if let retryAt { deadline = max(deadline, retryAt) }
        let socket = connection?.socket ?? -1
        wakePipe.wait(beside: socket, until: deadline)
    }

    /// Makes a look at what is due, and tells those who wait.
    private func look(_ now: ContinuousClock.Instant) {
        do {
            do {
                if let connection { try note(connection.takeNotifications()) }
            } catch {
                connection = nil
            }
            // Whoever comes from here on waits for the next look.
            let (waiting, names, isAll) = takeWaiting()
            do {
                try look(now, names, isAll)
            } catch {
                for completion in waiting { completion(StorageError(JournalError(error))) }
                throw error
            }
            retryAt = nil
            status.withLock { $0.failure = nil }
            for completion in waiting { completion(nil) }
        } catch {
            connection = nil
            retryAt = .now + sharing.retryDelay
            nextLook = .now
            fail(JournalError(error).description)
            journal.fail(JournalError(error))
        }
    }

    /// Makes one look. A connection that turns out to be closed, or on which no answer comes in time, is replaced once, at
    /// once: the database may be well.
    private func look(_ now: ContinuousClock.Instant, _ names: Set<Name>, _ isAll: Bool) throws {
        let earlier = connection
        do {
            if isAll || now >= nextLook || earlier == nil {
                try lookAtAll(names, loading: sharing.loading)
            } else if !names.isEmpty || !hinted.isEmpty {
                try look(at: hinted, names)
            }
        } catch {
            guard let earlier, earlier.isLost else { throw error }
            connection = nil
            try lookAtAll(names, loading: sharing.loading)
        }
    }

    private func fail(_ reason: String) {
        status.withLock { $0.failure = reason }
        for completion in takeWaiting().waiting { completion(.unavailable(reason)) }
    }
}
