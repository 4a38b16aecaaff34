/// A section of a list that shows what a director has published: ``RemoteSection``, or ``SparseSection`` of which only some
/// elements are here.
public protocol ListSection: Sendable, Hashable {
    /// The storage of the section's elements: elements, or optional ones.
    associatedtype Elements: RandomAccessCollection where Elements.Index == Int

    /// The section's identifier; unique in its director as a rule, though nothing enforces it.
    var id: String { get }
    /// Everything else that the section carries besides its elements, such as `headerTitle`; members that this
    /// version of the client does not know are kept too.
    var attributes: JSONObject { get }
    /// The elements in the order they are shown.
    var elements: Elements { get }

    /// The element at a position, or nil where there is none, or it is not here.
    func element(at position: Int) -> RemoteElement?
}

extension ListSection {
    /// The title above the section; a header view stands in its place where there is one.
    public var headerTitle: String? { attributes["headerTitle"]?.stringValue }
    /// The title below the section; a footer view stands in its place where there is one.
    public var footerTitle: String? { attributes["footerTitle"]?.stringValue }
    /// The name of the view above the section.
    public var headerView: String? { attributes["headerView"]?.stringValue }
    /// The name of the view below the section.
    public var footerView: String? { attributes["footerView"]?.stringValue }
    /// The section's entry in the index at the side of a table.
    public var indexTitle: String? { attributes["indexTitle"]?.stringValue }
}
