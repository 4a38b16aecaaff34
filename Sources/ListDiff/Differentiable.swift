/// A value that a changeset can follow from one state of a list to the next.
///
/// Two values with equal identifiers are the same thing at two moments; whether it has changed in between is what
/// `isContentEqual(to:)` answers. An identifier may occur more than once in a list: which occurrence continues which is
/// then settled as `StagedChangeset` describes.
public protocol Differentiable {
    /// The type of a value's identity.
    associatedtype DifferenceIdentifier: Hashable

    /// The identity of the value, which stays when its content changes.
    ///
    /// A difference reads it a small, constant number of times for each value and hashes it at most once, so it should
    /// cost no more than reading a stored property.
    var differenceIdentifier: DifferenceIdentifier { get }

    /// Tells whether the value shows the same as an earlier one with an equal identifier.
    ///
    /// It has to be reflexive: a value is equal in content to itself.
    func isContentEqual(to source: Self) -> Bool

    /// Tells whether the value is the same as an earlier one with an equal identifier, what it does not show included.
    ///
    /// A type whose `isContentEqual(to:)` looks at a part of the value implements it to compare the whole: what is equal
    /// in content and differs in the rest is then `replaced` in a `StagedChangeset`. Unless it is implemented, content
    /// equality is all there is. Values that are equal here have to be equal in content. It is asked of elements, not of
    /// sections.
    func isValueEqual(to source: Self) -> Bool
}

extension Differentiable {
    /// Compares the content: nothing else is known of the value.
    @inlinable
    public func isValueEqual(to source: Self) -> Bool {
        isContentEqual(to: source)
    }
}

extension Differentiable where Self: Equatable {
    /// Compares the values as a whole.
    @inlinable
    public func isContentEqual(to source: Self) -> Bool {
        self == source
    }
}

extension Differentiable where Self: Hashable {
    /// The value itself: a value without an identity of its own is only ever equal to its like.
    @inlinable
    public var differenceIdentifier: Self {
        self
    }
}
