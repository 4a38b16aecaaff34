import Notation
import Synchronization

/// The directors of a server by name; readable from any loop.
///
/// Looking a director up costs one uncontended lock. Names change rarely: only creating and deleting a director does.
package final class DirectorRegistry: Sendable {
    private let hosts = Mutex<[Name: DirectorHost]>([:])

    /// Makes an empty registry.
    package init() {}

    /// The director of a name.
    package func host(named name: String) -> DirectorHost? {
        hosts.withLock { $0[Name(name)] }
    }

    /// How many there are.
    package var count: Int { hosts.withLock { $0.count } }

    /// The result of adding a director.
    package enum Insertion {
        /// It is there now.
        case added
        /// One of this name was there already, and stays.
        case exists(DirectorHost)
        /// There are as many as the bound allows.
        case full
    }

    /// Adds a director unless its name is taken or there are too many.
    package func insert(_ host: DirectorHost, bound: Int) -> Insertion {
        hosts.withLock { hosts in
            if let other = hosts[host.name] { return .exists(other) }
            if hosts.count >= bound { return .full }
            hosts[host.name] = host
            return .added
        }
    }

    /// Puts a director in the place of any other of its name.
    ///
    /// - Returns: The other one.
    package func replace(with host: DirectorHost) -> DirectorHost? {
        hosts.withLock { $0.updateValue(host, forKey: Name(host.name)) }
    }

    /// Removes a director; another of the same name stays.
    package func remove(_ host: DirectorHost) {
        hosts.withLock { hosts in
            if hosts[host.name] === host { hosts[host.name] = nil }
        }
    }

    /// All directors, ordered by name. O(n log n).
    package func sorted() -> [DirectorHost] {
        hosts.withLock { Array($0.values) }.sorted { Name($0.name) < Name($1.name) }
    }
}
