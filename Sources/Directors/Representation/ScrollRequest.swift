import JSONValues
import ListDiff

/// The body of `POST …/scroll`: what is to be brought into view, and where (UIKit's `scrollToRow(at:at:animated:)`).
package struct ScrollRequest: Sendable {
    /// What is to be seen.
    package enum Target: Sendable {
        /// An element of a section.
        case element(section: Address, element: Address)
        /// The first element that a row shows.
        case row(section: Address, row: String)
        /// The first element of a section.
        case section(Address)
    }

    /// The place of the element in what is visible, after UITableView.ScrollPosition; in a list that scrolls sideways `top`
    /// is its beginning.
    package enum Position: String, CaseIterable, Sendable {
        case none, top, middle, bottom
    }

    /// What is to be seen.
    package let target: Target
    /// The place in view; `none` is the shortest way.
    package let position: Position
    /// Whether the list moves there visibly.
    package let isAnimated: Bool

    /// Reads `{"to": {"section": "friends", "element": "Ada"}, "position": "top", "animated": false}`. In place of an element,
    /// `to` may have an `indexPath`, a `section` and a `row`, or a `section` alone.
    ///
    /// - Throws: Every fault.
    package static func decode(_ node: JSONNode) throws(RepresentationError) -> ScrollRequest {
        try decoding { faults in
            guard node.isObject("a scroll", &faults) else { return nil }
            node.checkMembers(of: "a scroll", known: ["to", "position", "animated"], &faults)
            let target = node.decodeMember("to", &faults).flatMap { decodeTarget($0, &faults) }
            let position = node.present("position").map { $0.decodeChoice(Position.self, &faults) } ?? Position.none
            let isAnimated = node.present("animated").map { $0.decodeBool(&faults) } ?? true
            guard let target, let position, let isAnimated else { return nil }
            return ScrollRequest(target: target, position: position, isAnimated: isAnimated)
        }
    }

    private static func decodeTarget(_ node: JSONNode, _ faults: inout FaultList) -> Target? {
        guard node.isObject("a place", &faults) else { return nil }
        node.checkMembers(of: "a place", known: ["indexPath", "section", "row", "element"], &faults)
        let (path, row, element) = (node.present("indexPath"), node.present("row"), node.present("element"))
        guard [path, row, element].compactMap(\.self).count < 2, path == nil || node.present("section") == nil else {
            faults.append(
                node, "a place is an indexPath, a section and an element, a section and a row, or a section alone")
            return nil
        }
        if let path {
            return path.decodePath(&faults).map {
                .element(section: .position($0.section), element: .position($0.element))
            }
        }
        guard let section = node.decodeMember("section", &faults).flatMap({ Address.decode($0, &faults) }) else {
            return nil
        }
        if let row { return row.decodeString(&faults).map { .row(section: section, row: $0) } }
        guard let element else { return .section(section) }
        return Address.decode(element, &faults).map { .element(section: section, element: $0) }
    }
}

/// The place to scroll a list to, as subscribers are told.
package struct ScrollPlace: Sendable {
    /// The element in the published state.
    package let path: ElementPath
    /// The identifier of its section.
    package let section: String
    /// The element's identifier: whoever shows another version finds it by these two.
    package let element: String
    /// Where it is to be.
    package let position: ScrollRequest.Position
    /// Whether the list moves there visibly.
    package let isAnimated: Bool

    /// Names a place.
    package init(
        path: ElementPath, section: String, element: String, position: ScrollRequest.Position, isAnimated: Bool
    ) {
        self.path = path
        self.section = section
        self.element = element
        self.position = position
        self.isAnimated = isAnimated
    }

    /// Appends the members of the event `scroll`, but for the director and the version.
    package func encodeMembers(to writer: inout JSONWriter) {
        writer.key("indexPath")
        writer.path(path)
        writer.member("section", section)
        writer.member("element", element)
        writer.member("position", position.rawValue)
        writer.member("animated", isAnimated)
    }
}
