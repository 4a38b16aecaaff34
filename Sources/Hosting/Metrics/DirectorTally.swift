import DirectorLife

/// One director's share in its server's counters, kept so that each change is counted once.
struct DirectorTally {
    private var retained = (versions: 0, bytes: 0)
    private var evaluations = 0

    /// Counts what is retained for the director now in place of what was counted before.
    mutating func note(versions: Int, bytes: Int, in phase: DirectorLife.Phase, _ counters: DirectorCounters) {
        let isThere = phase == .living || phase == .deleting
        let now = (versions: isThere ? versions : 0, bytes: isThere ? bytes : 0)
        if now.versions != retained.versions { counters.retainedVersions.add(now.versions - retained.versions) }
        if now.bytes != retained.bytes { counters.retainedBytes.add(now.bytes - retained.bytes) }
        retained = now
    }

    /// Counts what reloads have evaluated since the last time; a director without rows begins at zero again.
    mutating func note(evaluations now: Int, _ counters: DirectorCounters) {
        counters.evaluations.add(now >= evaluations ? now - evaluations : now)
        evaluations = now
    }
}
