/// A value of any type that a changeset can follow: for a list whose elements are of several types.
///
/// Two values have equal identifiers where they are of one type and their identifiers are equal: values of two types are
/// two things. As DifferenceKit's type of that name.
///
/// - Complexity: Each comparison costs a cast besides that of the values.
public struct AnyDifferentiable: Differentiable {
    private let box: any DifferentiableBox

    /// Wraps a value; one that is wrapped already stays as it is.
    public init(_ value: some Differentiable) {
        box = (value as? AnyDifferentiable)?.box ?? Box(value: value)
    }

    /// The value that was wrapped.
    public var base: Any { box.base }

    /// The value's identifier, together with its type.
    public var differenceIdentifier: AnyHashable { box.identifier }

    /// Whether both are of one type, and equal in content.
    public func isContentEqual(to source: AnyDifferentiable) -> Bool { box.isContentEqual(to: source.base) }

    /// Whether both are of one type, and equal as a whole.
    public func isValueEqual(to source: AnyDifferentiable) -> Bool { box.isValueEqual(to: source.base) }

    private protocol DifferentiableBox {
        var base: Any { get }
        var identifier: AnyHashable { get }
        func isContentEqual(to source: Any) -> Bool
        func isValueEqual(to source: Any) -> Bool
    }

    private struct Identifier<Value: Differentiable>: Hashable {
        let identifier: Value.DifferenceIdentifier
    }

    private struct Box<Value: Differentiable>: DifferentiableBox {
        let value: Value

        var base: Any { value }
        var identifier: AnyHashable { AnyHashable(Identifier<Value>(identifier: value.differenceIdentifier)) }

        func isContentEqual(to source: Any) -> Bool { (source as? Value).map(value.isContentEqual) ?? false }
        func isValueEqual(to source: Any) -> Bool { (source as? Value).map(value.isValueEqual) ?? false }
    }
}
