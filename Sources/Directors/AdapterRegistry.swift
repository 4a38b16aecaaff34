import Notation

/// The adapters of a director, by the name of their model or view.
package struct AdapterRegistry: Sendable, Equatable {
    /// The cell adapters by model.
    package private(set) var cells: [Name: CellAdapter] = [:]

    /// The header and footer adapters by view.
    package internal(set) var headerFooters: [Name: HeaderFooterAdapter] = [:]

    /// How many cell adapters look at parts of their values only.
    private var partial = 0

    /// Whether a cell adapter looks at parts of its values only.
    var looksAtParts: Bool {
        partial > 0
    }

    /// How many cell adapters say that identifiers are unique.
    private var unique = 0

    /// Whether a cell adapter says that identifiers are unique.
    var hasUnique: Bool {
        unique > 0
    }

    /// Puts a cell adapter in the place of the one that a model has; nil takes that one away.
    mutating func setCell(_ adapter: CellAdapter?, model: String) {
        if cells[model]?.content != nil { partial -= 1 }
        if adapter?.content != nil { partial += 1 }
        if cells[model]?.isUnique == true { unique -= 1 }
        if adapter?.isUnique == true { unique += 1 }
        cells[model] = adapter
    }

    /// The cell adapters in the order of their models' names.
    package var sortedCells: [CellAdapter] {
        cells.values.sorted { Name($0.model) < Name($1.model) }
    }

    /// The header and footer adapters in the order of their views' names.
    package var sortedHeaderFooters: [HeaderFooterAdapter] {
        headerFooters.values.sorted { Name($0.view) < Name($1.view) }
    }

    /// The adapters with others in their places, as the readers of a view see them: those of the source, and in place of some
    /// the view's own. The source's adapters read the identifiers and the content.
    ///
    /// - Complexity: O(*a*) in the number of the view's adapters.
    package func overlaid(by others: AdapterRegistry) -> AdapterRegistry {
        guard !others.cells.isEmpty || !others.headerFooters.isEmpty else { return self }
        var adapters = self
        for (model, adapter) in others.cells {
            adapters.setCell(cells[model].map { adapter.reading(as: $0) } ?? adapter, model: model.text)
        }
        adapters.headerFooters.merge(others.headerFooters) { $1 }
        return adapters
    }

    /// The adapter of a draft: that of its model or, where it names none, the only one.
    func adapter(of draft: ElementDraft, isStored: Bool = false) -> CellAdapter? {
        guard let model = draft.model else { return cells.count == 1 ? cells.values.first : nil }
        return cell(of: model, isStored: isStored)
    }

    /// The cell adapter of a model.
    ///
    /// - Parameter isStored: Whether it was stored that there is one: an earlier program may have found it by another
    ///   spelling.
    func cell(of model: String, isStored: Bool) -> CellAdapter? {
        if let adapter = cells[model] { return adapter }
        return isStored ? Name.equivalent(to: model, among: cells.keys).flatMap { cells[$0] } : nil
    }
}
