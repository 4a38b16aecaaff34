import Foundation

/// The secret that the nodes of a cluster share: what each of them derives its keys from, so that they have the same.
package struct SharedSecret: Sendable, Hashable {
    /// The fewest characters.
    package static let minimumLength = 32

    private let text: String

    /// Takes a secret; nil where it is too short to keep anyone out.
    package init?(_ text: String) {
        guard text.count >= Self.minimumLength else { return nil }
        self.text = text
    }

    /// A key of 32 bytes for one purpose; those for other purposes tell nothing of it.
    ///
    /// - Complexity: One SHA-256.
    package func key(for purpose: String) -> [UInt8] {
        sha256(of: Array("callboard \(purpose)\n\(text)".utf8))
    }
}
