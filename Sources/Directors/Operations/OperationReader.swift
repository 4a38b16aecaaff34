import JSONValues

/// Takes the members of an operation one by one, and finds what is left over at the end.
///
/// The calls of a reader say which members an operation has: a reader without a node gathers their descriptions
/// (``describing(_:)``), which the API's description is made of. So every member is asked for, whatever the ones before
/// it were.
struct OperationReader {
    /// The operation; nil where its members are described, not read.
    private let node: JSONNode?
    /// The operation's name; "this body" for one that the path says.
    private let subject: String
    private var known: [String]
    private var ignoresUnknown = false
    private var descriptions: [MemberDescription] = []

    /// Reads the members of an operation, some of which are known already.
    init(_ node: JSONNode?, of subject: String = "this body", known: [String] = []) {
        self.node = node
        self.subject = subject
        self.known = known
    }

    /// The members that a closure asks a reader for, in the order in which they are written.
    static func describing(_ read: (inout OperationReader, inout FaultList) -> Void) -> [MemberDescription] {
        var (reader, faults) = (OperationReader(nil), FaultList())
        read(&reader, &faults)
        func isFirst(_ member: MemberDescription) -> Bool { member.name == "newSection" }
        func isLast(_ member: MemberDescription) -> Bool { member.name == "at" && member.use == .optional }
        let members = reader.descriptions
        return members.filter(isFirst) + members.filter { !isFirst($0) && !isLast($0) } + members.filter(isLast)
    }

    /// Whether members are described, not read.
    var isDescribing: Bool { node == nil }

    /// Refuses members that nobody has asked for; what was read otherwise.
    func finish(_ operation: Operation?, _ faults: inout FaultList) -> Operation? {
        finish(&faults)
        return operation
    }

    /// Refuses members that nobody has asked for.
    func finish(_ faults: inout FaultList) {
        guard !ignoresUnknown, let node else { return }
        for member in node.members where !known.contains(where: member.isNamed) {
            JSONNode.appendUnknown(member, of: subject, known: known, &faults)
        }
    }

    /// Reads a member that has to be there.
    ///
    /// - Parameter schema: The schema of the member, if it differs from the schema of the type.
    mutating func required<Value>(
        _ member: OperationMember<Value>, as schema: @autoclosure () -> JSONSchema = Value.schema,
        _ faults: inout FaultList
    ) -> Value? {
        node(member.name, member.summary, as: schema(), &faults).flatMap { Value.decode($0, &faults) }
    }

    /// Reads the name of what is registered, or is to be: whether a new one may have it is for the director to say.
    mutating func name(_ name: String, _ faults: inout FaultList) -> String? {
        node(name, "", as: FieldType.name.bodySchema, &faults)?.decodeName(&faults, isReference: true)
    }

    /// Reads a member that has to be there, as a node.
    mutating func node(
        _ name: String, _ summary: String = "The new value.", as schema: @autoclosure () -> JSONSchema,
        _ faults: inout FaultList
    ) -> JSONNode? {
        guard let node else {
            descriptions.append(MemberDescription(name, schema(), use: .required, summary))
            return nil
        }
        known.append(name)
        guard let member = node[name] else {
            faults.append(node, "the member \(name.quoted) is missing")
            return nil
        }
        return member
    }

    /// Reads a member that may be left out; null is as good as that.
    mutating func optional<Value>(_ member: OperationMember<Value>, _ faults: inout FaultList) -> Value? {
        optionalNode(member.name, member.summary, as: Value.schema).flatMap { Value.decode($0, &faults) }
    }

    /// Reads a member that may be left out, as a node.
    mutating func optionalNode(
        _ name: String, _ summary: String, as schema: @autoclosure () -> JSONSchema
    ) -> JSONNode? {
        guard let node else {
            descriptions.append(MemberDescription(name, .nullable(schema()), summary))
            return nil
        }
        known.append(name)
        return node[name].flatMap { $0.isNull ? nil : $0 }
    }

    /// Reads the section that an operation is about. Without one, the rest is not read, and not refused either.
    mutating func section(_ faults: inout FaultList) -> Address? {
        if let section = required(.section, &faults) { return section }
        ignoresUnknown = true
        return isDescribing ? .first : nil
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
