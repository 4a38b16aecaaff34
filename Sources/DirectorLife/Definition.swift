import Directors
import Notation

/// A director's definition, besides its content: properties, adapters and event hooks.
package struct Definition: Sendable {
    /// The properties, and so the kind.
    package let properties: DirectorProperties
    /// The rule of a view; nil for a director with content of its own.
    package let derivation: Derivation?
    /// The cell adapters, ordered by model.
    package let cells: [CellAdapter]
    /// The header/footer adapters, ordered by view.
    package let views: [HeaderFooterAdapter]
    /// The event hooks, with their secrets.
    package let hooks: HookRegistry

    /// Makes a definition of its parts.
    package init(
        properties: DirectorProperties, derivation: Derivation? = nil, cells: [CellAdapter],
        views: [HeaderFooterAdapter], hooks: HookRegistry
    ) {
        self.properties = properties
        self.derivation = derivation
        self.cells = cells
        self.views = views
        self.hooks = hooks
    }

    /// The definition of a director at this moment. O(*a* log *a*) in the number of adapters.
    package init(of director: Director) {
        self.init(
            properties: director.properties, derivation: director.derivation, cells: director.adapters.sortedCells,
            views: director.adapters.sortedHeaderFooters, hooks: director.hooks)
    }
}

extension Director {
    /// Makes the director what a definition says, as the calls did that led to it.
    ///
    /// The revision rises by one for each adapter that changes, while one call may have changed several of them.
    ///
    /// - Throws: An adapter that does not fit the elements, or that is in use and gone.
    package mutating func redefine(as definition: Definition) throws(DirectorError) {
        let before = revision
        redefine(definition.properties)
        redefine(definition.derivation)
        for cell in definition.cells { try register(cell) }
        for view in definition.views { try register(view) }
        let models = Set(texts: definition.cells.map(\.model))
        for cell in adapters.sortedCells where !models.contains(cell.model) {
            try removeCellAdapter(model: cell.model)
        }
        let names = Set(texts: definition.views.map(\.view))
        for view in adapters.sortedHeaderFooters where !names.contains(view.view) {
            try removeHeaderFooterAdapter(view: view.view)
        }
        restore(definition.hooks, since: before)
    }
}
