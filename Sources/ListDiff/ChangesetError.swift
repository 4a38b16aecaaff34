/// Why a changeset does not fit the list that it was to be applied to.
public struct ChangesetError: Error, Hashable, Sendable {
    /// The fault of the operation.
    public enum Reason: Hashable, Sendable {
        /// The place lies outside of what is there: `count` sections or elements.
        case outOfRange(count: Int)
        /// Another operation of the stage has the same source.
        case sourceTaken
        /// Another operation of the stage has the same target.
        case targetTaken
        /// The element belongs to a section that the stage deletes.
        case insideDeletedSection
        /// The element would go to a section that the stage inserts, which brings its elements with it.
        case insideInsertedSection
        /// The update's identifier is not that of what stands at its place.
        case differentIdentifier
        /// The operation is one on sections, and the list is a plain one.
        case noSections
    }

    /// The position of the stage in the staged changeset; zero for a changeset that is applied by itself, and nil for an
    /// element that is replaced after the last stage.
    public var stage: Int?

    /// The kind of the operation that does not fit; an update for an element that is replaced.
    public var operation: ChangesetOperation

    /// The position of the operation among those of its kind in the stage, or among what is replaced.
    public var index: Int

    /// What is wrong with it.
    public var reason: Reason

    /// Names an operation and what is wrong with it.
    public init(stage: Int?, operation: ChangesetOperation, index: Int, reason: Reason) {
        self.stage = stage
        self.operation = operation
        self.index = index
        self.reason = reason
    }
}

extension ChangesetError: CustomStringConvertible {
    /// The error in a sentence that begins with a JSON pointer to the operation.
    public var description: String {
        let kind = stage.map { "/stages/\($0)/\(operation.rawValue)" } ?? "/replaced"
        return "\(kind)/\(index): \(reason)"
    }
}

extension ChangesetError.Reason: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .outOfRange(let count): "its place is out of range, there are \(count)"
        case .sourceTaken: "another operation of the stage has the same source"
        case .targetTaken: "another operation of the stage has the same target"
        case .insideDeletedSection: "the element is in a section that the same stage deletes"
        case .insideInsertedSection: "the element would go to a section that the same stage inserts"
        case .differentIdentifier: "what stands at its place has another identifier"
        case .noSections: "a plain list has no sections to change"
        }
    }
}
