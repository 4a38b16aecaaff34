/// One operation of a batch.
public struct ListOperation: Sendable, Hashable {
    /// The operation as the wire has it: `op` and its members.
    public let json: JSON

    /// Makes an operation of its name and members; the static members below do it for the known ones.
    public init(_ name: String, _ members: JSONObject) {
        var object: JSONObject = ["op": .string(name)]
        for member in members.members { object[member.name] = member.value }
        json = .object(object)
    }

    private static func number(_ value: Int) -> JSON { .number(JSONNumber(value)) }
    private static func address(_ value: ListAddress) -> JSON { .string(value.text) }
    private static func sections(_ value: [SectionDraft]) -> JSON { .array(value.map(\.json)) }
    private static func elements(_ value: [ElementDraft]) -> JSON { .array(value.map(\.json)) }
}

extension ListOperation {
    /// Replaces all sections.
    public static func setSections(_ sections: [SectionDraft]) -> Self {
        Self("setSections", ["sections": Self.sections(sections)])
    }

    /// Adds sections at a position, or at the end.
    public static func addSections(_ sections: [SectionDraft], at position: Int? = nil) -> Self {
        var members: JSONObject = ["sections": Self.sections(sections)]
        members["at"] = position.map(number)
        return Self("addSections", members)
    }

    /// Creates or replaces a section.
    public static func setSection(_ section: ListAddress, to value: SectionDraft) -> Self {
        Self("setSection", ["section": address(section), "value": value.json])
    }

    /// Changes a section's members: a merge patch (RFC 7396).
    public static func patchSection(_ section: ListAddress, _ patch: JSONObject) -> Self {
        Self("patchSection", ["section": address(section), "patch": .object(patch)])
    }

    /// Removes a section.
    public static func removeSection(_ section: ListAddress) -> Self {
        Self("removeSection", ["section": address(section)])
    }

    /// Removes the sections at these positions.
    public static func removeSections(at positions: [Int]) -> Self {
        Self("removeSections", ["at": .array(positions.map(number))])
    }

    /// Removes all sections.
    public static var removeAllSections: Self { Self("removeAllSections", [:]) }

    /// Moves a section to another position.
    public static func moveSection(from: Int, to: Int) -> Self {
        Self("moveSection", ["from": number(from), "to": number(to)])
    }

    /// Lets two sections change places.
    public static func swapSections(at position: Int, with other: Int) -> Self {
        Self("swapSections", ["at": number(position), "with": number(other)])
    }

    /// Sets a variable.
    public static func setVariable(_ name: String, to value: JSON) -> Self {
        Self("setVariable", ["name": .string(name), "value": value])
    }

    /// Removes a variable.
    public static func removeVariable(_ name: String) -> Self {
        Self("removeVariable", ["name": .string(name)])
    }
}

extension ListOperation {
    /// Replaces a section's elements.
    public static func setElements(_ elements: [ElementDraft], in section: ListAddress) -> Self {
        Self("setElements", ["section": address(section), "elements": Self.elements(elements)])
    }

    /// Adds elements to a section at a position, or at the end.
    public static func addElements(
        _ elements: [ElementDraft], in section: ListAddress, at position: Int? = nil
    ) -> Self {
        var members: JSONObject = ["section": address(section), "elements": Self.elements(elements)]
        members["at"] = position.map(number)
        return Self("addElements", members)
    }

    /// Replaces an element.
    public static func setElement(
        _ element: ListAddress, in section: ListAddress, to value: ElementDraft
    ) -> Self {
        Self("setElement", ["section": address(section), "element": address(element), "value": value.json])
    }

    /// Changes an element's value: a merge patch (RFC 7396).
    public static func patchElement(_ element: ListAddress, in section: ListAddress, _ patch: JSON) -> Self {
        Self("patchElement", ["section": address(section), "element": address(element), "patch": patch])
    }

    /// Removes an element.
    public static func removeElement(_ element: ListAddress, in section: ListAddress) -> Self {
        Self("removeElement", ["section": address(section), "element": address(element)])
    }

    /// Removes the elements at these positions of a section.
    public static func removeElements(at positions: [Int], in section: ListAddress) -> Self {
        Self("removeElements", ["section": address(section), "at": .array(positions.map(number))])
    }

    /// Removes a section's elements.
    public static func removeAllElements(in section: ListAddress) -> Self {
        Self("removeAllElements", ["section": address(section)])
    }

    /// Moves an element in its section, or to a position of another one.
    public static func moveElement(
        in section: ListAddress, from: Int, to: Int, ofSection target: ListAddress? = nil
    ) -> Self {
        var members: JSONObject = ["section": address(section), "from": number(from), "to": number(to)]
        members["toSection"] = target.map(address)
        return Self("moveElement", members)
    }

    /// Lets two elements of a section change places.
    public static func swapElements(in section: ListAddress, at position: Int, with other: Int) -> Self {
        Self("swapElements", ["section": address(section), "at": number(position), "with": number(other)])
    }
}

extension RemoteDirector {
    /// What a batch did.
    public struct BatchResult: Sendable {
        /// The changeset that was published, or that a dry run would have published; nil where none was asked for.
        public let changeset: RemoteChangeset?
        /// The director's revision after the batch; nil where the server named none.
        public let revision: Revision?
        /// The server's whole answer.
        public let answer: JSON
    }

    /// Applies the operations of a body that was written already; its answer does not matter.
    package func perform(encoded body: [UInt8], _ options: WriteOptions = WriteOptions()) async throws {
        var call = Call("POST", path("operations"), options: options)
        call.body = body
        try await client.send(call)
    }

    /// Applies operations in order, all or none, and publishes where asked to.
    ///
    /// - Parameters:
    ///   - dryRun: answers the changeset and changes nothing.
    ///   - options: whether to publish, and the revision that must be current.
    @discardableResult
    public func perform(
        _ operations: [ListOperation], dryRun: Bool = false, animations: [String: String] = [:],
        _ options: WriteOptions = WriteOptions()
    ) async throws -> BatchResult {
        var body: JSONObject = ["operations": .array(operations.map(\.json))]
        if options.reload { body["reload"] = true }
        if dryRun { body["dryRun"] = true }
        if let animations = Self.json(animations: animations)?["animations"] { body["animations"] = animations }
        // The batch's body says whether to publish; the query's `reload` is for single mutations.
        let call = Call(
            "POST", path("operations"), body: .object(body), options: WriteOptions(ifMatch: options.ifMatch))
        let answer = try await client.send(call) { (answer) throws(RepresentationError) in
            let changeset = answer.optional("changeset") ?? (answer.optional("stages") == nil ? nil : answer)
            return BatchResult(
                changeset: try changeset.map { (changeset) throws(RepresentationError) in
                    try RemoteChangeset(changeset)
                }, revision: nil, answer: answer.value)
        }
        return BatchResult(changeset: answer.value.changeset, revision: answer.revision, answer: answer.value.answer)
    }
}
