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

    /// The adapter of an element's model as the server describes it; nil for the element of a constant row.
    func adapter(for element: RemoteElement) -> JSON? {
        guard let model = element.model else { return nil }
        return adapters.first { $0["model"]?.stringValue == model }
    }
}
