/// An array of values that were not read from one document.
///
/// It knows its size and depth, so that an evaluation that builds arrays of arrays stays within its limits without
/// walking through them.
package final class LogicArray: Sendable {
    /// The elements.
    package let elements: [LogicValue]

    /// About how many bytes the array's text takes.
    let size: Int

    /// How deep arrays and objects are nested, those inside nodes not counted; 1 where there are none inside.
    let depth: Int

    /// Makes an array.
    ///
    /// - Complexity: O(*n*) in the number of elements.
    package init(_ elements: [LogicValue]) {
        self.elements = elements
        var (size, depth) = (2, 0)
        for element in elements {
            size += element.size + 1
            depth = max(depth, element.depth)
        }
        self.size = size
        self.depth = depth + 1
    }
}

extension LogicValue {
    /// About how many bytes the value's text takes; for numbers and truth values the same for all.
    var size: Int {
        switch self {
        case .null, .bool, .integer, .number: 8
        case .utf8(let bytes): bytes.count + 2
        case .array(let array): array.size
        case .object(let object): object.size
        case .json(let node): node.textCount
        }
    }

    /// How deep arrays and objects are nested, those inside nodes not counted.
    var depth: Int {
        switch self {
        case .array(let array): array.depth
        case .object(let object): object.depth
        default: 0
        }
    }
}
