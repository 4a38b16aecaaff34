import ListDiff

extension ListDefinition {
    /// The name of the cell that shows an element: its row's, or that of its model's adapter; nil where neither is known.
    ///
    /// - Complexity: O(*a*) in the number of adapters for an ordinary element, O(1) for one of a row.
    public func cell(for element: RemoteElement) -> String? {
        element.cell ?? adapter(for: element)?["cell"]?.stringValue
    }

    /// The identifier that an element's cells are reused by: its row's, or that of its model's adapter, which is the
    /// cell's name unless the adapter says otherwise; nil where neither is known.
    ///
    /// - Complexity: O(*a*) in the number of adapters for an ordinary element, O(1) for one of a row.
    public func reuseIdentifier(for element: RemoteElement) -> String? {
        if let identifier = element.reuseIdentifier { return identifier }
        let adapter = adapter(for: element)
        return (adapter?["reuseIdentifier"] ?? adapter?["cell"])?.stringValue
    }

    private func adapter(for element: RemoteElement) -> JSON? {
        guard let model = element.model else { return nil }
        return adapters.first { $0["model"]?.stringValue == model }
    }
}

extension RandomAccessCollection where Element == RemoteSection, Index == Int {
    /// The element at a path, or nil where there is none.
    ///
    /// It serves a view's data source, which answers from the sections that it was given for a stage.
    public func element(at path: ElementPath) -> RemoteElement? {
        guard indices.contains(path.section), self[path.section].elements.indices.contains(path.element) else {
            return nil
        }
        return self[path.section].elements[path.element]
    }

    /// The height that a row sets for its cell at a path; nil where it sets none, in an ordinary section, and where there
    /// is no element.
    public func rowHeight(at path: ElementPath) -> Double? { element(at: path)?.height }

    /// The estimated height that a row sets for its cell at a path; nil as for `rowHeight(at:)`.
    public func estimatedRowHeight(at path: ElementPath) -> Double? { element(at: path)?.estimatedHeight }
}

extension RemoteList {
    /// The element at a path, or nil where there is none.
    public func element(at path: ElementPath) -> RemoteElement? { sections.element(at: path) }

    /// The height that a row sets for its cell at a path; nil where it sets none, in an ordinary section, and where there
    /// is no element.
    public func rowHeight(at path: ElementPath) -> Double? { sections.rowHeight(at: path) }

    /// The estimated height that a row sets for its cell at a path; nil as for ``rowHeight(at:)``.
    public func estimatedRowHeight(at path: ElementPath) -> Double? { sections.estimatedRowHeight(at: path) }

    /// The identifier that the cell at a path is reused by; nil where there is no element, and where its model has no
    /// adapter.
    ///
    /// - Complexity: that of ``ListDefinition/reuseIdentifier(for:)``.
    public func reuseIdentifier(at path: ElementPath) -> String? {
        element(at: path).flatMap { definition.reuseIdentifier(for: $0) }
    }
}
