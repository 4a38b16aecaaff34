import DirectorLife
import Directors
import HTTPWire
import JSONValues

/// One name on several nodes and in the journal, with its clients; everything that happens to it is checked.
final class SimulatedDirector {
    /// The fault that is planted.
    let fault: Fault?
    /// Every node's part.
    let nodes: [Node]
    /// The journal's part.
    var journal: SimulatedJournal
    /// The node that may write.
    var owner: Node
    /// Those who show the director.
    let subscribers: [Subscriber]
    /// The number of the newest command.
    var commands = 0
    /// The newest life.
    var life = 0
    /// The changesets as they were first sent, by life and version.
    var frames: [Int: [Int: [UInt8]]] = [:]

    /// Makes a director that is stored and that every node knows; or one that nobody has created.
    init(nodes count: Int, isEmpty: Bool, fault: Fault?) throws {
        self.fault = fault
        nodes = (0..<count).map { Node(index: $0, isWriter: $0 == 0) }
        owner = nodes[0]
        subscribers = (0..<Subscriber.count).map { _ in Subscriber() }
        journal = SimulatedJournal(isEmpty ? [] : [Written(Fixture.firstRecord, Model(life: 0))])
        guard !isEmpty else { return }
        for node in nodes {
            let subject = Subject(recovered: Fixture.firstState, answers: [], fault)
            node.begin(subject, stored: Model(life: 0), working: Model(life: 0), number: 1)
            node.told = 1
        }
        for (index, subscriber) in subscribers.enumerated() {
            subscriber.begin(at: nodes[index % count], Fixture.firstState, Model(life: 0))
        }
    }

    // MARK: Actions

    /// Does what a life asks for, and checks that it was to be expected.
    func handle(_ actions: [LifeAction], at node: Node, _ expected: ExpectedEffects) throws {
        var expected = expected
        for action in actions {
            switch action {
            case .store:
                try require(expected.isStored, "something is stored that need not be, or twice")
                expected.isStored = false
            case .publish(let change): try publish(change, at: node, &expected)
            case .outdateAnswers:
                try require(expected.isOutdated, "answers of hooks are outdated for nothing")
                expected.isOutdated = false
            case .hooksChanged(let changes): try expected.take(changes)
            case .answer(let id, let error): try answer(id, error, at: node)
            case .snapshot(let state):
                try require(expected.isSnapshot, "there is a snapshot that nobody asked for")
                expected.isSnapshot = false
                try keep(state, at: node)
            case .release, .releaseAll: throw Violation("what is short is freed elsewhere")
            case .forget:
                try require(expected.isForgotten, "a director is forgotten that is there")
                expected.isForgotten = false
            }
        }
        if let missing = expected.missing { throw Violation(missing) }
    }

    private func publish(_ change: StreamChange, at node: Node, _ expected: inout ExpectedEffects) throws {
        guard let model = node.stored else { throw Violation("something is published of what is not there") }
        switch change {
        case .published(let version):
            try require(
                version.change.version == expected.version, "version \(version.change.version) is published too early")
            try require(
                version.change.causes.names == model.shownCauses[version.change.version],
                "version \(version.change.version) names other causes")
            try require(expected.definitions == 0, "a version is published before the definition that it needs")
            expected.version = nil
            guard let frame = version.frame else { throw Violation("a short changeset is not encoded") }
            try keep(frame, of: version.change.version, model)
            for subscriber in subscribers where subscriber.node === node {
                try subscriber.apply(version.change, model)
            }
        case .defined(let frame, _):
            try require(expected.definitions > 0, "a definition is shown too early, or once too often")
            expected.definitions -= 1
            for subscriber in subscribers where subscriber.node === node {
                subscriber.define(try Model.Shown(reading: frame), model)
            }
        case .announced(let event, _):
            try require(expected.isRefreshed, "something is drawn anew for nothing")
            let version = try JSONDocument(Array(event.frame.json)).root["version"]?.int
            try require(version == model.version, "another version is drawn anew than subscribers show")
            expected.isRefreshed = false
        case .ended:
            try require(expected.isEnded, "an end is told too early")
            expected.isEnded = false
            for subscriber in subscribers where subscriber.node === node { subscriber.disconnect() }
        }
    }

    /// Keeps a changeset as it was first sent: it is the same on every node and for those who come later.
    func keep(_ frame: EventFrame, of version: Int, _ model: Model) throws(Violation) {
        let earlier = frames[model.life]?[version]
        try require(earlier == nil || earlier == frame.storage, "a changeset is sent in two forms")
        frames[model.life, default: [:]][version] = frame.storage
    }

    private func answer(_ id: CommandID, _ error: StorageError?, at node: Node) throws(Violation) {
        guard let first = node.pending.first else { throw Violation("a command is answered twice") }
        try require(first.id == id, "command \(id.value) is answered before \(first.id.value)")
        node.pending.removeFirst()
        if error == nil {
            try require(!first.isLost, "a command is acknowledged that stood on a lost one")
            try require(first.written?.isDurable ?? true, "a command is acknowledged that is not stored")
        } else {
            try require(first.isLost, "a command is answered with an error though nothing was lost")
            try require(first.written?.isDurable != true, "a command is answered with an error, and is stored")
        }
    }

    private func keep(_ state: LifeState, at node: Node) throws {
        guard let model = node.stored else { throw Violation("there is a snapshot of what is not there") }
        try require(state.number == node.storedNumber, "a snapshot has another number than what is stored")
        try check(state, model)
        for version in state.versions.retained {
            let identifiers = version.state.list.identifiers
            try require(identifiers == model.versions[version.version], "a retained version has other elements")
        }
        journal.keep(state, count: node.told)
    }
}
