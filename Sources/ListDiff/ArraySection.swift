/// A section that is made of a model and its elements, for an app that has no section type of its own.
///
/// The model is the section's identity and content. As DifferenceKit's type of that name.
@frozen
public struct ArraySection<Model: Differentiable, Element: Differentiable>: DifferentiableSection {
    /// The section's identity and content, besides its elements.
    public var model: Model
    /// The elements in the order in which they are shown.
    public var elements: [Element]

    /// Makes a section.
    @inlinable
    public init(model: Model, elements: some Sequence<Element>) {
        self.model = model
        self.elements = Array(elements)
    }

    /// Makes a section with the model of another one.
    @inlinable
    public init(copying section: Self, elements: [Element]) {
        self.init(model: section.model, elements: elements)
    }

    /// The model's identity.
    @inlinable
    public var differenceIdentifier: Model.DifferenceIdentifier { model.differenceIdentifier }

    /// Whether the models are equal in content.
    @inlinable
    public func isContentEqual(to source: Self) -> Bool { model.isContentEqual(to: source.model) }
}

extension ArraySection: Sendable where Model: Sendable, Element: Sendable {}
extension ArraySection: Equatable where Model: Equatable, Element: Equatable {}
extension ArraySection: Hashable where Model: Hashable, Element: Hashable {}
