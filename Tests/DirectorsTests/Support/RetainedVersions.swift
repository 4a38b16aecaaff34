import JSONValues
import ListDiff

@testable import Directors

/// The last versions that a director has published, with what each of them looked like when it was new.
struct RetainedVersions {
    private var versions: [(state: PublishedState, form: String)] = []

    /// How many are retained: more would only repeat.
    static let limit = 5

    /// Retains the newest version, if it is a new one.
    mutating func append(_ director: Director) {
        guard director.version != versions.last?.state.version else { return }
        versions.append((director.published, form(director.published, director)))
        if versions.count > RetainedVersions.limit { versions.removeFirst() }
    }

    /// What is wrong with the versions; nil where nothing is.
    ///
    /// - Parameter change: Finds the change from one version to another.
    func fault(
        in director: Director, _ change: (Director, PublishedState, PublishedState) -> PublishedChange
    ) -> String? {
        for (state, form) in versions where self.form(state, director) != form {
            return "version \(state.version) is no longer what it was"
        }
        for (position, earlier) in versions.enumerated() {
            for later in versions[position...] {
                let change = change(director, earlier.state, later.state)
                let names = "from \(earlier.state.version) to \(later.state.version)"
                guard let replayed = try? earlier.state.list.array.applying(change.changeset) else {
                    return "the change \(names) does not fit"
                }
                guard replayed == later.state.list.array else { return "the change \(names) leads elsewhere" }
                guard change.counts == later.state.list.counts else { return "the change \(names) counts wrongly" }
            }
        }
        return nil
    }

    /// The sections as a read of the version answers them.
    private func form(_ state: PublishedState, _ director: Director) -> String {
        text { writer in
            for section in state.list.sections { section.encode(to: &writer, includingElements: true) }
        }
    }
}
