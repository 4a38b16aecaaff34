/// A section of a list of which not every element is here, or which keeps them otherwise than the changesets' sections do.
package protocol PartialSection {
    /// The section as changesets bring it.
    associatedtype Whole: DifferentiableSection
    /// How a stage changes what the section keeps its elements in.
    associatedtype Edit: StageEdit where Edit.Element == Whole.Element

    /// The identity by which changesets know the section.
    var differenceIdentifier: Whole.DifferenceIdentifier { get }
    /// The storage of the section's elements.
    var content: Edit.Content { get }

    /// Makes a section of one that a changeset inserts.
    init(_ whole: Whole)
    /// Makes a section with the identity and content of one that a changeset updates.
    init(copying whole: Whole, content: Edit.Content)
    /// Makes a section with the identity and content of another one.
    init(copying section: Self, content: Edit.Content)
}

extension Array where Element: PartialSection {
    /// Replays one stage of a difference on a copy of the list, whole or not at all.
    ///
    /// - Parameters:
    ///   - changeset: What to replay.
    ///   - stage: The number of the stage, for errors; nil for what is replaced after the last one.
    /// - Complexity: O(*s* log *k*) for *s* sections and *k* operations, and that of the edits.
    /// - Throws: An operation that does not fit. If the list does not know an element, its identity is not checked.
    package func applying(_ changeset: Changeset<Element.Whole>, stage: Int?) throws(ChangesetError) -> [Element] {
        var replay = StageReplay<Element.Whole, Element.Edit>(changeset, stage: stage, count: count) {
            self[$0].content
        }
        try replay.placeSections { self[$0].differenceIdentifier }
        var changed = self
        for (section, content) in try replay.changedContents() {
            changed[section] = Element(copying: self[section], content: content)
        }
        for change in changeset.sectionUpdated {
            changed[change.at] = Element(copying: change.section, content: changed[change.at].content)
        }
        guard !replay.sections.leaving.isEmpty || !replay.sections.places.isEmpty else { return changed }
        return (0..<replay.sections.countAfter).map { place in
            switch replay.sections.origin(of: place) {
            case .kept(let section): changed[section]
            case .inserted(let index): Element(changeset.sectionInserted[index].section)
            }
        }
    }
}
