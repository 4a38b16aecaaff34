import Directors
import JSONValues
import ListDiff

/// The bytes of some elements of a section in a snapshot, which any thread can decode.
struct ElementBlock: Sendable {
    /// The elements, one after the other: the number of the adapter, the identifier where it was stored, the value.
    let bytes: [UInt8]
    /// How many there are.
    let count: Int
    /// The position of the first one in its section.
    let position: Int
    /// Whether identifiers were stored; a snapshot of the earlier form has none.
    let hasIdentifiers: Bool

    /// Makes the elements.
    ///
    /// - Parameters:
    ///   - adapters: The adapters by their numbers.
    ///   - isVerifying: Whether values are parsed, though a checksum over them was compared.
    /// - Throws: The first fault.
    func makePart(_ adapters: [CellAdapter], isVerifying: Bool) throws -> PersistentListPart<Element> {
        var reader = ByteReader(bytes)
        var elements: ContiguousArray<Element> = []
        elements.reserveCapacity(count)
        for _ in 0..<count {
            let number = try reader.number()
            guard adapters.indices.contains(number) else { throw ByteReader.Fault(detail: "an adapter is missing") }
            let identifier = hasIdentifiers ? String(decoding: try reader.countedSlice(), as: UTF8.self) : nil
            let value = Array(try reader.countedSlice())
            if isVerifying || identifier == nil {
                let element = try Self.read(value, identifier, adapters[number])
                guard identifier.map({ $0.utf8.elementsEqual(element.identifier.utf8) }) ?? true else {
                    throw ByteReader.Fault(detail: "an element has not the identifier that its value has")
                }
                elements.append(element)
            } else if let identifier, !identifier.isEmpty, !value.isEmpty {
                elements.append(
                    Element(restoring: JSONValue(trusting: value), identifier: identifier, adapter: adapters[number]))
            } else {
                throw ByteReader.Fault(detail: "an element is empty")
            }
        }
        guard try reader.isAtEnd() else { throw ByteReader.Fault(detail: "a block of elements is too long") }
        return PersistentListPart(elements, at: position)
    }

    private static func read(_ value: [UInt8], _ identifier: String?, _ adapter: CellAdapter) throws -> Element {
        let json = try JSONValue(parsing: value, maximumDepth: JSONDocument.ceilingDepth)
        if adapter.row != nil, let identifier {
            // A constant row's element has the row's identifier, whatever its value is.
            return Element(restoring: json, identifier: identifier, adapter: adapter)
        }
        return try Element(restoring: json, adapter: adapter)
    }
}
