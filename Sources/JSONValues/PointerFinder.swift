/// Finds what several pointers lead to in one value.
///
/// Each pointer is followed once, and where there are many, the members of a large object are looked up by their hashes, so
/// that a long list of pointers does not walk through a large value once for each.
package struct PointerFinder {
    private let root: JSONNode
    private let hashesNames: Bool
    private var found: [JSONPointer: JSONNode?] = [:]
    private var indices: [Int: MemberIndex] = [:]

    /// Looks into a value.
    ///
    /// - Parameter count: About how many pointers there will be.
    package init(_ root: JSONNode, count: Int) {
        self.root = root
        hashesNames = count > 4
    }

    /// The value that a pointer leads to, nil where there is none.
    ///
    /// - Complexity: O(*c*) in the number of children passed on the way, and that only once for each object where there are
    ///   many pointers.
    package mutating func node(at pointer: JSONPointer) -> JSONNode? {
        guard hashesNames else { return root.node(at: pointer) }
        if let known = found[pointer] { return known }
        var node: JSONNode? = root
        for token in pointer.tokens {
            guard let parent = node else { break }
            guard parent.kind == .object else {
                node = parent.node(at: JSONPointer(tokens: [token]))
                continue
            }
            let index = indices[parent.index] ?? MemberIndex(parent)
            indices[parent.index] = index
            node = index[ArraySlice(token.utf8)]
        }
        found[pointer] = .some(node)
        return node
    }
}
