import Directors
import JSONLogic
import JSONValues

/// The sections of a view that do not follow the source's.
package enum ViewSectioning: Equatable, Sendable {
    /// One section with all elements; it is there without elements, too.
    case single
    /// A section for each value of a key.
    case grouped(ViewGrouping)

    /// The grouping; nil for a single section.
    var grouping: ViewGrouping? {
        if case .grouped(let grouping) = self { grouping } else { nil }
    }

    /// The identifier of the single section.
    package static let singleIdentifier = "all"
}

/// The key of a view's sections, with their titles and their order.
package struct ViewGrouping: Equatable, Sendable {
    /// The key of an element's section.
    package var key: LogicExpression?
    /// The title of a section, over its `key`; nil for the section's identifier.
    package var title: LogicExpression?
    /// The order of the sections by their keys.
    package var direction = ViewDirection.ascending

    static let fields = Fields<ViewGrouping>("sectionBy", form: "null or sectionBy") {
        Field("key", \.key, .optional(.expression), isRequired: true, "The key of an element's section.")
        Field(
            "title", \.title, .optional(.expression),
            "The section's title, an expression over `key`; left out, the section's identifier.")
        Field("order", \.direction, .nullable(.choice), "The order of the sections by their keys.")
    }
}

extension FieldType<ViewSectioning> {
    /// Null, or the key of the sections.
    static let sectioning = FieldType(
        .any,
        decode: { node, faults in
            if node.isNull { return .single }
            guard let grouping = ViewGrouping.fields.decode(node, into: ViewGrouping(), &faults) else { return nil }
            if let key = node["key"], key.isNull {
                faults.append(key, "null gives all elements one section: write \"sectionBy\": null")
            }
            return .grouped(grouping)
        },
        encode: { sectioning, writer in
            switch sectioning {
            case .single: writer.null()
            case .grouped(let grouping): ViewGrouping.fields.encode(grouping, to: &writer)
            }
        })
}
