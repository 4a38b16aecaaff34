import Directors
import JSONLogic
import JSONValues

/// A key of a view's order.
package struct ViewSortRule: Equatable, Sendable {
    /// The way in which texts are compared.
    package enum Collation: String, CaseIterable, Hashable, Sendable {
        /// By their Unicode scalars.
        case scalars
        /// Without regard to case, and runs of digits as numbers; texts that are equal so, by their scalars.
        case natural
    }

    /// The key of an element.
    package var key: LogicExpression?
    /// The direction.
    package var direction = ViewDirection.ascending
    /// The way in which texts are compared.
    package var collation = Collation.scalars

    static let fields = Fields<ViewSortRule>("a sort key") {
        Field("key", \.key, .optional(.expression), isRequired: true, "The key of an element.")
        Field("order", \.direction, .nullable(.choice), "The direction.")
        Field("collation", \.collation, .nullable(.choice), "The way in which texts are compared.")
    }
}

extension FieldType<[ViewSortRule]> {
    /// The keys of an order.
    static let sortRules = FieldType(
        .any,
        decode: { node, faults in
            if node.isNull { return [] }
            let rules = node.decodeArray(&faults) { node, faults in
                let rule = ViewSortRule.fields.decode(node, into: ViewSortRule(), &faults)
                if let key = node["key"], key.isNull { faults.append(key, "a sort key is an expression") }
                return rule
            }
            guard let rules, rules.count <= ViewDefinition.maximumSortKeys else {
                if rules != nil {
                    faults.append(node, "a view has at most \(ViewDefinition.maximumSortKeys) sort keys")
                }
                return nil
            }
            return rules
        },
        encode: { rules, writer in
            writer.array { writer in for rule in rules { ViewSortRule.fields.encode(rule, to: &writer) } }
        })
}
