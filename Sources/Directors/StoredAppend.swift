import JSONValues
import ListDiff

/// Elements that a stored operation appends to a section, still as nodes of its record: what a log mostly consists of
/// where much was loaded.
///
/// The elements of many such operations can be made by several threads at a time; `Director.append(_:to:operations:)`
/// puts them where performing the operations would have.
package struct StoredAppend: Sendable {
    /// The section.
    package let section: Address
    /// How many elements there are.
    package let count: Int
    private let node: JSONNode

    /// Reads an operation in the form that `Operation.encode(to:)` gives it; nil where it does anything else.
    package init?(_ node: JSONNode) {
        var faults = FaultList()
        guard node.kind == .object, node["op"]?.string == "addElements", node.members.reduce(0, { n, _ in n + 1 }) == 3,
            let elements = node["elements"], elements.kind == .array,
            let section = node["section"].flatMap({ Address.decode($0, &faults) })
        else { return nil }
        self.section = section
        self.node = node
        count = elements.elements.reduce(0) { number, _ in number + 1 }
    }

    /// The operation itself.
    ///
    /// - Throws: Every fault.
    package func operation() throws(RepresentationError) -> Operation {
        try Operation.decode(node)
    }

    /// Makes the elements, as performing the operation does.
    ///
    /// - Parameter adapters: The director's adapters at that moment.
    /// - Throws: The first element that cannot be made.
    package func makeElements(_ adapters: AdapterRegistry) throws(RepresentationError) -> ContiguousArray<Element> {
        var elements: ContiguousArray<Element> = []
        elements.reserveCapacity(count)
        let only = adapters.cells.count == 1 ? adapters.cells.values.first : nil
        guard let nodes = node["elements"]?.elements else { return elements }
        for node in nodes {
            let model = node["model"]?.string
            guard let value = node["value"], let adapter = model.map({ adapters.cell(of: $0, isStored: true) }) ?? only
            else {
                throw RepresentationError([Fault(pointer: "", detail: "an element has no value or no adapter")])
            }
            do {
                let identifier = try adapter.values.identifier.identifier(of: value).get()
                elements.append(
                    Element(restoring: JSONValue(unhashed: value), identifier: identifier, adapter: adapter))
            } catch {
                throw RepresentationError([error.fault])
            }
        }
        return elements
    }
}

extension Director {
    /// The end of a section's list.
    ///
    /// - Throws: There is no such section.
    package func end(of section: Address) throws(DirectorError) -> PersistentListEnd {
        try working.list.section(at: section).section.list.end
    }

    /// Appends elements, as so many operations did.
    ///
    /// - Parameters:
    ///   - parts: The elements, made for the end of the section's list.
    ///   - section: The section.
    ///   - operations: By how much the revision rises.
    /// - Throws: That there is no such section.
    package mutating func append(
        _ parts: [PersistentListPart<Element>], to section: Address, operations: Int
    ) throws(DirectorError) {
        let position = try working.list.section(at: section).position
        working.list.changeSection(at: position) { $0.list.append(joining: parts) }
        working.revision += operations
    }
}
