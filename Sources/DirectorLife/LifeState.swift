import Directors

/// A director as it is stored, with its retained versions: what readers see, what a snapshot is made of, and what a
/// restart finds again.
///
/// An immutable copy costs a few references: it shares everything with the state that goes on.
package struct LifeState: Sendable {
    /// The director: its definition, its working state and what is published.
    package internal(set) var director: Director
    /// The versions that can be read, resumed from and spanned; the newest is the director's published one.
    package internal(set) var versions: VersionHistory
    /// The version that was published when the definition last changed; nil while it has not.
    ///
    /// A stream that resumes from there or before is told the definition.
    package internal(set) var definitionVersion: Int?
    /// The number of the newest record that led here; 0 before the first.
    package internal(set) var number: Int

    /// Makes a state of its parts.
    package init(director: Director, versions: VersionHistory, definitionVersion: Int? = nil, number: Int) {
        self.director = director
        self.versions = versions
        self.definitionVersion = definitionVersion
        self.number = number
    }

    /// Makes the state of a director of which nothing is stored yet.
    package init(new director: Director, retention: VersionRetention) {
        self.init(
            director: director,
            versions: VersionHistory(
                first: director.published, adapters: director.adapters, retention: retention),
            number: 0)
    }
}
