import DequeModule
import Notation

// Reading records. One life that cannot be read is set aside, and everything else goes on.
extension FollowerMachine {
    /// What the driver reads.
    enum Reading: Sendable {
        case look(LifeDirectory.Scope)
        case tokens([Int])
        case fetch(FetchProgress)

        /// The lives that are read, and the reading of each by itself; nil where not lives are read, but which there are.
        var rows: (lives: [LifeRow], parts: [Work])? {
            switch self {
            case .look, .tokens: nil
            case .fetch(let progress): (progress.fetches.map(\.row), progress.fetches.map { .fetch([$0]) })
            }
        }
    }

    /// Has the driver read records, but for those of lives that are set aside.
    mutating func fetch(_ fetches: [Fetch], _ now: ContinuousClock.Instant) {
        let fetches = fetches.filter { !unreadable.isSetAside($0.row.id, now) }
        guard !fetches.isEmpty else { return }
        ask(.fetch(fetches), reading: .fetch(FetchProgress(fetches)))
    }

    /// Takes note that the driver has read what it was to read.
    mutating func finishReading(_ now: ContinuousClock.Instant) {
        switch reading {
        case .fetch(let progress)?:
            let missing = progress.missing
            status.restarts += missing.count
            load(missing, now)
        case .tokens(let digest)?: tokenDigest = digest
        case .look?, nil: break
        }
        reading = nil
    }

    // MARK: Records

    /// Whether records from a number on are the next ones of a life that is fetched; if not, the life is loaded.
    package mutating func isNext(_ first: Int, of id: Int) -> Bool {
        guard case .fetch(var progress)? = reading else { return false }
        defer { reading = .fetch(progress) }
        return progress.isNext(first, of: id) || planted.has(.globalCursor)
    }

    /// Takes note that the observer was given the records of a life up to a number.
    package mutating func performed(_ id: Int, through number: Int) {
        directory.fetched(id, through: number)
        guard case .fetch(var progress)? = reading else { return }
        progress.performed(id, through: number)
        reading = .fetch(progress)
    }

    // MARK: What cannot be read

    /// Reads each life by itself that could not be read with others, and sets aside one that cannot be read at all.
    mutating func split(_ rows: (lives: [LifeRow], parts: [Work]), _ reason: String, _ now: ContinuousClock.Instant) {
        if rows.lives.count > 1 { works.prepend(contentsOf: rows.parts) }
        // What was being read is left in the middle.
        works.prepend(.connect)
        if rows.lives.count == 1 { setAside(rows.lives[0], reason, now) }
    }

    mutating func setAside(_ row: LifeRow, _ reason: String, _ now: ContinuousClock.Instant) {
        directory.setAside(row)
        note(unreadable: row.id, row.name, reason, now)
    }

    private mutating func note(
        unreadable id: Int, _ name: LifeName, _ reason: String, _ now: ContinuousClock.Instant, isForGood: Bool = false
    ) {
        let isForGood = isForGood || planted.has(.unreadableForever)
        unreadable.put(id, name, until: now + (isForGood ? .seconds(1 << 40) : settings.unreadableRetry))
        if !planted.has(.unreadableIsShown) { actions.append(.setAside(name, because: reason)) }
    }

    /// Takes note that a life was read, or that there is none any more.
    mutating func noteReadable(_ id: Int) {
        if let name = unreadable.remove(id) { actions.append(.setAside(name, because: nil)) }
    }

    /// Reads lives again that could not be read a while ago.
    mutating func retryUnreadable(_ now: ContinuousClock.Instant) {
        for id in unreadable.due(now) {
            if let row = directory.lives[id]?.row { load([row], now) } else { noteReadable(id) }
        }
    }

