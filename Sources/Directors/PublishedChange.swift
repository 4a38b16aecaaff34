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
    /// It leads to the later state exactly, also where an adapter's `content` leaves parts of a value out.
    ///
    /// - Complexity: O(*n*) in the number of sections and elements of both.
    package func change(
        from earlier: PublishedState, to later: PublishedState, animations: Animations? = nil
    ) -> PublishedChange {
        let (source, target) = (earlier.list.sections, later.list.sections)
        let changeset =
            hasContentPointers
            ? ExactDifference.changeset(from: source, to: target) : StagedChangeset(from: source, to: target)
        return PublishedChange(
            director: name, epoch: epoch, from: earlier.version, version: later.version, animations: animations,
            changeset: changeset, counts: later.list.counts)
    }

    /// A change that leaves the published version as it is: the answer of a reload that finds nothing to publish.
    package func unchanged(animations: Animations? = nil) -> PublishedChange {
        PublishedChange(
            director: name, epoch: epoch, from: published.version, version: published.version, animations: animations,
            changeset: StagedChangeset(stages: []), counts: published.list.counts)
    }
}
