import DirectorLife
import Directors
import Hosting
import Journal

// Nodes of several versions: an earlier one reads everything that is stored.
extension Application {
    /// Refuses the definition of a new director that nodes of an earlier version may be unable to read: 409.
    func checkVersion(of director: Director) throws(Problem) {
        if let cluster = environment.cluster, Definition(of: director).contentVersion > cluster.contentVersion {
            throw Problem.unreadableForEarlierNodes
        }
    }

    /// The refusal of a change that nodes of an earlier version may be unable to read; nil if there is none.
    ///
    /// - Complexity: That of ``DirectorHost/isUnreadableForEarlierNodes(_:)``.
    func versionProblem(_ draft: LifeDraft, on host: isolated DirectorHost) -> Problem? {
        host.isUnreadableForEarlierNodes(draft) ? .unreadableForEarlierNodes : nil
    }
}

extension Problem {
    /// 409, until every node is of this version.
    fileprivate static let unreadableForEarlierNodes = Problem.conflict(
        "A node of an earlier version cannot read this: a view, or a member or an event that is new. Once every node runs this "
            + "version, `callboard cluster upgrade` allows it.")
}
