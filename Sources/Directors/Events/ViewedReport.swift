import JSONValues
import ListDiff
import Notation

/// A report that was made at a view and read in the view's list; it is resolved in the director that the list follows from.
package struct ViewedReport: Sendable {
    /// The report, whose places are the view's.
    package let report: EventReport
    /// The view's name.
    @Verbatim package private(set) var view: String
    /// The version that the report is about; the view and its source have the same numbers.
    package let version: Int
    /// The list that the view shows in that version.
    let list: ListState
    /// The view's own properties: sizes are answered by them.
    let properties: DirectorProperties
    /// The elements that the report is about, in its order.
    let elements: [SeenElement]
    /// The section whose header or footer it is about.
    let section: SeenSection?
    /// The view, and those that it follows in their order; their own hooks are found by these.
    let views: [ViewLife]

    /// An element as the view shows it.
    struct SeenElement: Sendable {
        let path: ElementPath
        let element: Element
        /// The identifier of the source's section, where the view keeps those.
        let section: String?
        /// The cell of the view's own adapter; nil where it has none.
        let cell: String?
    }

    /// A section of the view that the source has, too.
    struct SeenSection: Sendable {
        let position: Int
        let identifier: String
    }
}

extension Director {
    /// Reads a report that was made at a view in the view's list; the director is the view as its readers see it.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - state: The view's published state of the version that the report names.
    ///   - keepsSections: Whether the view's sections are its source's.
    ///   - views: The view, and those that it follows in their order.
    /// - Complexity: O(*m* log *n*) for *m* index paths into a list of *n* elements.
    /// - Throws: The errors of ``resolve(_:in:)``, and a header or footer of a section that the view has made.
    package func read(
        _ report: EventReport, at state: PublishedState, keepsSections: Bool, through views: [ViewLife] = []
    ) throws(DirectorError) -> ViewedReport {
        let definition = try definition(of: report)
        try definition.check(report.parameters)
        let context = EventContext(
            director: self, state: state, definition: definition, parameters: report.parameters)
        let subject = try context.subject(of: report.target)
        let elements = subject.items.map { item in
            ViewedReport.SeenElement(
                path: item.path, element: item.element, section: keepsSections ? item.section.identifier : nil,
                cell: cell(of: item.element))
        }
        var section: ViewedReport.SeenSection?
        if case .supplementary(let seen) = subject {
            guard keepsSections else { throw .madeSection(isHeader: seen.isHeader) }
            section = .init(position: seen.position, identifier: seen.section.identifier)
        }
        return ViewedReport(
            report: report, view: name, version: state.version, list: state.list, properties: properties,
            elements: elements, section: section, views: views)
    }

    /// The cell of a view's own adapter for an element's model; nil where the source's adapter or the row says it.
    private func cell(of element: Element) -> String? {
        guard element.adapter.row?.cell == nil, let adapter = adapters.cells[element.model] else { return nil }
        return adapter.cell.isVerbatim(element.adapter.cell) ? nil : adapter.cell
    }

    /// Finds what a report is about that was made at a view of this director, as ``resolve(_:in:)`` does.
    ///
    /// The hooks are this director's. An element is found by its identifier. Of several with one identifier it is the first
    /// that has the value which the view shows, among the first 16 of a section; else the first.
    ///
    /// - Parameters:
    ///   - viewed: The report.
    ///   - state: This director's published state of the report's version.
    /// - Complexity: O(*m s* log *n*) for *m* index paths and *s* sections.
    /// - Throws: An event that this kind of director does not have, an element or a section that is not in the version.
    package func resolve(
        viewed: ViewedReport, in state: PublishedState
    ) throws(DirectorError) -> [ResolvedEvent] {
        let report = viewed.report
        let context = EventContext(
            director: self, state: state, definition: try definition(of: report), parameters: report.parameters,
            viewed: viewed)
        return context.events(about: try context.subject(of: try target(of: viewed, in: state.list)))
    }

    /// The place of a report in this director's list.
    private func target(
        of viewed: ViewedReport, in list: ListState
    ) throws(DirectorError) -> EventReport.Target {
        var paths: [ElementPath] = []
        for seen in viewed.elements {
            guard let path = list.path(of: seen) else {
                throw .gone("the element \(seen.element.identifier.quoted)", of: viewed, in: self)
            }
            paths.append(path)
        }
        switch viewed.report.target {
        case .element, .identified: return .element(paths[0])
        case .elements: return .elements(paths)
        case .header: return .header(try section(of: viewed, in: list))
        case .footer: return .footer(try section(of: viewed, in: list))
        case .list: return .list
        }
    }

    private func section(of viewed: ViewedReport, in list: ListState) throws(DirectorError) -> Int {
        guard let seen = viewed.section else { preconditionFailure("the report is about a section") }
        guard let position = list.content.positions(of: seen.identifier).first else {
            throw .gone("the section \(seen.identifier.quoted)", of: viewed, in: self)
        }
        return position
    }
}

extension ListState {
    /// The place of an element of a view: in the section of its section's identifier, if the view keeps sections.
    fileprivate func path(of seen: ViewedReport.SeenElement) -> ElementPath? {
        if let section = seen.section { return path(of: seen, in: content.positions(of: section)) }
        return path(of: seen, in: content.indices)
    }

    private func path(of seen: ViewedReport.SeenElement, in sections: some Sequence<Int>) -> ElementPath? {
        var found: ElementPath?
        for section in sections {
            for position in content[section].list.positions(of: seen.element.identifier, limit: 16) {
                let candidate = content[section].list[position]
                guard candidate.model.isVerbatim(seen.element.model) else { continue }
                let path = ElementPath(section: section, element: position)
                if candidate === seen.element || candidate.value.bytes == seen.element.value.bytes { return path }
                found = found ?? path
            }
        }
        return found
    }
}

extension DirectorError {
    fileprivate static func madeSection(isHeader: Bool) -> DirectorError {
        let side = isHeader ? "header" : "footer"
        let detail =
            "the view makes its sections itself, so that this is no \(side) of its source; report at an element or at the list"
        return DirectorError(.refused([Fault(pointer: "/\(side)", detail: detail)]), pointer: "/\(side)")
    }

    fileprivate static func gone(_ what: String, of viewed: ViewedReport, in director: Director) -> DirectorError {
        let detail = "\(what) is not in version \(viewed.version) of \(director.name.quoted), which the view follows"
        return DirectorError(.refused([Fault(pointer: "", detail: detail)]))
    }
}
