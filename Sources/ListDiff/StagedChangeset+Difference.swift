extension StagedChangeset {
    /// Finds the difference between two lists with sections.
    @inlinable
    public init(from source: [Section], to target: [Section]) {
        self.init(from: source, to: target, firstSection: 0)
    }

    /// Finds the difference between two plain lists.
    ///
    /// - Parameters:
    ///   - source: The list as it is shown.
    ///   - target: The list as it is to be shown.
    ///   - section: The section that the paths name, for a list that is one section of a longer one.
    @inlinable
    public init<Element>(from source: [Element], to target: [Element], section: Int = 0)
    where Section == LinearSection<Element> {
        self.init(from: [LinearSection(elements: source)], to: [LinearSection(elements: target)], firstSection: section)
    }

    @inlinable
    init(from source: [Section], to target: [Section], firstSection: Int) {
        var difference = Difference(from: source, to: target, firstSection: firstSection)
        self.init(stages: difference.stages())
    }
}
