import Directors
import JSONLogic
import JSONValues

/// The value that all elements of a part have in common.
package enum PartKey: Hashable, Sendable {
    /// A text.
    case text([UInt8])
    /// A whole number.
    case number(Int)
}

/// A rule that divides a list by a value of its elements, for views whose first condition compares that value.
package struct PartRule: Hashable, Sendable {
    /// The length in bytes of the longest text that a part is made for.
    package static let maximumText = 256
    /// How many members may be passed on the way to the value, which evaluation counts as steps.
    private static let maximumPassed = 256

    /// The kind of the value that is compared with.
    enum Kind: Hashable, Sendable {
        case text, number
    }

    /// The names of members that lead to the value.
    let path: [String]
    /// Whether only values of the same kind can be equal.
    let isStrict: Bool
    let kind: Kind

    /// Where an element is needed.
    enum Placement: Equatable {
        /// In one part. The condition is false for all others, without a failure.
        case part(PartKey)
        /// In no part.
        case nowhere
        /// In parts that the rule cannot tell: the condition may hold or fail for many values.
        case unknown
    }

    /// The part of an element.
    ///
    /// - Complexity: O(*m*) in the number of members on the way to the value, which is bounded.
    func placement(of element: Element, _ steps: JSONSteps) -> Placement {
        var (node, passed) = (element.value.document.root, 0)
        let isThere = node.descend(0..<steps.steps.count, of: steps, passed: &passed)
        guard passed <= PartRule.maximumPassed else { return .unknown }
        guard isThere else { return placementOfNull }
        switch (kind, node.kind) {
        case (_, .null): return placementOfNull
        case (.text, .string):
            guard node.textCount <= 6 * PartRule.maximumText + 2, let text = node.utf8 else { return .nowhere }
            return text.count <= PartRule.maximumText ? .part(.text(Array(text))) : .nowhere
        case (.number, .number): return placement(ofNumber: node)
        default: return isStrict ? .nowhere : .unknown
        }
    }

    /// Null, or no value, equals the number 0 by `==`, and no text.
    private var placementOfNull: Placement {
        kind == .number && !isStrict ? .part(.number(0)) : .nowhere
    }

    private func placement(ofNumber node: JSONNode) -> Placement {
        if let integer = node.shortInteger { return .part(.number(integer)) }
        switch LogicNumber(.json(node)) {
        case .integer(let integer): return .part(.number(integer))
        case .number(let double) where double != double.rounded(): return .nowhere
        default: return .unknown
        }
    }
}

/// The part of its source that a view needs.
package struct ViewPart: Sendable {
    /// How the source is divided.
    package let rule: PartRule
    /// The part.
    package let key: PartKey

    /// Finds the part; nil where the view needs the whole source.
    ///
    /// A view needs one part where its first condition compares a member of elements' values with a text or a whole
    /// number that is the same for all elements. A view that reads variables, or shows sections without elements, has
    /// to hear of every version.
    package init?(_ plan: ViewPlan) {
        guard !plan.readsVariables, !plan.definition.keepsEmpty,
            let equality = plan.definition.condition?.firstEquality(comparing: "value"), equality.path.count > 1,
            let other = equality.other(in: ViewData(plan, variables: [:]).members)
        else { return nil }
        if let first = equality.otherPath {
            guard let name = first.first, name.isVerbatim("parameters") || name.isVerbatim("claims") else { return nil }
        }
        let kind: PartRule.Kind
        switch other.kind {
        case .string:
            guard let text = other.utf8, text.count <= PartRule.maximumText else { return nil }
            (kind, key) = (.text, .text(Array(text)))
        case .number:
            guard case .integer(let integer) = LogicNumber(other) else { return nil }
            (kind, key) = (.number, .number(integer))
        default: return nil
        }
        rule = PartRule(path: Array(equality.path.dropFirst()), isStrict: equality.isStrict, kind: kind)
    }
}
