import JSONValues
import Notation

/// The shown parts of a value, as a tree over the steps of their pointers.
///
/// A step into an object names a member; a step into an array names an element by its position. An object shows its
/// named members in the order of the definition, and an array its named elements in the order of their positions. A
/// part that a value does not have is left out, and so is an object or array of which nothing is left.
struct ViewFieldTree: Sendable {
    private var children: [(step: String, tree: ViewFieldTree)] = []
    private var isWhole = false

    /// Makes the tree of some pointers.
    init(_ pointers: [JSONPointer]) {
        for pointer in pointers { insert(pointer.tokens[...]) }
    }

    private mutating func insert(_ steps: ArraySlice<String>) {
        guard let step = steps.first else {
            isWhole = true
            return
        }
        let index = children.firstIndex { $0.step.isVerbatim(step) }
        if index == nil { children.append((step, ViewFieldTree([]))) }
        children[index ?? children.count - 1].tree.insert(steps.dropFirst())
    }

    /// The shown part of a value; an empty object where nothing is left.
    ///
    /// - Complexity: O(*c*) in the number of children passed on the way to each part, and the length of the parts.
    func shown(of value: JSONValue) -> JSONValue {
        if isWhole { return value }
        var text: [UInt8] = []
        guard append(value.document.root, to: &text) else { return ViewFieldTree.empty }
        return JSONValue(trusting: text)
    }

    private static let empty = JSONValue(trusting: Array("{}".utf8))

    /// Appends the shown part of a node; false, and nothing, where there is none.
    private func append(_ node: JSONNode, to text: inout [UInt8]) -> Bool {
        if isWhole {
            node.appendMinified(to: &text)
            return true
        }
        switch node.kind {
        case .object: return appendMembers(of: node, to: &text)
        case .array: return appendElements(of: node, to: &text)
        case .null, .bool, .number, .string: return false
        }
    }

    private func appendMembers(of node: JSONNode, to text: inout [UInt8]) -> Bool {
        let start = text.count
        for (step, tree) in children {
            guard let member = node[step] else { continue }
            let end = text.count
            text.append(UInt8(ascii: end == start ? "{" : ","))
            text += JSONValue(string: step).bytes
            text.append(UInt8(ascii: ":"))
            if !tree.append(member, to: &text) { text.removeSubrange(end...) }
        }
        if text.count > start { text.append(UInt8(ascii: "}")) }
        return text.count > start
    }

    private func appendElements(of node: JSONNode, to text: inout [UInt8]) -> Bool {
        let start = text.count
        for (position, element) in node.elements.enumerated() {
            guard let tree = children.first(where: { $0.step.isVerbatim(String(position)) })?.tree else { continue }
            let end = text.count
            text.append(UInt8(ascii: end == start ? "[" : ","))
            if !tree.append(element, to: &text) { text.removeSubrange(end...) }
        }
        if text.count > start { text.append(UInt8(ascii: "]")) }
        return text.count > start
    }
}
