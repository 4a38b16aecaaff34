extension EventCatalog {
    /// The event by which a section or a model row gets its elements (TableViewConfigurator's `modelGenerator`).
    static let sectionEvents: [EventDefinition] = [
        EventDefinition(
            source: .section, name: models, kind: .source, place: .list, isBatchable: false, parameters: [],
            delegateMethod: "tableView(_:numberOfRowsInSection:)",
            summary: "which elements the section or the model row has"
        ).since(ContentVersion.views)
    ]

    /// The name of the event that asks for elements.
    package static let models = "models"
}
