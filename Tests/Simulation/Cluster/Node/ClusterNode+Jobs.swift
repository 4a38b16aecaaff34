import DirectorLife

import Journal

// The jobs beside looks: each reads at one moment, and its results are taken over at a later one, between two looks.
extension ClusterNode {
    /// Does the next thing of one lane: takes over the results of a job that has read, or has the next job read.
    func work() throws {
        guard runs else { return }
        for lane in FollowerMachine.Lane.allCases {
            if results[lane] != nil {
                guard callers == nil else { continue }
                return try takeOver(lane)
            }
            if let job = follower.nextJob(of: lane, world.instant()) {
                results[lane] = Result { () throws(JournalError) in try read(job) }
                return
            }
        }
    }

    private func takeOver(_ lane: FollowerMachine.Lane) throws {
        switch results.removeValue(forKey: lane) {
        case .success(let found)?:
            try take(found)
            follower.finished(lane)
        case .failure(let error)?:
            follower.failed(error, of: lane, isOfContent: error.isOfContent, world.instant())
            if !error.isOfContent { refuseLoading() }
        case nil: break
        }
        try performActions()
    }

    /// Loses the connection of a lane, and what was read with it.
    func loseJobs() throws {
        isReading = false
        for lane in FollowerMachine.Lane.allCases where results[lane] != nil {
            results[lane] = .failure(.unavailable("the connection is lost"))
        }
    }

    private func read(_ job: FollowerMachine.Job) throws(JournalError) -> Found {
        switch job {
        case .take(let rows, let leases):
            do {
                return .taken(try database.take(rows, by: number) { leases[$0] })
            } catch {
                throw .unavailable("\(error)")
            }
        case .load(let rows):
            try connectForReading()
            var found: [(LifeRow, LifeState, Int)] = []
            for row in rows {
                try database.checkReadable(row.id)
                guard let life = database.seen.lives[row.id], !life.isEnded else { continue }
                found.append((row, life.loaded, life.head))
            }
            return .lives(found)
        case .adopt(let rows):
            try connectForReading()
            for row in rows { try database.checkReadable(row.id) }
            return .ownership(rows.compactMap { database.seen.lives[$0.id] }.filter { !$0.isEnded })
        }
    }

    private func connectForReading() throws(JournalError) {
        guard !isReading else { return }
        if world.surrounding != .loadsBeforeBarrier { try waitForStandbys() }
        isReading = true
    }
}
