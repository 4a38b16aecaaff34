import DirectorLife
import Directors
import Hosting
import Journal

// Nodes of several versions: an earlier one reads everything that is stored.
extension Application {
    /// Refuses the definition of a new director that nodes of an earlier version may be unable to read: 409.
    func checkVersion(of director: Director) throws(Problem) {
        if let problem = versionProblem(director, since: nil) { throw problem }
    }

    /// The refusal of a change that leaves a definition which nodes of an earlier version may be unable to read; nil if
    /// there is none. A definition that they could not read before is not refused.
    ///
    /// - Complexity: O(adapters) where the definition has changed at a node among several; else O(1).
    func versionProblem(_ draft: LifeDraft, on host: isolated DirectorHost) -> Problem? {
        guard draft.done.contains(.definition) else { return nil }
        return versionProblem(draft.director, since: host.draft().director)
    }

    private func versionProblem(_ director: Director, since earlier: Director?) -> Problem? {
        guard let cluster = environment.cluster else { return nil }
        let needed = Definition(of: director).contentVersion
        guard needed > cluster.contentVersion, needed > earlier.map({ Definition(of: $0).contentVersion }) ?? 0 else {
            return nil
        }
        return .conflict(
            "A node of an earlier version cannot read a view or the preview of an adapter. Once every node runs this "
                + "version, `callboard cluster upgrade` allows both.")
    }
}
