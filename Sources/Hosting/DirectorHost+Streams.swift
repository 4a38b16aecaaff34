import DirectorLife
import Directors
import Feed
import Reactor

extension DirectorHost: StreamingActor {
    package nonisolated var newestVersion: Int { board.facts.version }

    package nonisolated func open(
        _ terms: SubscriptionTerms, on loop: EventLoop, isLate: Bool,
        completion: @escaping @Sendable (Opening, FeedHub) -> Void
    ) {
        send { $0.answer(terms, on: loop, isLate: isLate, completion) }
    }

    var feedEnd: FeedEnd? { isRetired ? .moved : life.phase == .over ? .over : nil }
}
