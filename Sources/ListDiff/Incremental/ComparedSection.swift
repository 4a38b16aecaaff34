/// An element that is compared in a way of the caller's.
struct ComparedElement<Element: Differentiable>: Differentiable {
    let element: Element
    let compare: (Element, Element) -> Bool

    var differenceIdentifier: Element.DifferenceIdentifier { element.differenceIdentifier }

    func isContentEqual(to source: Self) -> Bool {
        compare(element, source.element)
    }
}

/// A section of such elements.
struct ComparedSection<Section: DifferentiableSection>: DifferentiableSection {
    let section: Section
    let elements: [ComparedElement<Section.Element>]

    init(_ section: Section, _ compare: @escaping (Section.Element, Section.Element) -> Bool) {
        self.section = section
        elements = section.elements.map { ComparedElement(element: $0, compare: compare) }
    }

    init(copying section: Self, elements: [ComparedElement<Section.Element>]) {
        self.section = section.section
        self.elements = elements
    }

    var differenceIdentifier: Section.DifferenceIdentifier { section.differenceIdentifier }

    func isContentEqual(to source: Self) -> Bool {
        section.isContentEqual(to: source.section)
    }

    var plain: Section {
        Section(copying: section, elements: elements.map(\.element))
    }

    static func stages(
        from source: some Sequence<Section>, to target: some Sequence<Section>,
        _ compare: @escaping (Section.Element, Section.Element) -> Bool
    ) -> [Changeset<Section>] {
        var sides: (source: [Self], target: [Self]) = ([], [])
        for section in source { sides.source.append(Self(section, compare)) }
        for section in target { sides.target.append(Self(section, compare)) }
        var stages: [Changeset<Section>] = []
        for stage in StagedChangeset(from: sides.source, to: sides.target).stages { stages.append(plain(stage)) }
        return stages
    }

    private static func plain(_ stage: Changeset<Self>) -> Changeset<Section> {
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
