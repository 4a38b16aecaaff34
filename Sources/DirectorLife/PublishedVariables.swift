import Directors
import HashTreeCollections
import JSONValues
import Notation

/// The variables of a director when it published a version: those that a view of that version reads.
package enum PublishedVariables: Sendable {
    /// They are not known any more: the version was read from a snapshot.
    case unknown
    /// There were none.
    case none
    /// These, which share their memory with those of other versions.
    case these(TreeDictionary<Name, JSONValue>)

    /// The variables of a director at this moment. Without any, nothing is retained.
    package init(of director: Director) {
        self = director.working.variables.isEmpty ? .none : .these(director.working.variables)
    }

    /// The variables by name; nil where they are not known.
    package var byName: TreeDictionary<Name, JSONValue>? {
        switch self {
        case .unknown: nil
        case .none: [:]
        case .these(let variables): variables
        }
    }
}

extension LifeState {
    /// The variables of the newest version where the working ones are others; nil where they are the same.
    package var unpublishedVariables: TreeDictionary<Name, JSONValue>? {
        guard let published = versions.retained.last?.variables.byName, published != director.working.variables
        else { return nil }
        return published
    }
}
