import DirectorLife
import Directors
import Views

/// How a view follows the news of its source.
extension ViewInstance {
    func handle(_ message: SourceNews) {
        switch message {
        case .beginning(let versions):
            // The whole list, after a part of it.
            if isBuilt, let newest = versions.last { update(to: newest) } else { begin(versions) }
        case .version(let version): update(to: version)
        case .defined(let definition):
            let before = director
            sourceDefinition = definition.withoutTargets
            define(since: before)
            // What a query selects has the properties of the director itself.
            if selection != nil { takeDefinition() }
        case .refresh: refresh()
        case .ended: retire(.moved)
        }
    }

    /// Makes the list of the oldest version, and brings it to the newest: so every version can be read, and resumed from,
    /// as if the instance had been there.
    private func begin(_ versions: [SourceVersion]) {
        let known = Array(versions.trimmingPrefix { plan.readsVariables && $0.variables == nil })
        guard let newest = known.last else { return }
        let replay = ViewReplay(
            plan, name: name, epoch: epoch, retention: environment.feed.retention, adapters: adapters)
        update(nil as View?, cost: SourceVersion.cost(ofAll: known)) { view in
            replay.shown(known, &view)
        } then: { instance, view, versions in
            instance.view = view
            if let view = instance.view, let versions { instance.show(view, versions, newest) }
        }
    }

    private func update(to version: SourceVersion) {
        guard isBuilt else { return begin([version]) }
        let variables = version.variables ?? [:]
        // Taken out, so that it is changed in its place.
        update(view.take(), cost: version.cost) { view in
            view?.apply(version.state, variables: variables)
        } then: { instance, view, change in
            instance.view = view
            if let view = instance.view { instance.show(view, change, version) }
        }
    }
}
