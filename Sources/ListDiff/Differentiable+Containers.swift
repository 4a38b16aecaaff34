extension Optional: Differentiable where Wrapped: Differentiable {
    /// The identity of the value that is there; nil is a thing of its own.
    @inlinable
    public var differenceIdentifier: Wrapped.DifferenceIdentifier? { self?.differenceIdentifier }

    /// Whether both are nil, or both are there and equal in content.
    @inlinable
    public func isContentEqual(to source: Wrapped?) -> Bool {
        switch (self, source) {
        case (nil, nil): true
        case (let value?, let source?): value.isContentEqual(to: source)
        default: false
        }
    }
}

extension Array: Differentiable where Element: Differentiable {
    /// The identities of the elements, in their order.
    @inlinable
    public var differenceIdentifier: [Element.DifferenceIdentifier] { map(\.differenceIdentifier) }

    /// Whether both have as many elements, each equal in content to the other's at its place.
    @inlinable
    public func isContentEqual(to source: [Element]) -> Bool {
        count == source.count && zip(self, source).allSatisfy { $0.isContentEqual(to: $1) }
    }
}
