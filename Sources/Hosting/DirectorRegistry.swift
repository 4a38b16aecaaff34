import Notation
import Synchronization

/// The directors of a server by name; readable from any loop.
///
/// Looking a director up costs one uncontended lock. Names change rarely: only creating and deleting a director does.
package final class DirectorRegistry: Sendable {
    private let hosts = Mutex<[Name: DirectorHost]>([:])

    /// Told of each director that has come.
    private let observer: @Sendable (DirectorHost) -> Void

    /// Makes an empty registry.
    ///
    /// - Parameter observer: Called with each director that has come, once it can be found.
    package init(observer: @escaping @Sendable (DirectorHost) -> Void = { _ in }) {
        self.observer = observer
    }

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
        let insertion = hosts.withLock { hosts -> Insertion in
            if let other = hosts[host.name] { return .exists(other) }
            if hosts.count >= bound { return .full }
            hosts[host.name] = host
            return .added
        }
        if case .added = insertion { observer(host) }
        return insertion
    }

    /// Puts a director in the place of any other of its name.
    ///
    /// - Returns: The other one.
    package func replace(with host: DirectorHost) -> DirectorHost? {
        let earlier = hosts.withLock { $0.updateValue(host, forKey: Name(host.name)) }
        observer(host)
        return earlier
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
