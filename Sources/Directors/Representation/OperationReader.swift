import JSONValues

/// Takes the members of an operation one by one, and finds what is left over at the end.
struct OperationReader {
    /// The operation's name; empty for a body that the path says the operation of.
    let op: String

    private let node: JSONNode
    private var known: [String] = []
    private var ignoresUnknown = false

    /// Reads the members of an operation with its name.
    init?(operation node: JSONNode, _ faults: inout FaultList) {
        guard node.isObject("an operation", &faults) else { return nil }
        guard let op = node["op"] else {
            faults.append(node, #"an operation needs the member "op""#)
            return nil
        }
        guard let name = op.string, Operation.names.contains(name) else {
            faults.append(op, "expected one of \(Operation.names.joined(separator: ", "))")
            return nil
        }
        self.op = name
        self.node = node
        known = ["op"]
    }

    /// Reads the members of a body.
    init?(body node: JSONNode, _ faults: inout FaultList) {
        guard node.isObject("a body", &faults) else { return nil }
        op = ""
        self.node = node
    }

    /// Refuses members that nobody has asked for; what was read otherwise.
    func finish(_ operation: Operation?, _ faults: inout FaultList) -> Operation? {
        guard !ignoresUnknown else { return operation }
        let what = op.isEmpty ? "this body" : op
        for member in node.members where !known.contains(where: member.isNamed) {
            JSONNode.appendUnknown(member, of: what, known: known, &faults)
        }
        return operation
    }

    /// Leaves the rest alone, where reading was given up before every member was asked for.
    mutating func ignoreUnknown() {
        ignoresUnknown = true
    }

    mutating func required(_ name: String, _ faults: inout FaultList) -> JSONNode? {
        known.append(name)
        guard let member = node[name] else {
            faults.append(node, "the member \(name.quoted) is missing")
            return nil
        }
        return member
    }

    mutating func value(_ name: String, _ faults: inout FaultList) -> JSONValue? {
        required(name, &faults)?.value
    }

    mutating func name(_ name: String, _ faults: inout FaultList) -> String? {
        // Whether a new one may have the name is for the director to say.
        required(name, &faults)?.decodeName(&faults, isReference: true)
    }

    mutating func address(_ name: String, _ faults: inout FaultList) -> Address? {
        required(name, &faults).flatMap { Address.decode($0, &faults) }
    }

    mutating func optionalAddress(_ name: String, _ faults: inout FaultList) -> Address? {
        known.append(name)
        guard let member = node[name], !member.isNull else { return nil }
        return Address.decode(member, &faults)
    }

    mutating func optionalIdentifier(_ name: String, _ faults: inout FaultList) -> String? {
        known.append(name)
        guard let member = node[name], !member.isNull, let identifier = member.decodeString(&faults) else { return nil }
        if let detail = SectionDraft.fault(inIdentifier: identifier) { faults.append(member, detail) }
        return identifier
    }

    mutating func addresses(_ name: String, _ faults: inout FaultList) -> [Address]? {
        guard let member = required(name, &faults) else { return nil }
        guard member.kind == .array else {
            faults.append(member, expected: "an array of positions")
            return nil
        }
        return member.elements.compactMap { Address.decode($0, &faults) }
    }

    mutating func sections(_ faults: inout FaultList) -> [SectionDraft]? {
        required("sections", &faults).flatMap { SectionDraft.decodeList($0, &faults) }
    }

    mutating func rows(_ faults: inout FaultList) -> [RowDraft]? {
        required("rows", &faults).flatMap { RowDraft.decodeList($0, &faults) }
    }

    mutating func elements(_ faults: inout FaultList) -> [ElementDraft]? {
        required("elements", &faults).flatMap { ElementDraft.decodeList($0, &faults) }
    }
}

extension Address {
    /// Reads an address, or a position as a number.
    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> Address? {
        if node.kind == .number {
            guard let position = node.int, position >= 0 else {
                faults.append(node, "a position is a whole number from zero")
                return nil
            }
            return .position(position)
        }
        guard let address = node.string.flatMap({ Address(parsing: $0) }) else {
            faults.append(node, #"expected an identifier, or a position as a number, "@0", "@first" or "@last""#)
            return nil
        }
        return address
    }

    /// Reads one item of an `at=` in a query: a position with or without the `@`, or an address.
    package init?(parsingPlace text: some StringProtocol) {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        self.init(parsing: isNumber ? "@" + text : String(text))
    }

    /// Appends the address as an operation holds it: a position as a number, anything else as a string.
    package func encode(to writer: inout JSONWriter) {
        if case .position(let position) = self {
            writer.int(position)
        } else {
            writer.string(description)
        }
    }
}
