import JSONValues
import ListDiff

extension Director {
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
        switch report.target {
        case .element(let path):
            return [context.event(try context.item(path, position: 0, pointer: "/indexPath"))]
        case .elements(let paths): return try context.events(paths)
        case .header(let position): return [context.event(try context.supplementary(position, isHeader: true))]
        case .footer(let position): return [context.event(try context.supplementary(position, isHeader: false))]
        case .list: return [context.event()]
        }
    }

    /// The event of a report's name that is fired at a report's place.
    private func definition(of report: EventReport) throws(DirectorError) -> EventDefinition {
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

extension EventDefinition {
    /// Whether the event can be fired at a place.
    func isFired(at target: EventReport.Target) -> Bool {
        switch (place, target) {
        case (.element, .element), (.header, .header), (.footer, .footer), (.list, .list),
            (.headerOrFooter, .header), (.headerOrFooter, .footer):
            true
        case (.element, .elements): isBatchable
        default: false
        }
    }

    /// The member of a report that says where, in words.
    package var placePhrase: String {
        switch place {
        case .element: isBatchable ? "an indexPath or several indexPaths" : "an indexPath"
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
