import JSONValues

/// All fields of a resource: its JSON form, its merge patch and its schemas follow from them.
///
/// A resource is `Equatable` by what the compiler makes of its stored properties, so that no field is left out there.
package struct Fields<Root: Equatable & Sendable>: Sendable {
    /// The resource's name in a fault, with its article.
    private let what: String
    /// The name of its JSON form in a fault.
    private let form: String
    /// The fields in the order of their declaration, which faults and schemas name them in.
    package let all: [Field<Root>]
    /// The members that are no properties of the resource and follow its fields.
    private let others: [MemberDescription]
    private let names: [String]
    /// The fields in the order in which they are written.
    private let written: [Field<Root>]
    private let texts: [@Sendable (Root) -> String?]
    /// The fields that some earlier version does not know.
    private let later: [Field<Root>]

    /// Lists the fields.
    ///
    /// - Parameters:
    ///   - what: The resource's name in faults.
    ///   - form: The name of its JSON form in faults, if that is another word.
    ///   - others: The members without a property of the resource.
    ///   - fields: The fields.
    package init(
        _ what: String, form: String? = nil, others: [MemberDescription] = [],
        @FieldBuilder<Root> _ fields: () -> [Field<Root>]
    ) {
        self.what = what
        self.form = form ?? what
        all = fields()
        self.others = others
        names = all.map(\.member.name)
        written = Fields.inWritingOrder(all)
        texts = all.compactMap(\.text)
        later = all.filter { $0.contentVersion > ContentVersion.plain }
    }

    /// The members' names, meanings and schemas.
    package var members: [MemberDescription] {
        all.map(\.member) + others
    }

    /// Reads one member; false for one that the resource does not have.
    ///
    /// - Parameters:
    ///   - member: The member.
    ///   - root: What it is read into.
    ///   - next: Where the search for its name begins; then, behind it. Members mostly come in the fields' order.
    ///   - faults: What is wrong.
    /// - Complexity: O(*f*) comparisons in the number of fields; O(1) where members come in the fields' order.
    func decode(
        _ member: JSONNode.Member, into root: inout Root, from next: inout Int, _ faults: inout FaultList
    ) -> Bool {
        let index =
            names[next...].firstIndex(where: member.isNamed) ?? names[..<next].firstIndex(where: member.isNamed)
        guard let index else { return false }
        next = index + 1
        all[index].decode(member.value, &root, &faults)
        return true
    }

    /// Applies a member of a merge patch (RFC 7396) to the field that it names; the others are not looked at.
    ///
    /// - Parameters:
    ///   - member: The member; null puts the field back to its default.
    ///   - root: What it applies to.
    ///   - initial: The resource with every field at its default.
    /// - Returns: Whether there is such a field.
    /// - Complexity: O(*n*) in the lengths of the field's value and the member's.
    func patch(
        _ member: JSONNode.Member, into root: inout Root, initial: Root, _ faults: inout FaultList
    ) -> Bool {
        guard let index = names.firstIndex(where: member.isNamed) else { return false }
        let field = all[index]
        if member.value.isNull {
            if field.member.use == .required {
                faults.append("", "\(what) needs the member \(field.member.name.quoted)")
            }
            field.put(&root, initial)
        } else if member.value.kind == .object {
            // Beside its name, so that the pointers of faults are those of the patch.
            let own = JSONValue { writer in writer.object { field.encode(root, &$0) } }
            let patch = JSONValue { writer in
                writer.object { writer in
                    writer.key(field.member.name)
                    writer.raw(member.value.text)
                }
            }
            let merged = own.patched(with: patch.document.root)
            if let value = merged[field.member.name] { field.decode(value, &root, &faults) }
        } else {
            field.decode(member.value, &root, &faults)
        }
        return true
    }

    /// Reads an object, beginning with `initial`; nil for another kind of value.
    package func decode(_ node: JSONNode, into initial: Root, _ faults: inout FaultList) -> Root? {
        guard node.isObject(form, &faults) else { return nil }
        var root = initial
        decodeMembers(of: node, into: &root, &faults)
        checkRequired(of: node, &faults)
        return root
    }

    /// Reads an object's members, hands those that are no fields to a closure, and leaves some aside.
    func decodeMembers(
        of node: JSONNode, into root: inout Root, leaving aside: [String] = [], _ faults: inout FaultList,
        others check: (JSONNode.Member, inout FaultList) -> Void = { _, _ in }
    ) {
        var next = 0
        for member in node.members where !decode(member, into: &root, from: &next, &faults) {
            if others.contains(where: { member.isNamed($0.name) }) {
                check(member, &faults)
            } else if !aside.contains(where: member.isNamed) {
                let known = members.filter { $0.use != .leftAside }.map(\.name)
                JSONNode.appendUnknown(member, of: what, known: known, &faults)
            }
        }
    }

    /// Names the members that have to be there and are not.
    func checkRequired(of node: JSONNode, _ faults: inout FaultList) {
        for field in all where field.member.use == .required && node[field.member.name] == nil {
            faults.append(node, "\(what) needs the member \(field.member.name.quoted)")
        }
    }

    /// Names the members that directors of a kind do not have.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - root: The resource.
    ///   - plural: The name of such resources.
    ///   - pointer: Where the resource stands in what was sent.
    ///   - faults: Where the faults are appended.
    func check(
        _ kind: DirectorKind, of root: Root, _ plural: String, pointer: String, _ faults: inout FaultList
    ) {
        for field in all where !field.kinds.isEmpty && !field.kinds.contains(kind) && field.isPresent(root) {
            let owners = field.kinds.map(\.rawValue).joined(separator: " or ")
            faults.append(
                "\(pointer)/\(field.member.name)",
                "\(plural) have this in a \(owners) director only; this one is a \(kind.rawValue)")
        }
    }

    /// Appends the members without braces.
    func encodeMembers(of root: Root, to writer: inout JSONWriter) {
        for field in written { field.encode(root, &writer) }
    }

    /// Appends the resource, an object.
    package func encode(_ root: Root, to writer: inout JSONWriter) {
        writer.beginObject()
        encodeMembers(of: root, to: &writer)
        writer.endObject()
    }

    /// The version that a program has to know in order to read what is written of a resource; see ``ContentVersion``.
    func contentVersion(of root: Root) -> Int {
        later.reduce(ContentVersion.plain) { $1.isPresent(root) ? max($0, $1.contentVersion) : $0 }
    }

    /// The version that a program has to know in order to read a merge patch of the resource. Null counts, too: a program
    /// refuses any member that it does not know.
    func contentVersion(ofPatch patch: JSONNode) -> Int {
        later.reduce(ContentVersion.plain) { patch[$1.member.name] == nil ? $0 : max($0, $1.contentVersion) }
    }

    /// Adds up a measure of each text of a resource's fields.
    func sum(ofTextsIn root: Root, _ measure: (String) -> Int) -> Int {
        var sum = 0
        for text in texts {
            if let text = text(root) { sum += measure(text) }
        }
        return sum
    }

    /// Applies a merge patch (RFC 7396) to the resource's JSON form; null puts a field back to its default.
    ///
    /// - Parameters:
    ///   - patch: The patch, an object.
    ///   - root: What it applies to.
    ///   - initial: The resource with every field at its default.
    /// - Throws: Every fault of the result, with pointers that fit the patch as well.
    func merging(
        _ patch: JSONNode, into root: Root, initial: Root
    ) throws(RepresentationError) -> Root {
        var root = root
        for field in all {
            if let member = patch[field.member.name] { field.reset(&root, initial, member) }
        }
        let form = try patch.merged { writer in encode(root, to: &writer) }
        return try decoding { decode(form, into: initial, &$0) }
    }

    private static func inWritingOrder(_ fields: [Field<Root>]) -> [Field<Root>] {
        var ordered = fields.filter { $0.predecessor == nil }
        for field in fields {
            guard let predecessor = field.predecessor else { continue }
            guard let index = ordered.firstIndex(where: { $0.member.name == predecessor }) else {
                preconditionFailure("\(field.member.name) is written after \(predecessor), which is no field")
            }
            ordered.insert(field, at: index + 1)
        }
        return ordered
    }
}

extension JSONNode {
    /// The node as a merge patch (RFC 7396), applied to a form that the closure writes.
    ///
    /// - Throws: A patch that is not an object.
    func merged(into form: (inout JSONWriter) -> Void) throws(RepresentationError) -> JSONNode {
        guard kind == .object else {
            throw RepresentationError([Fault(pointer: "", detail: "expected a merge patch, an object")])
        }
        var writer = JSONWriter()
        form(&writer)
        return JSONValue(trusting: writer.bytes).patched(with: self)
    }
}
