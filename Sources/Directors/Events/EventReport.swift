import JSONValues
import ListDiff

/// A UI's report or question: the body of `POST …/events`.
package struct EventReport: Sendable {
    /// The most index paths of one report.
    package static let maximumPaths = 10_000
    /// The longest text of the parameters, in bytes.
    package static let maximumParametersLength = 64 * 1024

    /// The part of a list that an event is fired at.
    package enum Target: Hashable, Sendable {
        /// At one element.
        case element(ElementPath)
        /// At the element that an identifier stands for, whatever has moved since the UI looked; in a section of rows, at
        /// that of the row that is named.
        case identified(section: Address, row: Address?, element: Address)
        /// At several elements, at least one.
        case elements([ElementPath])
        /// At a section's header.
        case header(Int)
        /// At a section's footer.
        case footer(Int)
        /// At the whole list.
        case list
    }

    /// The event's name.
    package let event: String
    /// The part of the list that the event is fired at, in the published state of `version`.
    package let target: Target
    /// The version that the UI shows; nil for the newest.
    package let version: Int?
    /// The UI's further parameters, an object; nil without such.
    package let parameters: JSONValue?

    private static let members = [
        "event", "indexPath", "indexPaths", "section", "row", "element", "header", "footer", "version", "parameters",
    ]
    private static let places = ["indexPath", "indexPaths", "element", "header", "footer"]

    /// Makes a report.
    package init(event: String, target: Target, version: Int? = nil, parameters: JSONValue? = nil) {
        self.event = event
        self.target = target
        self.version = version
        self.parameters = parameters
    }

    /// Reads a report; whether the event and the place are there is for ``Director/resolve(_:in:)`` to say.
    ///
    /// - Parameters:
    ///   - node: The report.
    ///   - other: A member that stands beside those of a report, and is for the caller to read.
    /// - Throws: Every fault.
    package static func decode(
        _ node: JSONNode, besides other: String? = nil
    ) throws(RepresentationError) -> EventReport {
        try decoding { faults in
            guard node.isObject("an event", &faults) else { return nil }
            for member in node.members
            where !members.contains(where: member.isNamed) && other.map(member.isNamed) != true {
                JSONNode.appendUnknown(member, of: "an event", known: members + [other].compactMap(\.self), &faults)
            }
            let event = node.decodeMember("event", &faults)?.decodeName(&faults)
            let target = decodeTarget(node, &faults)
            let version = node.present("version").flatMap { $0.decodePosition(&faults) }
            let parameters = node.present("parameters").flatMap { decodeParameters($0, &faults) }
            guard let event, let target else { return nil }
            return EventReport(event: event, target: target, version: version, parameters: parameters)
        }
    }

    private static func decodeTarget(_ node: JSONNode, _ faults: inout FaultList) -> Target? {
        let said = places.filter { node.present($0) != nil }
        guard said.count <= 1 else {
            faults.append(node, "an event is fired at one place: say one of \(said.joined(separator: ", "))")
            return nil
        }
        for name in ["section", "row"] where said != ["element"] {
            guard let stray = node.present(name) else { continue }
            faults.append(stray, "the \(name) belongs to an element: say {\"section\": …, \"element\": …}")
            return nil
        }
        guard let name = said.first, let place = node.present(name) else { return .list }
        switch name {
        case "indexPath": return place.decodePath(&faults).map { .element($0) }
        case "element": return decodeAddress(node, place, &faults)
        case "header": return place.decodePosition(&faults).map { .header($0) }
        case "footer": return place.decodePosition(&faults).map { .footer($0) }
        default: return decodePaths(place, &faults)
        }
    }

    /// Reads `{"section": "friends", "element": "Ada"}`, with `row` in a section of rows; each is an address.
    private static func decodeAddress(_ node: JSONNode, _ element: JSONNode, _ faults: inout FaultList) -> Target? {
        let section = node.decodeMember("section", &faults).flatMap { Address.decode($0, &faults) }
        let row = node.present("row").map { Address.decode($0, &faults) }
        guard let section, let element = Address.decode(element, &faults) else { return nil }
        if case .some(nil) = row { return nil }
        return .identified(section: section, row: row ?? nil, element: element)
    }

    private static func decodePaths(_ node: JSONNode, _ faults: inout FaultList) -> Target? {
        var count = 0
        for _ in node.elements { count += 1 }
        guard node.kind != .array || 1...maximumPaths ~= count else {
            faults.append(node, "an event is fired at 1 to \(maximumPaths) index paths")
            return nil
        }
        return node.decodeArray(&faults) { $0.decodePath(&$1) }.map { .elements($0) }
    }

    private static func decodeParameters(_ node: JSONNode, _ faults: inout FaultList) -> JSONValue? {
        guard node.isObject("parameters", &faults) else { return nil }
        guard node.text.count <= maximumParametersLength else {
            faults.append(node, "parameters have at most \(maximumParametersLength) bytes")
            return nil
        }
        return node.value
    }
}

extension JSONNode {
    /// A member that is there and not null.
    func present(_ name: String) -> JSONNode? {
        self[name].flatMap { $0.isNull ? nil : $0 }
    }
}
