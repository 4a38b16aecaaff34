/// The sums of a list over its elements, kept for every part of itself.
///
/// A list of sections adds up the elements that its sections hold, so that the number of all elements is known without
/// visiting one. Sums have to be exact, whatever the order of the additions: integers are, floating-point numbers are
/// not.
public protocol ListMeasure: Equatable, Sendable {
    /// The measure of nothing: adding it changes no measure.
    init()

    /// Adds a measure.
    static func += (left: inout Self, right: Self)

    /// Takes away a measure that was added.
    static func -= (left: inout Self, right: Self)
}

/// The measure of elements that are not measured; it takes no memory.
@frozen
public struct NoMeasure: ListMeasure {
    /// Makes the only value there is.
    @inlinable
    public init() {}

    /// Does nothing.
    @inlinable
    public static func += (left: inout NoMeasure, right: NoMeasure) {}

    /// Does nothing.
    @inlinable
    public static func -= (left: inout NoMeasure, right: NoMeasure) {}
}
