import JSONLogic
import JSONValues

/// A row's `additionalConfig`: an object in which `{"$logic": expression}` stands for the expression's value.
package struct ConfigTemplate: Equatable, Sendable {
    /// The most expressions that one template has.
    static let maximumExpressions = 1_000
    /// The most bytes that a template comes to once its expressions are evaluated.
    static let maximumLength = 1 << 20
    /// The member that an expression stands in.
    static let marker = "$logic"

    /// The object as it was written.
    package let source: JSONValue

    /// The expressions, ascending by where they stand in the source's text.
    let holes: [Hole]

    /// What the expressions read together.
    let reads: RowReads

    /// An expression and the part of the text that its value takes the place of.
    struct Hole: Sendable {
        let range: Range<Int>
        let expression: LogicExpression
    }

    /// Compares what was written.
    package static func == (left: ConfigTemplate, right: ConfigTemplate) -> Bool {
        left.source == right.source
    }

    /// Reads a template.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> ConfigTemplate? {
        guard node.kind == .object else {
            faults.append(node, expected: "an object")
            return nil
        }
        let source = node.value
        // Read again: the kept text has no white space, and the places are places in it.
        let root = source.document.root
        guard root[marker] == nil else {
            faults.append(node, "the object itself cannot be an expression; its members can")
            return nil
        }
        var (reader, found) = (TemplateReader(), FaultList())
        found.reading = faults.reading
        reader.read(root, &found)
        faults.reading = found.reading
        faults.append(found.faults, inside: node)
        if reader.holes.count > maximumExpressions {
            faults.append(node, "an additionalConfig has at most \(maximumExpressions) expressions")
            return nil
        }
        var reads = RowReads()
        for hole in reader.holes { reads.formUnion(RowReads(hole.expression.reads)) }
        return ConfigTemplate(source: source, holes: reader.holes, reads: reads)
    }

    /// The fault of an expression, with its pointer from the row.
    ///
    /// - Complexity: O(*n*) in the length of the template: the pointers of all expressions would take as many times the
    ///   longest name.
    func failure(_ failure: RowFailure, of hole: Hole) -> RowFailure {
        var node = source.document.root
        func range(_ node: JSONNode) -> Range<Int> { node.text.startIndex..<node.text.endIndex }
        while range(node) != hole.range {
            let isAround = { (node: JSONNode) in range(node).upperBound >= hole.range.upperBound }
            let child = node.elements.first(where: isAround) ?? node.members.lazy.map(\.value).first(where: isAround)
            guard let child else { break }
            node = child
        }
        var failure = failure
        failure.pointer =
            "/additionalConfig" + JSONPointer.bounded((node[ConfigTemplate.marker] ?? node).pointer.description)
            + failure.pointer
        return failure
    }

    /// The object with values in the place of its expressions.
    ///
    /// - Parameter value: Evaluates an expression.
    /// - Throws: What the closure throws, and that the object comes to more, or is nested deeper, than may be.
    func filled(_ value: (Hole) throws(RowFailure) -> LogicValue) throws(RowFailure) -> JSONValue {
        if holes.isEmpty { return source }
        var bytes: [UInt8] = []
        var end = 0
        for hole in holes {
            bytes += source.bytes[end..<hole.range.lowerBound]
            let value = try value(hole)
            if case .json(let node) = value { node.appendMinified(to: &bytes) } else { value.append(to: &bytes) }
            end = hole.range.upperBound
            guard bytes.count <= ConfigTemplate.maximumLength else {
                let detail = "the values of the expressions take more than \(ConfigTemplate.maximumLength) bytes"
                throw failure(RowFailure(pointer: "", detail: detail), of: hole)
            }
        }
        bytes += source.bytes[end...]
        // What is nested too deep for a reader may not get to one.
        guard let filled = try? JSONValue(parsing: bytes) else {
            throw RowFailure(pointer: "/additionalConfig", detail: "the values of the expressions are nested too deep")
        }
        return filled
    }
}

/// Finds the expressions of a template.
private struct TemplateReader {
    var holes: [ConfigTemplate.Hole] = []

    mutating func read(_ node: JSONNode, _ faults: inout FaultList) {
        guard !faults.isFull, holes.count <= ConfigTemplate.maximumExpressions else { return }
        switch node.kind {
        case .object:
            if let expression = node[ConfigTemplate.marker] { return readHole(node, expression, &faults) }
            for member in node.members { read(member.value, &faults) }
        case .array:
            for element in node.elements { read(element, &faults) }
        default: break
        }
    }

    private mutating func readHole(_ node: JSONNode, _ expression: JSONNode, _ faults: inout FaultList) {
        guard node.hasOneMember else {
            faults.append(
                node.pointer.description,
                "an object with the member \(ConfigTemplate.marker.quoted) has no other member")
            return
        }
        guard let expression = LogicExpression.decode(expression, &faults) else { return }
        let text = node.text
        holes.append(ConfigTemplate.Hole(range: text.startIndex..<text.endIndex, expression: expression))
    }
}

extension FieldType<ConfigTemplate> {
    /// An object in which expressions may stand anywhere.
    static let config = FieldType(
        .reference("RowConfig"), decode: { ConfigTemplate.decode($0, &$1) }, encode: { $1.value($0.source) })
}
