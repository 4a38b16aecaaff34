extension Changeset: Equatable where Section: Equatable, Section.Element: Equatable {
    /// Whether both have the same operations, in whatever order within a member.
    ///
    /// Linear in the operations where they come in the same order, otherwise that of sorting them.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        left.operationCount == right.operationCount
            && left.sectionDeleted.isSame(as: right.sectionDeleted) { $0 }
            && left.elementDeleted.isSame(as: right.elementDeleted) { $0 }
            && left.sectionMoved.isSame(as: right.sectionMoved) { $0.from }
            && left.elementMoved.isSame(as: right.elementMoved) { $0.from }
            && left.sectionInserted.isSame(as: right.sectionInserted) { $0.at }
            && left.sectionUpdated.isSame(as: right.sectionUpdated) { $0.at }
            && left.elementInserted.isSame(as: right.elementInserted) { $0.at }
            && left.elementUpdated.isSame(as: right.elementUpdated) { $0.at }
    }
}

extension StagedChangeset: Equatable where Section: Equatable, Section.Element: Equatable {
    /// Whether both have the same stages in the same order, each with the same operations in whatever order.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        left.stages == right.stages && left.replaced.isSame(as: right.replaced) { $0.at }
    }
}

extension Array where Element: Equatable {
    /// Whether both have the same operations; the place of an operation occurs once in a changeset that can be applied.
    @inlinable
    func isSame(as other: [Element], by place: (Element) -> some Comparable) -> Bool {
        self == other
            || count == other.count
                && sorted { place($0) < place($1) } == other.sorted { place($0) < place($1) }
    }
}
