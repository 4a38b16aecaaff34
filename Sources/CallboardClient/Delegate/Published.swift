/// The answers that a list publishes by itself, without a hook.
enum Published {
    /// What an element's row says.
    static func answer(_ question: String, of element: RemoteElement) -> JSON? {
        switch question {
        case "rowHeight": element.height.flatMap { JSONNumber($0) }.map { .number($0) }
        case "rowHeightEstimated":
            (element.estimatedHeight ?? element.height).flatMap { JSONNumber($0) }.map { .number($0) }
        default: nil
        }
    }

    /// A section's answer about its header or footer.
    static func answer(_ question: String, of section: RemoteSection, isHeader: Bool) -> JSON? {
        switch question {
        case "headerHeight", "estHeaderHeight": section.attributes["headerHeight"]
        case "footerHeight", "estFooterHeight": section.attributes["footerHeight"]
        case "referenceSize": section.attributes[isHeader ? "headerSize" : "footerSize"]
        default: nil
        }
    }

    /// The director's size: the explicit one, or the estimate of an automatic one.
    static func answer(_ question: String, of definition: ListDefinition?) -> JSON? {
        switch question {
        case "rowHeight", "headerHeight", "footerHeight", "itemSize": policy(question, definition)?["explicit"]
        case "rowHeightEstimated": estimate("rowHeight", definition)
        case "estHeaderHeight": estimate("headerHeight", definition)
        case "estFooterHeight": estimate("footerHeight", definition)
        default: nil
        }
    }

    private static func policy(_ property: String, _ definition: ListDefinition?) -> JSON? {
        definition?.properties[property]
    }

    private static func estimate(_ property: String, _ definition: ListDefinition?) -> JSON? {
        let policy = policy(property, definition)
        return policy?["auto"] ?? policy?["explicit"]
    }
}
