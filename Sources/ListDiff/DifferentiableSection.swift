/// A section of a list: a value with an identity and content of its own, and the elements that it holds.
public protocol DifferentiableSection: Differentiable {
    /// What the section holds.
    associatedtype Element: Differentiable

    /// The elements in the order in which they are shown.
    var elements: [Element] { get }

    /// Makes a section with the identity and content of another one and with elements of its own.
    ///
    /// Copying a section with its own elements has to give an equal section.
    init(copying section: Self, elements: [Element])
}
