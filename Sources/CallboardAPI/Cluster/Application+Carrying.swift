import HTTPTypes
import Hosting
import Journal
import Reactor

// A command on a node among several: the director's owner carries it out, here or one hop away.
extension Application {
    /// Seconds for which a command waits for a director that is being taken over.
    private static let patience: LoopInstant = 2_000_000_000
    /// How long is waited until the owner is looked for again.
    private static let pause = Duration.milliseconds(20)

    /// Takes a command to the director's owner; on the connection's loop.
    func carry(_ call: Call, _ cluster: Cluster, hasLooked: Bool = false) {
        // One whose lease has run out may have lost the director, and may not know that the credential was revoked.
        if !cluster.hasLease, !hasLooked { return lookAndCarry(call, cluster) }
        let followed = viewAndSources(of: call)
        let subject = followed.last ?? call.parameters[0]
        switch cluster.destination(of: subject) {
        case .here:
            // The definition of a view may be another node's.
            if followed.count > 1, !hasLooked, !followed.allSatisfy({ cluster.isCurrent($0) }) {
                return lookAndCarry(call, cluster)
            }
            finish(call)
        case .nobody:
            if hasLooked, let problem = cluster.problem(of: [subject]) { return call.answer(problem) }
            carryLater(call, cluster)
        case .node(let node):
            // The node that has passed it on may know better.
            if call.isForwarded, !hasLooked { return lookAndCarry(call, cluster) }
            forward(call, to: node, cluster)
        case .unknown(let preferred):
            guard hasLooked else { return lookAndCarry(call, cluster) }
            if let problem = cluster.problem(of: [subject]) { return call.answer(problem) }
            guard case .define = call.route.action, let preferred, preferred.number != cluster.node else {
                return finish(call)
            }
            forward(call, to: preferred, cluster)
        }
    }

    /// The director of a report, or of a request about hooks; empty for every other request. A view is followed by its sources, up
    /// to those that this node has not loaded. The owner of the last one carries the request out.
    private func viewAndSources(of call: Call) -> [String] {
        let isReport = if case .report = call.route.action { true } else { false }
        return isReport || call.route.isOfHooks ? withSources([call.parameters[0]]) : []
    }

    private func lookAndCarry(_ call: Call, _ cluster: Cluster) {
        let followed = viewAndSources(of: call)
        look(at: followed.isEmpty ? [call.parameters[0]] : followed, cluster, call) { error in
            do throws(Problem) {
                if let error { throw .away(error) }
                try self.authenticateAgain(call)
            } catch {
                return call.answer(error)
            }
            // The look may have loaded a view.
            if self.viewAndSources(of: call).count > followed.count { return self.lookAndCarry(call, cluster) }
            self.carry(call, cluster, hasLooked: true)
        }
    }

    /// Looks for the owner again: there is none at this moment, or another one than was thought.
    func carryLater(_ call: Call, _ cluster: Cluster, because reason: String? = nil) {
        let loop = call.exchange.loop
        guard loop.now < call.start + Self.patience else {
            return call.answer(.withoutOwner(call.parameters[0], reason))
        }
        loop.schedule(after: Self.pause) { self.lookAndCarry(call, cluster) }
    }

    private func forward(_ call: Call, to node: JournalNode, _ cluster: Cluster) {
        guard !call.isForwarded else { return call.answerMoved() }
        guard let peers else { return call.answer(.withoutOwner(call.parameters[0], nil)) }
        peers.forward(call, to: node) { outcome in
            call.exchange.loop.execute {
                switch outcome {
                case .answered(let reply): call.answer(reply)
                case .moved: self.carryLater(call, cluster)
                case .unreachable(let reason): self.carryLater(call, cluster, because: reason)
                case .unanswered(let reason): call.answer(.unanswered(call.parameters[0], reason))
                }
            }
        }
    }
}

extension Call {
    /// Says to the node that has passed the request on that it belongs to another one.
    fileprivate func answerMoved() {
        var reply = Problem.withoutOwner(parameters[0], nil).reply(to: self)
        reply.furtherFields = [HTTPField(name: .callboardMoved, value: "1")]
        answer(reply)
    }
}

extension Problem {
    /// No node owns the director at this moment: 503.
    fileprivate static func withoutOwner(_ director: String, _ reason: String?) -> Problem {
        var problem = Problem(.elsewhere, director: director)
        if let reason { problem.detail += " The owner could not be reached: \(reason)." }
        return problem
    }

    /// The owner has not answered: 504.
    static func unanswered(_ director: String, _ reason: String) -> Problem {
        Problem(
            .notAnswered,
            "It is not known whether the change of \(director.quoted) was made (\(reason)). Repeat the request with "
                + "its Idempotency-Key; if it had none, read the director first.")
    }
}
