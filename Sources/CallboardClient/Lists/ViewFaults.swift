/// The elements of a source that a view leaves out, since an expression of the view has no value for them.
public struct ViewFaults: Sendable, Hashable {
    /// An element, and the expression that failed on it.
    public struct Entry: Sendable, Hashable {
        /// The element's identifier.
        public let id: String
        /// The expression, as a JSON pointer into the view's definition.
        public let pointer: String
        /// Why the expression has no value, in words.
        public let detail: String
    }

    /// How many elements there are.
    public let count: Int
    /// The first of them, in the order of the source.
    public let first: [Entry]

    init(_ reader: JSONReader) throws(RepresentationError) {
        count = try reader.member("count").position()
        first = try reader.member("first").map { (entry) throws(RepresentationError) in
            Entry(
                id: try entry.member("id").string(), pointer: try entry.member("pointer").string(),
                detail: try entry.member("detail").string())
        }
    }
}
