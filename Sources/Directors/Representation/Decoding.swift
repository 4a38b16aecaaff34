import JSONValues
import Notation

/// Runs a decoder that gathers faults, and throws them all if there are any.
///
/// - Parameter limits: The bounds of a request; nil for stored bodies.
package func decoding<Value>(
    within limits: DirectorLimits? = nil, _ decode: (inout FaultList) -> Value?
) throws(RepresentationError) -> Value {
    var faults = FaultList()
    faults.reading = ReadingContext(limits)
    guard let value = decode(&faults), faults.isEmpty else { throw RepresentationError(faults.faults) }
    return value
}

extension FaultList {
    /// Adds a fault at a node.
    package mutating func append(_ node: JSONNode, _ detail: @autoclosure () -> String) {
        if !isFull { append(node.pointer.description, detail()) }
    }

    /// Adds faults whose pointers begin at a node.
    ///
    /// Finding a node's pointer takes a step for each sibling before it, so it is found only where there is a fault.
    mutating func append(_ faults: [Fault], inside node: JSONNode) {
        guard !faults.isEmpty, !isFull else { return }
        let pointer = node.pointer.description
        for fault in faults { append(fault.inside(pointer)) }
    }

    /// Adds that a node is not of the kind that it has to be.
    package mutating func append(_ node: JSONNode, expected: String) {
        append(node, "expected \(expected), found \(node.kind.phrase)")
    }
}

extension JSONNode {
    /// Tells whether the node is an object, and what it is to be where it is not.
    package func isObject(_ what: String, _ faults: inout FaultList) -> Bool {
        if kind != .object { faults.append(self, expected: "\(what), an object") }
        return kind == .object
    }

    func decodeString(_ faults: inout FaultList) -> String? {
        let string = string
        if string == nil { faults.append(self, expected: "a string") }
        return string
    }

    func decodeBool(_ faults: inout FaultList) -> Bool? {
        let bool = bool
        if bool == nil { faults.append(self, expected: "true or false") }
        return bool
    }

    /// A name: of a model, a cell, a view, a variable.
    ///
    /// - Parameter isReference: Whether something has to have the name already.
    package func decodeName(_ faults: inout FaultList, isReference: Bool = false) -> String? {
        guard let name = decodeString(&faults) else { return nil }
        if let detail = Name.fault(in: name, isStored: isReference || !faults.reading.checksNames) {
            faults.append(self, detail)
            return nil
        }
        return name
    }

    /// A length in points within sane bounds.
    func decodeLength(_ faults: inout FaultList, allowingNegative: Bool = false) -> Double? {
        guard kind == .number else {
            faults.append(self, expected: "a number")
            return nil
        }
        guard let length = double, length.magnitude <= 1e9, allowingNegative || length >= 0 else {
            faults.append(self, "a length is a number from \(allowingNegative ? "-1e9" : "0") to 1e9")
            return nil
        }
        return length
    }

    /// A height in points within sane bounds, or -1 for an automatic one.
    func decodeHeight(_ faults: inout FaultList) -> Double? {
        guard kind == .number else {
            faults.append(self, expected: "a number")
            return nil
        }
        guard let height = double, 0...1e9 ~= height || height == -1 else {
            faults.append(self, "a height is a number from 0 to 1e9, or -1 for an automatic one")
            return nil
        }
        return height
    }

    /// One of the cases of an enumeration.
    package func decodeChoice<Choice: RawRepresentable & CaseIterable>(
        _ type: Choice.Type, _ faults: inout FaultList
    ) -> Choice? where Choice.RawValue == String {
        guard let choice = string.flatMap(Choice.init(rawValue:)) else {
            let choices = Choice.allCases.map { $0.rawValue.quoted }.joined(separator: ", ")
            faults.append(self, "expected one of \(choices)")
            return nil
        }
        return choice
    }

    /// Refuses members that are not known.
    func checkMembers(of what: String, known: [String], _ faults: inout FaultList) {
        for member in members where !known.contains(where: member.isNamed) {
            JSONNode.appendUnknown(member, of: what, known: known, &faults)
        }
    }

    /// Refuses an unknown member: a misspelt one is not lost in silence.
    package static func appendUnknown(_ member: Member, of what: String, known: [String], _ faults: inout FaultList) {
        faults.append(
            member.value,
            "\(what) has no member \(member.name.quoted); it has \(known.joined(separator: ", "))")
    }
}
