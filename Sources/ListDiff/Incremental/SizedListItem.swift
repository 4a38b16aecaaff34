/// An element with a known memory size, by which the memory of old versions of a list is bounded.
public protocol SizedListItem: ListItem {
    /// The bytes that the element takes beside its place in a list: what it refers to.
    ///
    /// Reading it should cost no more than reading a stored property. An estimate is enough, as long as it is the same
    /// each time.
    var bytes: Int { get }

    /// The bytes that the element takes and that a later element, which continues it, does not share.
    ///
    /// None where both refer to the same memory, `bytes` where they have nothing in common. A section asks its elements:
    /// `elements.bytesNotShared(with: newer.elements)`.
    func bytesNotShared(with newer: Self) -> Int
}
