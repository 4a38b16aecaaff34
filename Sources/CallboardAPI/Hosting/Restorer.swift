import Directors
import JSONValues
import Journal
import ListDiff

/// Puts directors together out of what a journal has stored.
package struct Restorer: DirectorAssembler {
    /// Makes one; it has no state.
    package init() {}

    package func element(value: JSONValue, adapter: CellAdapter) throws -> Element {
        try Element(restoring: value, adapter: adapter)
    }

    package func section(
        identifier: String, attributes: SectionAttributes, elements: [Element], similar: Section?
    ) throws -> Section {
        Section(identifier: identifier, attributes: attributes, elements: elements, sharing: similar)
    }

    package func list(sections: [Section], similar: ListState?) throws -> ListState {
        ListState(sections: sections, sharing: similar)
    }

    package func state(version: Int, list: ListState) -> PublishedState {
        PublishedState(restoring: list, version: version)
    }

    package func state(applying change: PublishedChange, to state: PublishedState) throws -> PublishedState {
        try state.applying(change)
    }

    package func director(_ parts: DirectorParts) throws -> Director {
        Director(
            restoring: parts.name, epoch: parts.epoch, properties: parts.properties,
            adapters: AdapterRegistry(cells: parts.cells, headerFooters: parts.views),
            working: WorkingState(restoring: parts.working, revision: parts.revision, variables: parts.variables),
            published: parts.published, limits: parts.limits)
    }
}
