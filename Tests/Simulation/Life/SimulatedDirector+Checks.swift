import DirectorLife
import Directors

extension SimulatedDirector {
    /// Checks the numbers of a node's life, which takes little: after each step.
    func checkNumbers(_ node: Node) throws(Violation) {
        node.isTouched = false
        guard let life = node.subject?.life, let working = node.working else { return }
        try check("the working revision", life.working.revision, working.revision)
        try check("the number of variables", life.working.working.variables.count, working.variables.count)
        try check("the number of elements", life.working.working.list.elementCount, working.items.count)
        try require(life.working.working.causes.names == working.causes, "other causes wait")
        try check("the next record's number", life.lastNumber, node.workingNumber)
        try require(life.hasInFlight == !node.pending.isEmpty, "something is in flight, or nothing is, wrongly")
        _ = try isAdmitted(at: node)
        guard let stored = node.stored else { return }
        try check("the stored revision", life.stored.director.revision, stored.revision)
        try check("the published version", life.stored.versions.newest.version, stored.version)
        try check("the stored number", life.stored.number, node.storedNumber)
        try require(life.stored.definitionVersion == stored.definitionVersion, "another version has the definition")
    }

    /// Checks everything that a node holds and shows.
    func check(_ node: Node) throws(Violation) {
        try checkNumbers(node)
        guard let life = node.subject?.life else {
            return try require(node.stored == nil, "a node does not know the director")
        }
        if let working = node.working { try check(life.working, working) }
        guard let stored = node.stored else { return }
        try check(life.stored, stored)
        for subscriber in subscribers where subscriber.node === node { try subscriber.check(stored) }
    }

    /// Checks everything that is stored.
    func check(_ state: LifeState, _ model: Model) throws(Violation) {
        try check(state.director, model)
        try require(state.definitionVersion == model.definitionVersion, "another version has the definition")
        try require(state.versions.oldest == model.oldest, "other versions are retained")
        try require(
            state.versions.newest.list.identifiers == model.versions[model.version], "other elements are published")
    }

    private func check(_ director: Director, _ model: Model) throws(Violation) {
        try require(director.epoch == model.epoch, "the life is another one")
        try check("the revision", director.revision, model.revision)
        try check("the version", director.version, model.version)
        try require(director.working.list.identifiers == model.items, "the elements are others")
        try require(
            Set(director.working.variables.keys.map(\.text)) == Set(model.variables.map { "\($0)" }),
            "the variables are others")
        try require(director.working.causes.names == model.causes, "other causes wait")
        try require(director.properties == Fixture.properties(height: model.shown.height), "the properties are others")
        for (index, cell) in model.shown.cells.enumerated() {
            try require(
                director.adapters.cells[Fixture.models[index]]?.cell == "Cell\(cell)", "an adapter is another one")
        }
        for event in Fixture.events.indices {
            let hook = director.hooks[.scroll, Fixture.events[event]]
            try require(hook == model.hooks[event].map { Fixture.hook($0) }, "a hook is another one")
        }
    }

    private func check(_ what: String, _ found: Int, _ expected: Int) throws(Violation) {
        try require(found == expected, "\(what) is \(found), and has to be \(expected)")
    }
}
