/// The one section of a list that has no sections, so that linear and sectioned lists share their changesets.
@frozen
public struct LinearSection<Element: Differentiable>: DifferentiableSection {
    /// The whole list.
    public var elements: [Element]

    /// Wraps a plain list.
    @inlinable
    public init(elements: [Element]) {
        self.elements = elements
    }

    /// Takes the elements; a linear section has nothing else to copy.
    @inlinable
    public init(copying section: Self, elements: [Element]) {
        self.elements = elements
    }

    /// The same for every linear section.
    @inlinable
    public var differenceIdentifier: Int {
        0
    }

    /// Always true: a linear section has no content besides its elements.
    @inlinable
    public func isContentEqual(to source: Self) -> Bool {
        true
    }
}

extension LinearSection: Sendable where Element: Sendable {}
extension LinearSection: Equatable where Element: Equatable {}
