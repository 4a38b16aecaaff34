/// The edits of one stage inside one remaining section, for any storage of its elements.
///
/// `StageReplay` checks places against `count` and asks for each source once before it uses it, so an edit need not
/// check again. Arriving elements are checked by ``finish()``.
@usableFromInline
package protocol StageEdit {
    /// What changesets bring.
    associatedtype Element: Differentiable
    /// The storage of a section's elements.
    associatedtype Content
    /// The content of a place: an element, or a placeholder for an element that is not loaded.
    associatedtype Item

    /// Begins with what the section has before the stage.
    init(_ content: Content)

    /// The number of elements before the stage.
    var count: Int { get }

    /// Claims the element at a place for one operation; false if another one has claimed it.
    mutating func take(_ place: Int) -> Bool

    /// Whether the element at a place has this identity; true where what stands there does not know.
    func matches(_ identifier: Element.DifferenceIdentifier, at place: Int) -> Bool

    /// Gives the element at a place another content, without moving it.
    mutating func update(at place: Int, with element: Element)

    /// Lets the element at a place go, which has been claimed.
    mutating func remove(at place: Int)

    /// The item at a place before the stage, with the content that updates give it.
    func item(at place: Int) -> Item

    /// The item for an element that comes from the changeset.
    static func item(of element: Element) -> Item

    /// Has an item arrive at its place after the stage.
    mutating func add(_ arrival: Arrival<Item>)

    /// Puts what arrives at its place and what stays into the gaps between.
    func finish() throws(ArrivalMisfit) -> Content
}