    /// A row of a look. A damaged row stands as it was read last; its life is set aside, unless this node writes it.
    ///
    /// This node writes it for sure while its lease has not run out since the look before: past that another node may have
    /// taken the life, and the row does not say so.
    ///
    /// - Parameter begun: The lives that this node has begun, and that no look has found: what it has written is their row.
    mutating func row(_ found: FoundRow, _ begun: [Int: LifeName], _ now: ContinuousClock.Instant) -> LifeRow? {
        guard case .damaged(let id, let director, let reason) = found else {
            if case .life(let row) = found { return whole(row, now) }
            return nil
        }
        damagedRows.insert(id)
        if directory.lives[id] == nil, let name = begun[id], !planted.has(.damagedIsOver) {
            let row = LifeRow(id: id, name: name, owner: node, term: 0, head: 0)
            if let heldUntil, now < heldUntil { return row }
            directory.put(LifeDirectory.Life(row: row, number: 0, standing: .owned))
        }
        let known = directory.lives[id]
        if let known, known.standing == .owned || known.standing == .releasing {
            if let heldUntil, now < heldUntil { return known.row }
            lose([known.row.name])
            directory.lost(id)
        }
        if let known {
            setAside(known.row, reason, now)
        } else if let director {
            note(unreadable: id, LifeName(director: director, epoch: ""), reason, now)
        }
        return known?.row
    }
}

extension FollowerMachine {
    /// A row that could be read. The database was set back to a backup or standby that had less, if the row has fewer
    /// records than an earlier look has found, or than were acknowledged to this node before this look. Clients have
    /// then seen versions whose numbers other lists would get. The life is set aside until it has another epoch.
    private mutating func whole(_ row: LifeRow, _ now: ContinuousClock.Instant) -> LifeRow {
        if let name = setBack[row.id], name != row.name {
            setBack[row.id] = nil
            noteReadable(row.id)
        }
        guard let known = directory.lives[row.id], known.row.name == row.name, row.head < known.stored else {
            return row
        }
        if known.standing == .owned || known.standing == .releasing {
            lose([row.name])
            directory.lost(row.id)
        }
        setBack[row.id] = row.name
        directory.setAside(row)
        note(
            unreadable: row.id, row.name,
            "the database was set back: \(known.stored) records of the list were stored, and it holds \(row.head); stop all "
                + "nodes, and run \"callboard cluster new-epochs\"", now, isForGood: true)
        return row
    }
}

/// The state of a reading of records.
struct FetchProgress: Sendable {
    let fetches: [FollowerMachine.Fetch]
    /// The number that each life has come to; none for one whose next record is not there any more.
    private var numbers: [Int: Int]

    init(_ fetches: [FollowerMachine.Fetch]) {
        self.fetches = fetches
        numbers = Dictionary(fetches.map { ($0.row.id, $0.after) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func isNext(_ first: Int, of id: Int) -> Bool {
        guard let number = numbers[id] else { return false }
        if first != number + 1 { numbers[id] = nil }
        return first == number + 1
    }

    mutating func performed(_ id: Int, through number: Int) {
        if numbers[id] != nil { numbers[id] = number }
    }

    /// The lives of which the next record is not there, since a snapshot stands for it.
    var missing: [LifeRow] {
        fetches.map(\.row).filter { row in numbers[row.id].map { $0 < row.head } ?? true }
    }
}

/// Lives that cannot be read here: damaged, or of a kind that a newer program has written.
struct UnreadableLives: Sendable {
    private struct Life: Sendable {
        let name: LifeName
        /// When it is read again.
        let retryAt: ContinuousClock.Instant
    }

    private var lives: [Int: Life] = [:]

    /// Whether a life is not read now, since it could not be a moment ago.
    func isSetAside(_ id: Int, _ now: ContinuousClock.Instant) -> Bool {
        lives[id].map { now < $0.retryAt } ?? false
    }

    mutating func put(_ id: Int, _ name: LifeName, until retryAt: ContinuousClock.Instant) {
        lives[id] = Life(name: name, retryAt: retryAt)
    }

    mutating func remove(_ id: Int) -> LifeName? { lives.removeValue(forKey: id)?.name }

    func due(_ now: ContinuousClock.Instant) -> [Int] { lives.filter { $0.value.retryAt <= now }.keys.sorted() }
}
