import Glibc
import Reactor

/// Looks names up as every program of this machine does (`getaddrinfo`): hosts file, then name servers.
///
/// A call waits as long as the system's resolver does; the caller's time-out does not shorten that. So the resolver has
/// threads of its own, with bounds on their number and on the waiting calls.
package struct SystemResolver: Resolver {
    /// The most addresses of one name that are looked at.
    private static let maxAddresses = 64
    private let threads: WaitingThreads

    /// Makes a resolver with so many look-ups at a time, and so many waiting.
    ///
    /// Names whose servers do not answer keep a thread for ten seconds and more, and must not hold up all others.
    package init(concurrency: Int = 64, maxWaiting: Int = 1024) {
        threads = WaitingThreads(name: "resolver", limit: concurrency, maxWaiting: maxWaiting)
    }

    /// The addresses of a name, in the resolver's order of preference (RFC 6724).
    package nonisolated(nonsending) func resolve(_ name: String) async throws(ResolutionError) -> [IPAddress] {
        let threads = threads
        let result: Result<[IPAddress], ResolutionError> = await withCheckedContinuation { continuation in
            let isTaken = threads.run { continuation.resume(returning: Self.lookUp(name)) }
            if !isTaken {
                continuation.resume(returning: .failure(ResolutionError("too many look-ups are under way")))
            }
        }
        return try result.get()
    }

    private static func lookUp(_ name: String) -> Result<[IPAddress], ResolutionError> {
        do throws(SystemError) {
            var addresses: [IPAddress] = []
            for address in try SocketAddress.resolve(host: name, port: 0).prefix(maxAddresses) {
                if let address = IPAddress(address), !addresses.contains(address) { addresses.append(address) }
            }
            return addresses.isEmpty ? .failure(ResolutionError("it has no address")) : .success(addresses)
        } catch {
            let isUnknown = error.number == ENOENT
            return .failure(ResolutionError(isUnknown ? "no such name, or no name server answers" : "\(error)"))
        }
    }
}
