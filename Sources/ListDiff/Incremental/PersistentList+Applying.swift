extension PersistentList where Element: PersistentSection {
    /// Replays a changeset, one stage of a difference, on a copy of the list.
    ///
    /// - Throws: An operation that does not fit, as stage 0: the same that `applying(_:)` on an array refuses.
    @inlinable
    public func applying(_ changeset: Changeset<Element>) throws(ChangesetError) -> Self {
        Self(try Array(self).applying(changeset))
    }

    /// Replays the stages of a difference one after the other on a copy of the list.
    ///
    /// - Throws: An operation that does not fit the list as the stages before have left it.
    @inlinable
    public func applying(_ changeset: StagedChangeset<Element>) throws(ChangesetError) -> Self {
        Self(try Array(self).applying(changeset))
    }
}

extension PersistentList {
    /// Replays the difference of two plain lists on a copy of the list.
    ///
    /// - Parameters:
    ///   - changeset: What to replay.
    ///   - section: The section that the changeset speaks of, as it was given when the difference was found.
    /// - Throws: An operation that does not fit; one on another section is out of range, one on sections is refused.
    @inlinable
    public func applying(
        _ changeset: StagedChangeset<LinearSection<Element>>,
        section: Int = 0
    ) throws(ChangesetError) -> Self {
        Self(try Array(self).applying(changeset, section: section))
    }
}
