import JSONValues
import ListDiff

/// The body of `POST …/refresh`: which elements of the published state are to be drawn anew.
package struct RefreshRequest: Sendable {
    /// A place that the body names.
    package struct Place: Sendable {
        /// The section.
        package let section: Address
        /// The element of the section.
        package let element: Address
        /// Where the body names it.
        package let pointer: String
    }

    /// The most places of one request.
    package static let maximumPlaces = 10_000

    /// A row that the body names, all of whose elements are meant.
    package struct RowPlace: Sendable {
        /// The section.
        package let section: Address
        /// The row's identifier.
        package let row: String
        /// Where the body names it.
        package let pointer: String
    }

    /// The places, those of `indexPaths` first; nil where the body names neither places nor rows, which means all
    /// elements.
    package let places: [Place]?

    /// The rows.
    package let rows: [RowPlace]

    private static let members = ["indexPaths", "elements", "rows"]

    /// Reads `{"indexPaths": [[0, 3]], "elements": [{"section": "friends", "element": "Ada"}],
    /// "rows": [{"section": "settings", "row": "people"}]}`; each may be left out.
    ///
    /// - Throws: Every fault.
    package static func decode(_ node: JSONNode) throws(RepresentationError) -> RefreshRequest {
        try decoding { faults in
            guard node.isObject("a refresh", &faults) else { return nil }
            var places: [Place]?
            node.checkMembers(of: "a refresh", known: members, &faults)
            if let paths = node["indexPaths"], !paths.isNull {
                append(paths, "indexPaths", of: "index paths", to: &places, &faults) { node, faults in
                    node.decodePath(&faults).map { (.position($0.section), .position($0.element)) }
                }
            }
            if let elements = node["elements"], !elements.isNull {
                append(elements, "elements", of: "addresses of elements", to: &places, &faults, decodeAddresses)
            }
            var rows: [RowPlace]?
            if let list = node["rows"], !list.isNull { rows = decodeRows(list, &faults) }
            return RefreshRequest(places: rows == nil ? places : places ?? [], rows: rows ?? [])
        }
    }

    private static func append(
        _ list: JSONNode, _ name: String, of what: String, to places: inout [Place]?, _ faults: inout FaultList,
        _ decode: (JSONNode, inout FaultList) -> (Address, Address)?
    ) {
        let earlier = places ?? []
        let room = maximumPlaces - earlier.count
        guard let items = decodeItems(list, "elements", of: what, room: room, &faults, decode) else { return }
        places =
            earlier
            + items.map { index, item in
                Place(section: item.0, element: item.1, pointer: "/\(name)/\(index)")
            }
    }

    /// Reads the items of a list with their places in it; more than there is room for are not read.
    private static func decodeItems<Item>(
        _ list: JSONNode, _ name: String, of what: String, room: Int, _ faults: inout FaultList,
        _ decode: (JSONNode, inout FaultList) -> Item?
    ) -> [(index: Int, item: Item)]? {
        guard list.kind == .array else {
            faults.append(list, expected: "an array of \(what)")
            return nil
        }
        var items: [(index: Int, item: Item)] = []
        for (index, node) in list.elements.enumerated() where !faults.isFull {
            guard items.count < room else {
                faults.append(list, "a refresh names at most \(maximumPlaces) \(name)")
                break
            }
            if let item = decode(node, &faults) { items.append((index, item)) }
        }
        return items
    }

    private static func decodeRows(_ list: JSONNode, _ faults: inout FaultList) -> [RowPlace]? {
        let what = "addresses of rows"
        let items = decodeItems(list, "rows", of: what, room: maximumPlaces, &faults, decodeRow)
        return items?.map { index, item in RowPlace(section: item.0, row: item.1, pointer: "/rows/\(index)") }
    }

    private static func decodeRow(_ node: JSONNode, _ faults: inout FaultList) -> (Address, String)? {
        guard node.isObject("the address of a row", &faults) else { return nil }
        node.checkMembers(of: "the address of a row", known: ["section", "row"], &faults)
        let section = node.decodeMember("section", &faults).flatMap { Address.decode($0, &faults) }
        let row = node.decodeMember("row", &faults)?.decodeString(&faults)
        guard let section, let row else { return nil }
        return (section, row)
    }

    private static func decodeAddresses(_ node: JSONNode, _ faults: inout FaultList) -> (Address, Address)? {
        guard node.isObject("the address of an element", &faults) else { return nil }
        node.checkMembers(of: "the address of an element", known: ["section", "element"], &faults)
        guard let section = node["section"], let element = node["element"] else {
            faults.append(node, "an element is addressed by the members section and element")
            return nil
        }
        guard let section = Address.decode(section, &faults), let element = Address.decode(element, &faults) else {
            return nil
        }
        return (section, element)
    }
}
