import Directors
import JSONLogic
import JSONValues
import Notation

extension ViewDefinition {
    /// Reads a definition, and compiles its expressions.
    ///
    /// - Parameter limits: The bounds of a request; nil for a stored definition.
    /// - Complexity: O(*n*) in the length of the text.
    /// - Throws: Every fault that was found, each with a pointer into the definition and a sentence.
    package static func decode(
        _ node: JSONNode, within limits: DirectorLimits? = nil
    ) throws(RepresentationError) -> ViewDefinition {
        try decoding(within: limits) { decode(node, &$0) }
    }

    /// Reads a definition that is part of a larger body.
    package static func decode(_ node: JSONNode, _ faults: inout FaultList) -> ViewDefinition? {
        guard let definition = fields.decode(node, into: ViewDefinition(), &faults) else { return nil }
        definition.checkMembers(node, &faults)
        definition.checkReads(node, &faults)
        return definition
    }

    /// Appends the definition as it is read, an object with every member that has a value.
    package func encode(to writer: inout JSONWriter) {
        ViewDefinition.fields.encode(self, to: &writer)
    }

    /// Checks members that make sense only with others.
    private func checkMembers(_ node: JSONNode, _ faults: inout FaultList) {
        if keepsEmpty, sectioning != nil, let member = node["keepEmpty"] {
            faults.append(
                member, "sections without elements can be kept only where \"sectionBy\" is left out, which has others")
        }
        if limit == nil, limitBy != nil, let member = node["limitBy"] {
            faults.append(member, "\"limitBy\" says what a limit counts; the member \"limit\" is missing")
        }
    }

    /// Checks that every expression reads only data that it is given.
    private func checkReads(_ node: JSONNode, _ faults: inout FaultList) {
        let scope = ViewScopeCheck(parameters: Set(parameters.map { Name($0.name) }))
        scope.check(condition, node["where"], &faults)
        if let grouping = sectioning?.grouping, let member = node["sectionBy"] {
            scope.check(grouping.key, member["key"], &faults)
            scope.check(grouping.title, member["title"], isTitle: true, &faults)
        }
        for (rule, member) in zip(sort, node["sortBy"].map { Array($0.elements) } ?? []) {
            scope.check(rule.key, member["key"], &faults)
        }
        for total in totals {
            scope.check(total.expression, node["totals"]?[total.name]?[total.function.rawValue], &faults)
        }
    }
}

/// Checks the names that a view's expressions read, so that a misspelt one is a fault and not null.
private struct ViewScopeCheck {
    /// The names of the view's parameters.
    let parameters: Set<Name>

    /// Adds a fault at the expression's node for each name that there is nothing under.
    func check(
        _ expression: LogicExpression?, _ node: JSONNode?, isTitle: Bool = false, _ faults: inout FaultList
    ) {
        guard let expression, let node else { return }
        let known = isTitle ? ViewData.titleMembers : ViewData.elementMembers
        for path in expression.reads.paths.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard let first = path.first else { continue }
            guard known.contains(where: { $0.isVerbatim(first) }) else {
                faults.append(
                    node, "there is no \(first.quoted) to read; the expression reads \(known.joined(separator: ", "))")
                continue
            }
            if first.isVerbatim("parameters"), path.count > 1, !parameters.contains(path[1]) {
                faults.append(node, "the view has no parameter \(path[1].quoted)")
            }
        }
    }
}

extension FieldType<LogicExpression> {
    /// A JsonLogic expression, compiled when it is read.
    static let expression = FieldType(
        .reference("Expression"), decode: { LogicExpression.decode($0, &$1) }, encode: { $1.value($0.source) })
}

extension FieldType<Int> {
    /// A number of elements, at least one.
    static let count = FieldType(
        .integer(minimum: 1),
        decode: { node, faults in
            guard let count = node.int, count >= 1 else {
                faults.append(node, "expected a whole number from 1")
                return nil
            }
            return count
        }, encode: { $1.int($0) })
}

extension FieldType<[JSONPointer]> {
    /// The shown parts of a value.
    static let viewFields = FieldType(
        .array(.string(), maxItems: ViewDefinition.maximumFields),
        decode: { node, faults in
            let pointers = node.decodeArray(&faults) { $0.decodeShownField(&$1) }
            guard let pointers, pointers.count <= ViewDefinition.maximumFields else {
                if pointers != nil {
                    faults.append(node, "a view shows \(ViewDefinition.maximumFields) fields at most")
                }
                return nil
            }
            return pointers
        },
        encode: { pointers, writer in
            writer.array { writer in for pointer in pointers { writer.string(pointer.description) } }
        })
}

extension JSONNode {
    /// Reads a pointer to a shown part of a value. It is no longer than an adapter's, and leads no deeper than values go.
    fileprivate func decodeShownField(_ faults: inout FaultList) -> JSONPointer? {
        guard let pointer = string.flatMap({ JSONPointer(parsing: $0) }) else {
            faults.append(self, #"expected a JSON pointer such as "/table""#)
            return nil
        }
        let limits = DirectorLimits()
        guard pointer.length <= limits.pointerLength, pointer.tokens.count <= limits.valueDepth else {
            faults.append(
                self, "a pointer has at most \(limits.pointerLength) bytes and \(limits.valueDepth) steps")
            return nil
        }
        return pointer
    }
}
