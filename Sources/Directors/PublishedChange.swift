import JSONValues
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

    /// The animations that the reload's caller wishes; nil if none were given.
    package let animations: Animations?

    /// The names of the mutations that `version` shows and `from` does not.
    package let causes: CauseList

    /// The stages, and the elements that are replaced after the last of them.
    package let changeset: StagedChangeset<Section>

    /// The numbers of sections and elements at `version`.
    package let counts: ListCounts

    /// The totals of a view at `version`; nil where they are as they were, and for a director with content of its own.
    package let totals: JSONValue?

    /// Makes a change of its parts.
    package init(
        director: String, epoch: String, from: Int, version: Int, animations: Animations?, causes: CauseList,
        changeset: StagedChangeset<Section>, counts: ListCounts, totals: JSONValue? = nil
    ) {
        self.director = director
        self.epoch = epoch
        self.from = from
        self.version = version
        self.animations = animations
        self.causes = causes
        self.changeset = changeset
        self.counts = counts
        self.totals = totals
    }
}

extension Director {
    /// The difference between two published versions, for a client that has missed what lies between.
    ///
    /// It leads to the later state exactly. An element is replaced if its content has changed and changed back, and the
    /// rest of its value has stayed changed.
    ///
    /// - Parameter causes: The names of the mutations that the later version shows and the earlier one does not.
    /// - Complexity: O(*k* log *n*) for *k* sections and elements that the versions do not share, out of *n*.
    package func change(
        from earlier: PublishedState, to later: PublishedState, animations: Animations? = nil,
        causes: CauseList = CauseList()
    ) -> PublishedChange {
        PublishedChange(
            director: name, epoch: epoch, from: earlier.version, version: later.version, animations: animations,
            causes: causes,
            changeset: StagedChangeset(from: earlier.list.content, to: later.list.content),
            counts: later.list.counts, totals: later.version == version ? derivedFacts?.totals : nil)
    }

    /// A change that leaves the published version as it is: the answer of a reload that finds nothing to publish.
    package func unchanged(animations: Animations? = nil) -> PublishedChange {
        PublishedChange(
            director: name, epoch: epoch, from: published.version, version: published.version, animations: animations,
            causes: CauseList(),
            changeset: StagedChangeset(stages: []), counts: published.list.counts)
    }
}
