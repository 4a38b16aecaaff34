extension StagedChangeset {
    /// Finds the difference between two lists with sections.
    public init(from source: [Section], to target: [Section]) {
        self.init(stages: [
            Changeset(
                sectionDeleted: Array(source.indices),
                sectionInserted: target.enumerated().map { SectionChange(at: $0.offset, section: $0.element) }
            )
        ])
    }

    /// Finds the difference between two plain lists.
    public init<Element>(from source: [Element], to target: [Element], section: Int = 0)
    where Section == LinearSection<Element> {
        self.init(stages: [
            Changeset(
                elementDeleted: source.indices.map { ElementPath(section: section, element: $0) },
                elementInserted: target.enumerated().map {
                    ElementChange(at: ElementPath(section: section, element: $0.offset), element: $0.element)
                }
            )
        ])
    }
}
