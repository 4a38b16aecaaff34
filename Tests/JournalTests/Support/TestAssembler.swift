import JSONValues
import ListDiff

@testable import Directors
@testable import Journal

/// Puts directors together with what only their module, and its tests, can see.
struct TestAssembler: DirectorAssembler {
    func element(value: JSONValue, adapter: CellAdapter) throws -> Element {
        try Element(value: value, adapter: adapter)
    }

    func section(
        identifier: String, attributes: SectionAttributes, elements: [Element], similar: Section?
    ) throws -> Section {
        Section(identifier: identifier, attributes: attributes, elements: elements)
    }

    func list(sections: [Section], similar: ListState?) throws -> ListState {
        ListState(sections: sections)
    }

    func state(version: Int, list: ListState) -> PublishedState {
        PublishedState(version: version, list: list)
    }

    func state(applying change: PublishedChange, to state: PublishedState) throws -> PublishedState {
        let sections = try state.list.sections.applying(change.changeset)
        return PublishedState(version: change.version, list: ListState(sections: sections))
    }

    func director(_ parts: DirectorParts) throws -> Director {
        var director = Director(
            name: parts.name, epoch: parts.epoch, properties: parts.properties, limits: parts.limits)
        for cell in parts.cells { director.adapters.cells[cell.model] = cell }
        for view in parts.views { director.adapters.headerFooters[view.view] = view }
        director.hasContentPointers = parts.hasContentPointers
        director.working.revision = parts.revision
        director.working.list = parts.working
        director.working.variables = parts.variables
        director.published = parts.published
        return director
    }
}
