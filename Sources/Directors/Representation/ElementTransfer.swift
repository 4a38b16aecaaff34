import JSONValues

/// A request to move an element to a list of another director.
package struct ElementTransfer: Equatable, Sendable {
    /// The element, in the list that the path names.
    package let from: Address
    /// The other director.
    package let director: String
    /// The list there.
    package let target: ElementOwner
    /// The element's place in that list; nil for the end.
    package let place: Address?

    /// Reads `{"from": "Ada", "toDirector": "team", "toSection": "people", "toRow": …, "at": 0}`; the last two may be left
    /// out.
    ///
    /// - Throws: Every fault.
    package static func decode(_ node: JSONNode) throws(RepresentationError) -> ElementTransfer {
        try decoding { faults in
            guard node.isObject("a body", &faults) else { return nil }
            var reader = OperationReader(node)
            let transfer = read(&reader, &faults)
            reader.finish(&faults)
            return transfer
        }
    }

    /// The schema of the body.
    package static let schema = JSONSchema.object(OperationReader.describing { _ = read(&$0, &$1) }, side: .body)

    private static func read(_ reader: inout OperationReader, _ faults: inout FaultList) -> ElementTransfer? {
        let (from, director) = (reader.required(.from, &faults), reader.name("toDirector", &faults))
        let section = reader.required(OperationMember<Address>("toSection", "The section that it goes to."), &faults)
        let row = reader.optional(.toRow, &faults)
        let place = reader.optional(
            OperationMember<Address>("at", "Its place there; at the end unless given."), &faults)
        guard let from, let director, let section else { return nil }
        return ElementTransfer(
            from: from, director: director, target: ElementOwner(section: section, row: row), place: place)
    }
}
