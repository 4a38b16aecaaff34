/// A value that a `PersistentList` holds: it can be looked up by its identity, and it can be measured.
public protocol ListItem: Differentiable {
    /// The sums of a list over its elements; nothing by default.
    associatedtype Measure: ListMeasure = NoMeasure

    /// A hash of the identity, equal for equal difference identifiers.
    ///
    /// A list keeps it in its index and reads it again when the element is replaced or removed, so it must not change
    /// while the element is in a list, and should cost no more than reading a stored property. It may be a hash of a
    /// part of the identifier, for look-ups by that part; then more elements share it.
    var identityHash: Int { get }

    /// The element's part in the measure of its list; it must not change while the element is in a list.
    var measure: Measure { get }

    /// How many elements lie side by side in a list, at most: an even number, at least 4; 32 by default. A change of one
    /// copies the others beside it, so that elements of several references are better off with fewer.
    static var leafSize: Int { get }

    /// Corrects the measure of neighbouring elements where it is not their sum: it may tell something of the first one alone.
    /// Does nothing by default.
    ///
    /// A list adds such a measure only behind another one, and calls this after it has taken one away.
    ///
    /// - Parameters:
    ///   - measure: The sum.
    ///   - first: The first of the elements; nil of none.
    static func settle(_ measure: inout Measure, first: Self?)
}

extension ListItem {
    /// 32.
    @inlinable
    public static var leafSize: Int { 32 }

    /// The hash of the difference identifier.
    @inlinable
    public var identityHash: Int {
        differenceIdentifier.hashValue
    }
}

extension ListItem {
    /// Does nothing.
    @inlinable
    public static func settle(_ measure: inout Measure, first: Self?) {}
}

extension ListItem where Measure == NoMeasure {
    /// Nothing.
    @inlinable
    public var measure: NoMeasure {
        NoMeasure()
    }
}
