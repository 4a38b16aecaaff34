import ListDiff

/// The way from one published version of a director to a later one.
package struct PublishedChange: Sendable {
    /// The director's name.
    package let director: String

    /// Which life of that name.
    package let epoch: String

    /// The version that the stages start from.
    package let from: Int

    /// The version that they lead to.
    package let version: Int

    /// What the reload's caller wishes for; nil where nothing was said.
    package let animations: Animations?

    /// The stages.
    package let changeset: StagedChangeset<Section>

    /// The numbers of sections and elements at `version`.
    package let counts: ListCounts
}

extension Director {
    /// The difference between two published versions, for a client that has missed what lies between.
    ///
    /// It leads to the later state exactly, also where an adapter's `content` leaves parts of a value out. Between
    /// neighbouring versions the adapter's word is enough: what it calls equal stays published as clients hold it. Across
    /// several versions it is not. A value may have changed and changed back where the adapter looks, and stayed changed
    /// where it does not; a client that skips those versions would keep what was published before.
    ///
    /// - Complexity: O(*k* log *n*) for *k* sections and elements that the versions do not share, out of *n*.
    package func change(
        from earlier: PublishedState, to later: PublishedState, animations: Animations? = nil
    ) -> PublishedChange {
        PublishedChange(
            director: name, epoch: epoch, from: earlier.version, version: later.version, animations: animations,
            changeset: earlier.list.exactDifference(to: later.list), counts: later.list.counts)
    }

    /// A change that leaves the published version as it is: the answer of a reload that finds nothing to publish.
    package func unchanged(animations: Animations? = nil) -> PublishedChange {
        PublishedChange(
            director: name, epoch: epoch, from: published.version, version: published.version, animations: animations,
            changeset: StagedChangeset(stages: []), counts: published.list.counts)
    }
}

extension ListState {
    /// The difference to a later state in which an element is updated whenever its value differs, whatever its adapter
    /// looks at.
    fileprivate func exactDifference(to target: ListState) -> StagedChangeset<Section> {
        StagedChangeset(from: content, to: target.content, comparing: { $0.value == $1.value })
    }
}
