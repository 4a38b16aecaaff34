import Directors
import JSONLogic
import JSONValues
import Notation

/// A number that a view keeps over its elements.
package struct ViewTotal: Equatable, Sendable {
    /// The kind of number.
    package enum Function: String, CaseIterable, Hashable, Sendable {
        /// The number of elements.
        case count
        /// The exact sum of numbers.
        case sum
        /// The least value in the order of sort keys.
        case min
        /// The greatest value in the order of sort keys.
        case max
        /// The sum divided by the number of its terms, as the nearest double.
        case average
    }

    /// The name.
    @Verbatim package var name: String
    /// The kind of number.
    package var function: Function
    /// The contribution of an element; nil for ``Function/count``. An element whose value is null contributes nothing.
    package var expression: LogicExpression?
    /// Whether there is one total, or one for each section.
    package var scope = ViewScope.view

    fileprivate static func decode(_ member: JSONNode.Member, _ faults: inout FaultList) -> ViewTotal? {
        let node = member.value
        if let detail = Name.fault(in: member.name) { faults.append(node, detail) }
        guard node.isObject("a total", &faults) else { return nil }
        var (functions, scope) = ([(Function, JSONNode)](), ViewScope.view)
        for part in node.members {
            if let function = Function(rawValue: part.name) {
                functions.append((function, part.value))
            } else if part.isNamed("by") {
                scope = part.value.decodeChoice(ViewScope.self, &faults) ?? .view
            } else {
                let known = Function.allCases.map(\.rawValue).joined(separator: ", ")
                faults.append(part.value, "a total has no member \(part.name.quoted); it has \(known), by")
            }
        }
        guard functions.count == 1, let (function, argument) = functions.first else {
            let known = Function.allCases.map(\.rawValue).joined(separator: ", ")
            faults.append(node, "a total has exactly one of \(known)")
            return nil
        }
        var total = ViewTotal(name: member.name, function: function, scope: scope)
        if function == .count {
            if argument.bool != true { faults.append(argument, expected: "true") }
        } else {
            total.expression = LogicExpression.decode(argument, &faults)
        }
        return total
    }
}

extension FieldType<[ViewTotal]> {
    /// The totals of a view, an object by name.
    static let totals = FieldType(
        .any,
        decode: { node, faults in
            node.decodeNamed("totals", limit: ViewDefinition.maximumTotals, &faults) { ViewTotal.decode($0, &$1) }
        },
        encode: { totals, writer in
            writer.object { writer in
                for total in totals {
                    writer.key(total.name)
                    writer.object { writer in
                        writer.key(total.function.rawValue)
                        if let expression = total.expression {
                            writer.value(expression.source)
                        } else {
                            writer.bool(true)
                        }
                        writer.member("by", total.scope.rawValue)
                    }
                }
            }
        })
}
