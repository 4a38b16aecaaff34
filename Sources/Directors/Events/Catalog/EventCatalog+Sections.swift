extension EventCatalog {
    /// The event by which a section or a model row gets its elements (TableViewConfigurator's `modelGenerator`).
    static let sectionEvents: [EventDefinition] = [
        EventTable(source: .section).source(
            "models", .list, "tableView(_:numberOfRowsInSection:)",
            "which elements the section or the model row has"
        ).since(ContentVersion.views)
    ]

    /// The name of the event that asks for elements.
    package static let models = "models"
}
