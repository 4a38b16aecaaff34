/// Finds what several pointers lead to in one value.
///
/// If there are many pointers, the members of a large object are looked up by their hashes and the elements of an array
/// from the nearest noted place, so that a long list of pointers does not walk through a large value once for each.
package struct PointerFinder {
    private let root: JSONNode
    private let isIndexed: Bool
    private var members: [Int: MemberIndex] = [:]
    private var elements: [Int: ElementIndex] = [:]

    /// Looks into a value.
    ///
    /// - Parameter count: About how many pointers there will be.
    package init(_ root: JSONNode, count: Int) {
        self.root = root
        isIndexed = count > 4
    }

    /// The value that a pointer leads to, nil where there is none.
    ///
    /// - Complexity: O(*c*) in the number of children passed on the way, and that only once for each object or array if
    ///   there are many pointers.
    package mutating func node(at pointer: JSONPointer) -> JSONNode? {
        guard isIndexed else { return root.node(at: pointer) }
        var node: JSONNode? = root
        for token in pointer.tokens {
            guard let parent = node else { break }
            switch parent.kind {
            case .object:
                let index = members[parent.index] ?? MemberIndex(parent)
                members[parent.index] = index
                node = index[ArraySlice(token.utf8)]
            case .array:
                node = JSONPointer.position(token).flatMap {
                    elements[parent.index, default: ElementIndex(parent)].element(at: $0)
                }
            default: node = nil
            }
        }
        return node
    }
}

/// Finds elements of an array by their positions, each from the nearest place before it that was passed before.
private struct ElementIndex {
    /// The distance of two noted places.
    private static let step = 64

    private var rest: JSONNode.Elements.Iterator
    private var noted: [JSONNode.Elements.Iterator]
    private var passed = 0

    init(_ array: JSONNode) {
        rest = array.elements.makeIterator()
        noted = [rest]
    }

    /// The element at a position, nil beyond the end.
    ///
    /// - Complexity: O(*n*) altogether in the number of elements, and O(1) for each call besides.
    mutating func element(at position: Int) -> JSONNode? {
        let place = position / ElementIndex.step
        while noted.count <= place {
            guard rest.next() != nil else { return nil }
            passed += 1
            if passed.isMultiple(of: ElementIndex.step) { noted.append(rest) }
        }
        var near = noted[place]
        for _ in 0..<position % ElementIndex.step { guard near.next() != nil else { return nil } }
        return near.next()
    }
}
