/// Finds the addresses of names.
package protocol Resolver: Sendable {
    /// The addresses of a host, in the order in which they are to be tried; none is an error.
    nonisolated(nonsending) func resolve(_ name: String) async throws(ResolutionError) -> [IPAddress]
}

/// A name that has no address, or could not be looked up.
package struct ResolutionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why, in words.
    package let description: String

    /// Makes an error.
    package init(_ description: String) {
        self.description = description
    }
}
