import DirectorLife
import Directors
import Feed
import Reactor

extension DirectorHost: StreamingActor {
    package nonisolated var newestVersion: Int { board.facts.version }

    /// Whether readers have sources asked, a moment ago; from any thread.
    package nonisolated var hasSourcesAtRead: Bool { board.facts.asksAtRead }

    package nonisolated func open(
        _ terms: SubscriptionTerms, on loop: EventLoop, isLate: Bool,
        completion: @escaping @Sendable (Opening, FeedHub) -> Void
    ) {
        send { host in
            // Behind the beginning of the stream, which does not wait for the answers.
            if host.asksAtRead { host.send { $0.askSourcesAtRead { _ in } } }
            host.answer(terms, on: loop, isLate: isLate, completion)
        }
    }

    var feedEnd: FeedEnd? { isRetired ? .moved : life.phase == .over ? .over : nil }
}
