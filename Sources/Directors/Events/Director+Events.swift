import JSONValues
import ListDiff
import Notation

extension Director {
    /// Refuses what is wrong with a report by itself, whatever is published: ``resolve(_:in:)`` does so first.
    package func check(_ report: EventReport) throws(DirectorError) {
        try definition(of: report).check(report.parameters)
    }

    /// Finds what a report is about: the elements or the section, the adapter, the event's definition and the hook.
    ///
    /// Elements and sections are those of the state; hooks are those of now.
    ///
    /// - Parameters:
    ///   - report: What a UI reports or asks.
    ///   - state: The published state of the version that the report names.
    /// - Returns: One event for each adapter that is concerned, in the order of its first element, so that each hook is
    ///   called once; a report of one place gives one.
    /// - Complexity: O(*m* log *n*) for *m* index paths into a list of *n* elements.
    /// - Throws: An event that no adapter of this kind of director has, a place that the event is not fired at or that is
    ///   not there, a header or footer that the section does not have, a parameter that is missing or of the wrong type.
    ///   Pointers are on the report.
    package func resolve(
        _ report: EventReport, in state: PublishedState
    ) throws(DirectorError) -> [ResolvedEvent] {
        let definition = try definition(of: report)
        try definition.check(report.parameters)
        let context = EventContext(
            director: self, state: state, definition: definition, parameters: report.parameters)
        return context.events(about: try context.subject(of: report.target))
    }

    /// The event of a report's name that is fired at a report's place.
    func definition(of report: EventReport) throws(DirectorError) -> EventDefinition {
        let sources = EventSource.all(of: kind)
        let candidates = sources.compactMap { EventCatalog.event(report.event, of: $0) }
        guard !candidates.isEmpty else {
            throw DirectorError(.refused([unknown(report.event, sources)]), pointer: "/event")
        }
        if let match = candidates.first(where: { $0.isFired(at: report.target) }) { return match }
        let places = candidates.map(\.placePhrase).joined(separator: ", or ")
        let fault = Fault(pointer: "", detail: "the event \(report.event) is fired at \(places)")
        throw DirectorError(.refused([fault]))
    }

    private func unknown(_ event: String, _ sources: [EventSource]) -> Fault {
        let names = EventCatalog.names(of: sources, nearestTo: event).joined(separator: ", ")
        return Fault(
            pointer: "/event",
            detail: "a \(kind.rawValue) has no event \(event.quoted); it has \(names)")
    }
}

extension ListState {
    /// The place in a published state of the element that a report addresses.
    ///
    /// - Complexity: O(log *n*) for an identifier; O(*n*) in the section's elements for a position in a row.
    /// - Throws: That there is none in this version, or that the identifier stands for several.
    func path(
        section: Address, row: Address?, element: Address, version: Int
    ) throws(DirectorError) -> ElementPath {
        func missing(_ detail: String, _ pointer: String) -> DirectorError {
            let fault = Fault(pointer: pointer, detail: "\(detail) in version \(version)")
            return DirectorError(.refused([fault]), pointer: pointer)
        }
        guard let position = try content.existing(section, of: .section, pointer: "/section") else {
            throw missing("there is no section \(section.shown)", "/section")
        }
        let elements = content[position].list
        guard let row else {
            guard let place = try elements.existing(element, of: .element, pointer: "/element") else {
                throw missing("the section \(section.shown) has no element \(element.shown)", "/element")
            }
            return ElementPath(section: position, element: place)
        }
        guard case .identifier(let name) = row else {
            let fault = Fault(pointer: "/row", detail: "a published row is named by its identifier")
            throw DirectorError(.refused([fault]), pointer: "/row")
        }
        let places = elements.places(of: element, inRow: name)
        guard let place = places.first else {
            throw missing(
                "the row \(row.shown) of the section \(section.shown) shows no element \(element.shown)", "/element")
        }
        guard places.count == 1 else {
            let identifier = elements[place].identifier
            throw DirectorError(
                .ambiguous(.element, identifier: identifier, positions: places), pointer: "/element")
        }
        return ElementPath(section: position, element: place)
    }
}

extension PersistentList<Element> {
    /// The positions of a row's elements that an address stands for; several of one identifier.
    fileprivate func places(of address: Address, inRow row: String) -> [Int] {
        func isOfRow(_ position: Int) -> Bool { self[position].adapter.row?.row.isVerbatim(row) ?? false }
        if case .identifier(let identifier) = address {
            return Array(positions(of: identifier).filter(isOfRow).prefix(Fault.limit + 1))
        }
        let own = enumerated().lazy.filter { $0.element.adapter.row?.row.isVerbatim(row) ?? false }.map(\.offset)
        switch address {
        case .first: return own.first.map { [$0] } ?? []
        case .position(let position): return own.dropFirst(position).first.map { [$0] } ?? []
        default: return Array(own.suffix(1))
        }
    }
}

extension EventDefinition {
    /// Whether the event can be fired at a place.
    func isFired(at target: EventReport.Target) -> Bool {
        switch (place, target) {
        case (.element, .element), (.element, .identified), (.header, .header), (.footer, .footer), (.list, .list),
            (.headerOrFooter, .header), (.headerOrFooter, .footer):
            true
        case (.element, .elements): isBatchable
        default: false
        }
    }

    /// The member of a report that says where, in words.
    package var placePhrase: String {
        switch place {
        case .element:
            isBatchable
                ? "an element (section and element, or an indexPath) or several indexPaths"
                : "an element (section and element, or an indexPath)"
        case .header: "a header"
        case .footer: "a footer"
        case .headerOrFooter: "a header or a footer"
        case .list: "the whole list, without a place"
        }
    }

    /// Checks the parameters that the event has; others are the caller's own.
    func check(_ parameters: JSONValue?) throws(DirectorError) {
        let root = parameters?.document.root
        var faults = FaultList()
        for parameter in self.parameters {
            guard let node = root?[parameter.name] else {
                if parameter.isRequired {
                    faults.append(
                        "/parameters", "the event \(name) needs the parameter \(parameter.name): \(parameter.summary)")
                }
                continue
            }
            var own = FaultList()
            _ = parameter.type.check(node, &own)
            for fault in own.faults { faults.append(fault.inside("/parameters")) }
        }
        guard faults.isEmpty else { throw DirectorError(.refused(faults.faults), pointer: "/parameters") }
    }
}
