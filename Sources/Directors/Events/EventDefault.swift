import JSONValues

/// UIKit's behaviour without an answer of the delegate: the answer to a question without a hook's answer and default.
package enum EventDefault: Hashable, Sendable {
    /// The same value always.
    case value(JSONValue)
    /// The height of the section's header or footer, where it is asked for and the section says one; else the director's
    /// height or size where its policy says one, else UIKit's.
    case size(SizeProperty)
    /// The estimated size until a client knows the real one: what the section says, or the policy's estimate, if there is
    /// one.
    case estimate(SizeProperty)
    /// The size of the section's header or footer; nothing where the section says none.
    case supplementarySize
    /// The index path that was asked for.
    case indexPath
    /// The caller's proposal, a parameter.
    case parameter(String)
    /// The section that has the index title at the position that the parameter `index` says.
    case indexedSection
    /// Whether the same adapter has a hook on another event, as UIKit looks whether a delegate has another method.
    case isHooked(String)

    /// The rule in words, as documents have it: a value, or where it comes from.
    package var phrase: String {
        switch self {
        case .value(let value): value.text
        case .size(.itemSize):
            "the director's itemSize where it is explicit, its estimate where it is automatic, else 50 by 50 points"
        case .size(.rowLength): "the row's height, else -1"
        case .size(let property): "\(property.owner) \(property.rawValue) where it is explicit, else -1"
        case .estimate(let property):
            "\(property.owner) \(property.rawValue) where it is explicit, its estimate where it is automatic, else -1"
        case .supplementarySize: "the section's headerSize or footerSize, else 0 by 0 points"
        case .indexPath: "the index path that was asked for"
        case .parameter(let name): "the parameter \(name)"
        case .indexedSection: "the section that has the index title at the parameter index"
        case .isHooked(let event): "true where \(event) has a hook on the same adapter, else false"
        }
    }

    /// A property that says how large something is.
    package enum SizeProperty: String, Hashable, Sendable {
        /// How high a table's rows are.
        case rowHeight
        /// How high a table's headers are.
        case headerHeight
        /// How high a table's footers are.
        case footerHeight
        /// How large a flow layout's items are.
        case itemSize
        /// How long a stack's rows are, which only they say.
        case rowLength

        /// The owner of the property, in words.
        fileprivate var owner: String {
            switch self {
            case .headerHeight, .footerHeight: "the section's \(rawValue), else the director's"
            case .rowHeight, .itemSize, .rowLength: "the director's"
            }
        }
    }
}
