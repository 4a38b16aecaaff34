extension StagedChangeset {
    /// Finds the difference between two lists with sections.
    ///
    /// Sections are paired first, then the elements of paired sections; an element of a section that comes or goes does so
    /// with it. Of each identifier as many occurrences are paired as both sides have, within the same section first, and
    /// what is paired is kept: it is neither deleted nor inserted. Within each stage, operations are listed in ascending
    /// order of where they are at or come from.
    ///
    /// No operation could be left out:
    /// - The sections that move are the kept ones less a longest increasing run; so are, section by section, the elements
    ///   that move within their section. An element that changes sections is one move.
    /// - Repeated identifiers are paired with the fewest moves: the elements that do not move are a longest common
    ///   subsequence of the identifiers. This holds as long as the pairs of equal identifiers in a section, without
    ///   what it begins and ends with on both sides, are no more than 65,536 and 32 for each element, and always where
    ///   one side only lost or only gained elements. Beyond that, no more move than if the first occurrence were paired
    ///   with the first, the second with the second and so on.
    /// - An element with the same content as its predecessor is not updated; if its value differs, it is in
    ///   `replaced`.
    ///
    /// This is for content that arrives whole. Two versions of a `PersistentList` are compared by what they do not share,
    /// with `init(from:to:shown:)`.
    ///
    /// - Parameters:
    ///   - source: The list as it is shown.
    ///   - target: The list as it is to be shown.
    /// - Precondition: Each side has fewer than 2³¹ - 1 elements.
    /// - Complexity: O(*n* log *n*) at most for *n* elements on both sides, and on average O(*n*) hashes and comparisons of
    ///   identifiers; a section whose `elements` are the same array in memory on both sides costs O(1).
    @inlinable
    public init(from source: [Section], to target: [Section]) {
        self.init(from: source, to: target, firstSection: 0)
    }

    /// Finds the difference between two plain lists, with what `init(from:to:)` promises for the elements of a section.
    ///
    /// - Parameters:
    ///   - source: The list as it is shown.
    ///   - target: The list as it is to be shown.
    ///   - section: The section in the paths, for a list that is a section of a longer one.
    /// - Precondition: Each side has fewer than 2³¹ - 1 elements.
    /// - Complexity: As `init(from:to:)` for one section.
    @inlinable
    public init<Element>(from source: [Element], to target: [Element], section: Int = 0)
    where Section == LinearSection<Element> {
        self.init(from: [LinearSection(elements: source)], to: [LinearSection(elements: target)], firstSection: section)
    }

    /// Finds the difference between two plain lists that are no arrays, such as a `Deque` or a lazy map.
    ///
    /// - Complexity: One copy of both, besides that of arrays.
    @inlinable
    public init<List: BidirectionalCollection>(from source: List, to target: List, section: Int = 0)
    where Section == LinearSection<List.Element> {
        self.init(from: Array(source), to: Array(target), section: section)
    }

    @inlinable
    init(from source: [Section], to target: [Section], firstSection: Int) {
        var difference = Difference(from: source, to: target, firstSection: firstSection)
        self = difference.changeset()
    }
}
