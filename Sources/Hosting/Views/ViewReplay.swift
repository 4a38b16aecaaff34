import DirectorLife
import Directors
import Feed
import HTTPWire
import Views

/// The versions of a view that follow from retained versions of its source.
struct ViewReplay: Sendable {
    private let plan: ViewPlan
    private let name: String
    private let epoch: String
    private let retention: VersionRetention
    /// The view's own adapters.
    private let adapters: AdapterRegistry

    init(_ plan: ViewPlan, name: String, epoch: String, retention: VersionRetention, adapters: AdapterRegistry) {
        (self.plan, self.name, self.epoch, self.retention) = (plan, name, epoch, retention)
        self.adapters = adapters
    }

    /// Makes the view of the first version, and brings it to the last.
    ///
    /// - Parameters:
    ///   - versions: Retained versions, oldest first.
    ///   - view: The view of the last version.
    /// - Returns: The versions that have changed the view, with their changesets; nil without versions.
    /// - Complexity: That of a view of the first version, and of its update to each of the others.
    func shown(_ versions: [SourceVersion], _ view: inout View?) -> VersionHistory? {
        guard let first = versions.first else { return nil }
        var made = View(plan, of: first.state, variables: first.variables ?? [:])
        var history = VersionHistory(
            first: made.published, adapters: first.definition.adapters.overlaid(by: adapters), retention: retention)
        for version in versions.dropFirst() {
            guard let change = made.apply(version.state, variables: version.variables ?? [:]) else { continue }
            let published = change.published(
                as: name, epoch: epoch, animations: version.animations, causes: version.causes)
            history.append(
                PublishedState(version: change.version, list: made.list),
                adapters: version.definition.adapters.overlaid(by: adapters),
                changeset: history.retention.admits(published) ? RetainedChangeset(published) : nil,
                causes: published.causes)
        }
        history.extend(through: made.version)
        view = made
        return history
    }
}
