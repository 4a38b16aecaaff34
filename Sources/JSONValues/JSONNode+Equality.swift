import Notation

extension JSONNode {
    /// Tells whether two values are equal as JSON values, exactly.
    ///
    /// The order of members does not matter; numbers compare as decimal numbers of any size, strings scalar by scalar.
    ///
    /// - Complexity: O(*n*) in the length of both texts, whatever the order of their members.
    package func isEqual(to other: JSONNode) -> Bool {
        guard kind == other.kind else { return false }
        switch kind {
        case .null: return true
        case .bool: return bool == other.bool
        case .number: return text == other.text || JSONNumber.isEqual(text, other.text)
        case .string: return contentBytes == other.contentBytes
        case .array: return hasEqualElements(to: other)
        case .object: return hasEqualMembers(to: other)
        }
    }

    private func hasEqualElements(to other: JSONNode) -> Bool {
        var others = other.elements.makeIterator()
        for element in elements {
            guard let counterpart = others.next(), element.isEqual(to: counterpart) else { return false }
        }
        return others.next() == nil
    }

    private func hasEqualMembers(to other: JSONNode) -> Bool {
        var others = other.members.makeIterator()
        var index: MemberIndex?
        var isSameOrder = true
        for member in members {
            // Equal objects nearly always have their members in the same order; an index is made only where they do
            // not.
            guard let neighbour = others.next() else { return false }
            if isSameOrder, neighbour.nameNode.contentBytes == member.nameNode.contentBytes {
                guard member.value.isEqual(to: neighbour.value) else { return false }
                continue
            }
            isSameOrder = false
            let lookUp = index ?? MemberIndex(other)
            index = lookUp
            guard let counterpart = lookUp[member], member.value.isEqual(to: counterpart) else { return false }
        }
        // Names are unique, so that as many members, each with its counterpart, leave none over.
        return others.next() == nil
    }
}

/// Finds an object's members by name: one after the other while they are few, by hash where they are many.
struct MemberIndex {
    /// How many members are looked at one after the other.
    static let few = 8

    private let object: JSONNode
    private var nodes: [ArraySlice<UInt8>: Int] = [:]

    init(_ object: JSONNode) {
        self.object = object
        var count = 0
        for _ in object.members {
            count += 1
            if count > MemberIndex.few { break }
        }
        guard count > MemberIndex.few else { return }
        for member in object.members {
            nodes[member.nameNode.contentBytes] = member.value.index
        }
    }

    /// The value of the member that is named as another object's.
    subscript(member: JSONNode.Member) -> JSONNode? {
        self[member.nameNode.contentBytes]
    }

    /// The value of the member of a name.
    subscript(name: ArraySlice<UInt8>) -> JSONNode? {
        if nodes.isEmpty {
            return object.members.first { $0.nameNode.contentBytes == name }?.value
        }
        return nodes[name].map { JSONNode(tape: object.tape, index: $0) }
    }
}
