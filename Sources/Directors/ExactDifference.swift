import ListDiff

/// The difference of two lists in which an element is updated whenever its value differs, whatever its adapter looks at.
///
/// Between neighbouring versions the adapter's word is enough: what it calls equal stays published as clients hold it.
/// Across several versions it is not. A value may have changed and changed back where the adapter looks, and stayed
/// changed where it does not; a client that skips those versions would keep what was published before.
enum ExactDifference {
    /// The stages from one list to the other.
    ///
    /// - Complexity: O(*n* log *n*) in the number of sections and elements of both.
    static func changeset(from source: [Section], to target: [Section]) -> StagedChangeset<Section> {
        let exact = StagedChangeset(from: source.map(ExactSection.init), to: target.map(ExactSection.init))
        return StagedChangeset(stages: exact.stages.map(plain))
    }

    private static func plain(_ stage: Changeset<ExactSection>) -> Changeset<Section> {
        Changeset(
            elementUpdated: stage.elementUpdated.map { ElementChange(at: $0.at, element: $0.element.element) },
            sectionDeleted: stage.sectionDeleted,
            elementDeleted: stage.elementDeleted,
            sectionInserted: stage.sectionInserted.map { SectionChange(at: $0.at, section: $0.section.plain) },
            sectionMoved: stage.sectionMoved,
            elementInserted: stage.elementInserted.map { ElementChange(at: $0.at, element: $0.element.element) },
            elementMoved: stage.elementMoved,
            sectionUpdated: stage.sectionUpdated.map { SectionChange(at: $0.at, section: $0.section.plain) })
    }
}

/// An element whose content is its whole value.
private struct ExactElement: Differentiable {
    let element: Element

    var differenceIdentifier: ElementIdentity { element.differenceIdentifier }

    func isContentEqual(to source: ExactElement) -> Bool {
        element === source.element || element.value == source.element.value
    }
}

/// A section of such elements.
private struct ExactSection: DifferentiableSection {
    let section: Section
    let elements: [ExactElement]

    init(_ section: Section) {
        self.section = section
        elements = section.elements.map(ExactElement.init)
    }

    init(copying section: ExactSection, elements: [ExactElement]) {
        self.section = section.section
        self.elements = elements
    }

    var differenceIdentifier: SectionIdentity { section.differenceIdentifier }

    var plain: Section { Section(copying: section, elements: elements.map(\.element)) }

    func isContentEqual(to source: ExactSection) -> Bool {
        section.isContentEqual(to: source.section)
    }
}
