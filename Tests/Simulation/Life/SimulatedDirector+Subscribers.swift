import DirectorLife
import Directors

extension SimulatedDirector {
    /// Connects a subscriber to a node: it resumes where that is possible, and begins with a snapshot otherwise.
    func connect(_ subscriber: Subscriber, to node: Node) throws {
        guard subscriber.node == nil, node.isUp, let model = node.stored, let subject = node.subject else { return }
        let stored = subject.life.stored
        guard subscriber.life == model.life else { return subscriber.begin(at: node, stored, model) }
        let version = subscriber.state.version
        // A node that is behind lets the subscriber wait.
        guard version <= model.version else { return }
        let frames = subject.changesets(after: version)
        guard version >= model.oldest else {
            try require(frames == nil, "a version can be resumed from that is too old")
            return subscriber.begin(at: node, stored, model)
        }
        guard let frames else { throw Violation("a version cannot be resumed from that is retained") }
        try require(frames.count == model.version - version, "a changeset that was missed is left out")
        for (index, frame) in frames.enumerated() { try keep(frame, of: version + index + 1, model) }
        try require(subject.causes(after: version) == model.causes(after: version), "other causes were missed")
        try subscriber.resume(at: node, stored, model, frames)
    }
}
