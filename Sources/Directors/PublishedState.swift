/// What subscribers show at one version.
///
/// It does not change, and a copy of it costs nothing: versions that are retained share what they have in common.
package struct PublishedState: Sendable, Equatable {
    /// The number of the version, zero before the first reload.
    package let version: Int

    /// The visible projection of the working state at that reload.
    package let list: ListState
}
