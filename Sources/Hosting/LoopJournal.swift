import DirectorLife
import Journal
import Reactor

/// The journal for the directors of one loop: the records of one turn go to the journal together, and their results
/// come back together.
///
/// Handing over takes a lock and may have to wake the writer, and its answer comes through the loop's queue; all of that
/// costs as much for a turn's records as for one of them. It also makes commits larger: a writer that found the first
/// record alone would be at its sync while the turn goes on to make more. A record waits for the end of the turn at most.
actor LoopJournal: LoopActor {
    /// The loop that the directors live on.
    nonisolated let loop: EventLoop

    /// Records after which the end of the turn is not waited for.
    static let limit = 1024

    private let journal: any Journal
    private var records: [LifeRecord] = []
    private var hosts: [DirectorHost] = []

    /// Makes the way to a journal for one loop.
    init(loop: EventLoop, journal: any Journal) {
        self.loop = loop
        self.journal = journal
    }

    /// Has a record stored; the host is told what became of it, for each of its records in their order.
    func append(_ record: LifeRecord, of host: DirectorHost) {
        if journal.isImmediate {
            return journal.append(record) { result in host.onLoop(result) { $0.settle($1) } }
        }
        records.append(record)
        hosts.append(host)
        if records.count == 1 {
            // What is handed in during a turn runs when the turn is over.
            send { $0.handOver() }
        } else if records.count == Self.limit {
            handOver()
        }
    }

    private func handOver() {
        guard !records.isEmpty else { return }
        let (records, hosts) = (records, hosts)
        self.records = []
        self.hosts = []
        journal.append(records) { [loop] first, results in
            // Through the queue even on the loop itself: what was answered before may still be in it.
            loop.execute { Self.settle(hosts[first...], results) }
        }
    }

    /// Tells hosts what became of their records; on their loop.
    private static func settle(
        _ hosts: ArraySlice<DirectorHost>, _ results: [Result<Void, StorageError>]
    ) {
        for (host, result) in zip(hosts, results) {
            host.onLoop(result) { $0.settle($1) }
        }
    }
}
