import Directors
import JSONLogic
import JSONValues
import Notation

/// A definition with bound parameters and claims: all that decides what a view makes of its source.
///
/// A plan does not change, and instances of one view share it.
package final class ViewPlan: Sendable {
    /// The definition.
    package let definition: ViewDefinition
    /// The values of all parameters, by name.
    package let bindings: [Name: JSONValue]
    /// The parameters as one object.
    let parameters: LogicValue
    /// The claims of the reader; null without any.
    let claims: LogicValue
    /// The inputs of all expressions.
    let reads: ViewReads
    /// The shown parts of a value; nil for the whole.
    let fields: ViewFieldTree?

    /// Binds a definition's parameters.
    ///
    /// - Parameters:
    ///   - definition: The definition.
    ///   - bound: The values that the reader binds, by the parameters' names.
    ///   - claims: What is known of the reader; nil if nothing is.
    /// - Throws: Every parameter that is unknown, is not bound, or has a value of another type.
    package init(
        _ definition: ViewDefinition, binding bound: [Name: JSONValue] = [:], claims: JSONValue? = nil
    ) throws(RepresentationError) {
        self.definition = definition
        bindings = try ViewPlan.bind(definition.parameters, bound)
        parameters = .object(reading: bindings)
        self.claims = claims.map { .json($0.document.root) } ?? .null
        reads = ViewReads(definition.expressions)
        fields = definition.shownFields.map { ViewFieldTree($0) }
    }

    private static func bind(
        _ parameters: [ViewParameter], _ bound: [Name: JSONValue]
    ) throws(RepresentationError) -> [Name: JSONValue] {
        var faults = FaultList()
        var values: [Name: JSONValue] = [:]
        func pointer(_ name: String) -> String { "/parameters/" + JSONPointer.escape(name) }
        for parameter in parameters {
            guard let value = bound[parameter.name] ?? parameter.values.initial else {
                faults.append(
                    pointer(parameter.name), "the parameter \(parameter.name.quoted) has no default and is not bound")
                continue
            }
            if !parameter.accepts(value.document.root) {
                faults.append(pointer(parameter.name), "expected \(parameter.expected)")
            }
            values[parameter.name] = value
        }
        for name in bound.keys.sorted() where !parameters.contains(where: { Name($0.name) == name }) {
            faults.append(pointer(name.text), "the view has no parameter \(name.text.quoted)")
        }
        guard faults.isEmpty else { throw RepresentationError(faults.faults) }
        return values
    }

    /// Whether an expression reads variables of the source.
    package var readsVariables: Bool { reads.anyVariable || !reads.variables.isEmpty }

    /// Whether the sections are those of the source.
    package var keepsSections: Bool { definition.sectioning == nil }

    /// Whether elements stand in the order of the source.
    var keepsOrder: Bool { definition.sort.isEmpty }

    /// Whether the view is a filter alone: it shows elements of the source whole, in its sections and its order, without a
    /// number of them that depends on others.
    var isFilter: Bool {
        keepsSections && keepsOrder && fields == nil && definition.totals.isEmpty && definition.limit == nil
    }

    /// An element as readers get it; the earlier one if both are the same.
    func shown(_ element: Element, insteadOf earlier: Element?) -> Element {
        guard let fields else { return element }
        let value = fields.shown(of: element.value)
        if let earlier, earlier.adapter === element.adapter, earlier.identifier.isVerbatim(element.identifier),
            earlier.value.bytes == value.bytes
        {
            return earlier
        }
        return Element(restoring: value, identifier: element.identifier, adapter: element.adapter)
    }
}
