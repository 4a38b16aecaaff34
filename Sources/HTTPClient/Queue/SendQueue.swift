/// Decides which request goes next: a value, so that it can be tested without sockets.
///
/// Every target has as many places as the limit says, and requests beyond them wait in its line; a target that answers
/// slowly fills its own places and nobody else's. Targets take turns, and so do the senders within a line. Questions go
/// before notifications, but for every eighth, so that these go on; and a quarter of the places are for questions alone.
///
/// Many slow targets together must not take all places that there are either: the last quarter of them is for targets
/// that have no request under way, and half of that for those among them that are to be asked something.
struct SendQueue {
    /// Questions that go before a notification that waits, at most.
    private static let questionsInARow = 8

    /// A request as the queue knows it.
    struct Entry {
        let target: HTTPTarget
        let urgency: ClientRequest.Urgency
        let sender: String
        let bytes: Int
        fileprivate(set) var isUnderWay = false

        init(_ request: ClientRequest) {
            target = request.url.target
            urgency = request.urgency
            sender = request.sender
            bytes = request.body.count
        }
    }

    /// What one target has.
    private struct Line {
        var underWay = 0
        var notificationsUnderWay = 0
        var questions = FairQueue()
        var notifications = FairQueue()
        var questionsInARow = 0
        var isListed = false

        var waiting: Int { questions.count + notifications.count }
    }

    private let limits: HTTPClientConfiguration
    private var entries: [UInt64: Entry] = [:]
    private var lines: [HTTPTarget: Line] = [:]
    /// The targets that have a place and something that waits for it, the next one first.
    private var turn = FIFO<HTTPTarget>()
    private var waitingBytes = 0
    private(set) var underWay = 0

    init(limits: HTTPClientConfiguration) {
        self.limits = limits
    }

    /// How many requests wait.
    var waiting: Int { entries.count - underWay }

    /// How many targets it knows, which are those with a request.
    var targets: Int { lines.count }

    /// Takes a request, or returns the limit that it would exceed. `id` has to be new.
    mutating func add(_ id: UInt64, _ entry: Entry) -> Int? {
        let waitingForTarget = lines[entry.target]?.waiting ?? 0
        if waitingForTarget >= limits.maxWaitingPerTarget { return limits.maxWaitingPerTarget }
        if waiting >= limits.maxWaiting || entry.bytes > limits.maxWaitingBytes - waitingBytes { return waiting }
        var line = lines.removeValue(forKey: entry.target) ?? Line()
        switch entry.urgency {
        case .question: line.questions.append(id, of: entry.sender)
        case .notification: line.notifications.append(id, of: entry.sender)
        }
        waitingBytes += entry.bytes
        entries[id] = entry
        put(line, for: entry.target)
        return nil
    }

    /// The next request that may go; it is under way from now on. To be called until it returns nil.
    ///
    /// - Complexity: O(1); O(the targets that wait) where the last quarter of the places is being given out.
    mutating func next() -> UInt64? {
        while let position = nextTurn, let target = turn.remove(at: position) {
            guard var line = lines.removeValue(forKey: target) else { continue }
            line.isListed = false
            guard let id = take(from: &line) else {
                // What waited has been given up meanwhile.
                put(line, for: target)
                continue
            }
            line.underWay += 1
            underWay += 1
            if let entry = entries[id] { waitingBytes -= entry.bytes }
            entries[id]?.isUnderWay = true
            put(line, for: target)
            return id
        }
        return nil
    }

    /// The position in the turn of the next target that may take one of the free places.
    private var nextTurn: Int? {
        let left = limits.maxConcurrent - underWay
        guard left > 0, !turn.isEmpty else { return nil }
        guard left <= limits.maxConcurrent / 4 else { return 0 }
        let isForQuestions = left <= limits.maxConcurrent / 8
        return turn.firstIndex { target in
            guard let line = lines[target] else { return true }
            return line.underWay == 0 && (!isForQuestions || line.questions.count > 0)
        }
    }

    /// Forgets a request that has ended or was given up, wherever it is; others may be able to go then.
    mutating func remove(_ id: UInt64) {
        guard let entry = entries.removeValue(forKey: id),
            var line = lines.removeValue(forKey: entry.target)
        else { return }
        if entry.isUnderWay {
            line.underWay -= 1
            underWay -= 1
            if entry.urgency == .notification { line.notificationsUnderWay -= 1 }
        } else {
            _ =
                entry.urgency == .question
                ? line.questions.remove(id, of: entry.sender) : line.notifications.remove(id, of: entry.sender)
            waitingBytes -= entry.bytes
        }
        put(line, for: entry.target)
    }

    private mutating func take(from line: inout Line) -> UInt64? {
        guard line.underWay < limits.concurrencyPerTarget else { return nil }
        let mayNotify = line.notifications.count > 0 && hasPlaceForNotification(line)
        if line.questionsInARow < Self.questionsInARow || !mayNotify, let id = line.questions.popFirst() {
            line.questionsInARow += 1
            return id
        }
        line.questionsInARow = 0
        guard mayNotify, let id = line.notifications.popFirst() else { return nil }
        line.notificationsUnderWay += 1
        return id
    }

    private func hasPlaceForNotification(_ line: Line) -> Bool {
        line.notificationsUnderWay < limits.concurrencyPerTarget - limits.concurrencyPerTarget / 4
    }

    /// Puts back a target's line, which was taken out to change it without a copy, and lists the target if a request
    /// could go.
    private mutating func put(_ line: Line, for target: HTTPTarget) {
        var line = line
        let mayGo =
            line.questions.count > 0 || line.notifications.count > 0 && hasPlaceForNotification(line)
        if !line.isListed, mayGo, line.underWay < limits.concurrencyPerTarget {
            line.isListed = true
            turn.append(target)
        }
        // A target that is listed keeps its line until its turn: it may be listed once only.
        lines[target] = line.underWay == 0 && line.waiting == 0 && !line.isListed ? nil : line
    }
}
