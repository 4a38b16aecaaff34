/// The position of an element in a list with sections, both parts counted from zero.
@frozen
public struct ElementPath: Hashable, Sendable {
    /// The position of the section in the list.
    public var section: Int

    /// The position of the element in its section.
    public var element: Int

    /// Makes a path; whether it points at anything is for the list to say.
    @inlinable
    public init(section: Int, element: Int) {
        self.section = section
        self.element = element
    }
}

extension ElementPath: Comparable {
    /// Orders paths as the elements are shown: by section, then by element.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool {
        left.section == right.section ? left.element < right.element : left.section < right.section
    }
}

extension ElementPath: CustomStringConvertible {
    /// The path as it is written in a changeset on the wire, `[section, element]`.
    public var description: String {
        "[\(section), \(element)]"
    }
}
