import ListDiff

/// Brings a stream's events and the answers to loads into one order, for one task that takes the updates.
///
/// At most one event is read ahead, and at most as many loads are answered ahead as may be under way at once.
actor SparseListReader {
    typealias Update = LiveSparseList.Update
    /// Reads a part of a section as of a version.
    typealias Fetch = @Sendable (_ section: Int, _ version: Int, _ rows: Range<Int>) async throws -> [RemoteElement]

    private let events: EventStream.Iterator
    private let fetch: Fetch
    private let limits: LiveSparseList.Limits
    private let reconnect: ReconnectPolicy
    private let sleep: @Sendable (Duration) async throws -> Void

    private var follower: ListFollower<SparseList>
    private var queue: PageQueue
    /// The updates that nobody has taken yet.
    private var ready: [Update] = []
    private var waiters: [CheckedContinuation<Update?, any Error>] = []
    /// How the stream ended, once it has.
    private var end: Result<Update?, any Error>?
    /// The task that waits for the stream's next event.
    private var pull: Task<Void, Never>?
    /// The task that waits until loads may be tried again.
    private var pause: Task<Void, Never>?
    private var failures = 0

    init(
        events: EventStream.Iterator, reconnect: ReconnectPolicy, limits: LiveSparseList.Limits,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        fetch: @escaping Fetch
    ) {
        self.events = events
        self.fetch = fetch
        self.limits = limits
        self.reconnect = reconnect
        self.sleep = sleep
        follower = ListFollower(reconnect: reconnect)
        queue = PageQueue(limits: limits)
    }

    /// The list with everything that has arrived, whether or not somebody has taken it.
    var current: SparseList? { follower.list }

    deinit {
        pull?.cancel()
        pause?.cancel()
    }

    func next() async throws -> Update? {
        let update = ready.isEmpty ? nil : ready.removeFirst()
        // Loads that are always there must not keep the stream's events back.
        if !ready.contains(where: \.isOfStream) { readEvent() }
        if let update {
            startLoads()
            return update
        }
        if let end { return try end.get() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiters.append($0) }
        } onCancel: {
            Task { await self.cancel() }
        }
    }

    private func cancel() { pull?.cancel() }

    private func deliver(_ update: Update) {
        if waiters.isEmpty { ready.append(update) } else { waiters.removeFirst().resume(returning: update) }
    }
}

extension LiveSparseList.Update {
    fileprivate var isOfStream: Bool {
        if case .list = self { true } else { false }
    }
}

// MARK: - The stream

extension SparseListReader {
    private func readEvent(restartingAfter delay: Duration? = nil) {
        guard pull == nil, end == nil else { return }
        pull = Task { [weak self, events] in
            if let delay { await events.restart(after: delay) }
            let event: Result<StreamEvent?, any Error>
            do { event = .success(try await events.next()) } catch { event = .failure(error) }
            await self?.take(event)
        }
    }

    private func take(_ event: Result<StreamEvent?, any Error>) {
        pull = nil
        switch event {
        case .success(let event?):
            let (update, restart) = follower.take(event)
            if case .changed = update { trim() }
            if let update { deliver(.list(update)) }
            if restart != nil || !waiters.isEmpty { readEvent(restartingAfter: restart) }
            startLoads()
        case .success(nil): finish(.success(nil))
        case .failure(let error): finish(.failure(error))
        }
    }

    private func finish(_ result: Result<Update?, any Error>) {
        end = result
        pause?.cancel()
        for waiter in waiters { waiter.resume(with: result) }
        waiters.removeAll()
    }

    private func trim() {
        _ = follower.edit { $0.trim(to: limits.elements, newest: queue.newest) }
    }
}

// MARK: - Loads

extension SparseListReader {
    func load(_ rows: Range<Int>, inSection section: Int) {
        guard end == nil, let list = current, list.sections.indices.contains(section) else { return }
        let rows = rows.clamped(to: 0..<list.sections[section].elements.count)
        guard !rows.isEmpty else { return }
        _ = follower.edit { $0.sections[section].elements.touch(rows, by: queue.newest) }
        guard list.sections[section].elements.missing(in: rows) != nil else { return }
        queue.add(rows, inSection: section)
        startLoads()
    }

    private func startLoads() {
        guard pause == nil, end == nil else { return }
        while queue.hasRoom(ready: ready.count), let page = queue.next() {
            guard let list = current, list.sections.indices.contains(page.section),
                let rows = list.sections[page.section].elements.missing(in: page.rows)
            else { continue }
            let (load, version) = (queue.begin(), list.version)
            _ = follower.edit { $0.sections[page.section].elements.await(rows, by: load) }
            Task { [weak self, fetch] in
                let answer: Result<[RemoteElement], any Error>
                do { answer = .success(try await fetch(page.section, version, rows)) } catch {
                    answer = .failure(error)
                }
                await self?.take(answer, of: load)
            }
        }
    }

    private func take(_ answer: Result<[RemoteElement], any Error>, of load: Int) {
        queue.end(load)
        switch answer {
        case .success(let elements):
            failures = 0
            let arrived = fill(load, with: elements)
            trim()
            if !arrived.isEmpty, let list = current { deliver(.loaded(list, arrived)) }
        case .failure(let error):
            let rows = awaiting(load)
            _ = fill(load, with: [])
            // The changes after a version that the server has let go are on their way: what is missing then is asked for.
            if (error as? ClientError)?.status == 410 {
                for (section, rows) in rows { queue.add(rows, inSection: section) }
            } else if end == nil {
                deliver(.notLoaded(error))
            }
            waitBeforeLoads()
        }
        startLoads()
    }

    /// Puts a load's elements into the list; the paths where they have arrived.
    private func fill(_ load: Int, with elements: [RemoteElement]) -> [ElementPath] {
        follower.edit { list in
            list.sections.indices.flatMap { section in
                list.sections[section].elements.fill(load: load, with: elements).map {
                    ElementPath(section: section, element: $0)
                }
            }
        } ?? []
    }

    private func awaiting(_ load: Int) -> [(section: Int, rows: Range<Int>)] {
        (current?.sections ?? []).enumerated().flatMap { section, content in
            content.elements.awaiting(load).ranges.map { (section, $0) }
        }
    }

    /// Lets no load begin for a while, longer with each that fails.
    private func waitBeforeLoads() {
        let delay = reconnect.delay(failures: failures, serverDelay: nil, random: .random(in: 0..<1))
        failures += 1
        pause?.cancel()
        pause = Task { [weak self, sleep] in
            do { try await sleep(delay) } catch { return }
            await self?.resumeLoads()
        }
    }

    private func resumeLoads() {
        pause = nil
        startLoads()
    }
}
