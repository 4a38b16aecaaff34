import Directors
import JSONValues

/// Puts the values of `Directors` together out of what was stored.
///
/// These are the few steps that only that module can do, since everywhere else a list comes about by operations and a
/// published state by a reload.
package protocol DirectorAssembler: Sendable {
    /// An element of a value, with the identifier that the adapter reads from it.
    func element(value: JSONValue, adapter: CellAdapter) throws -> Element

    /// A section of these elements, some of which `similar` has too and shares with it.
    func section(
        identifier: String, attributes: SectionAttributes, elements: [Element], similar: Section?
    ) throws -> Section

    /// A list of these sections, some of which `similar` has too and shares with it.
    func list(sections: [Section], similar: ListState?) throws -> ListState

    /// A published state.
    func state(version: Int, list: ListState) -> PublishedState

    /// The published state that a change leads to.
    func state(applying change: PublishedChange, to state: PublishedState) throws -> PublishedState

    /// A director with everything that it is.
    func director(_ parts: DirectorParts) throws -> Director
}

/// Everything that a director is.
package struct DirectorParts: Sendable {
    /// The name.
    package var name: String
    /// Which life of that name.
    package var epoch: String
    /// The properties, and so the kind.
    package var properties: DirectorProperties
    /// How much it may hold; what it holds already may be more.
    package var limits: DirectorLimits
    /// The cell adapters.
    package var cells: [CellAdapter]
    /// The header and footer adapters.
    package var views: [HeaderFooterAdapter]
    /// Whether an adapter ever looked at a part of its values only, as far as anyone can tell.
    package var hasContentPointers: Bool
    /// The number of accepted mutations.
    package var revision: Int
    /// The working list, with what is hidden.
    package var working: ListState
    /// The variables.
    package var variables: [String: JSONValue]
    /// What is published.
    package var published: PublishedState

    /// The parts of a director.
    package init(of director: Director, hasContentPointers: Bool) {
        name = director.name
        epoch = director.epoch
        properties = director.properties
        limits = director.limits
        cells = director.adapters.sortedCells
        views = director.adapters.sortedHeaderFooters
        self.hasContentPointers = hasContentPointers
        revision = director.revision
        working = director.working.list
        variables = director.working.variables
        published = director.published
    }
}

extension DirectorLimits {
    /// None: what was accepted once is taken again, whatever the limits are by now.
    static let none = DirectorLimits(
        sections: .max, elements: .max, variables: .max, adapters: .max, valueLength: .max)
}
