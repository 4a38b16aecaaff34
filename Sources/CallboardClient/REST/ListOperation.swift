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

    /// Makes an operation on a section, or on a row of it, with further members.
    init(_ name: String, in section: ListAddress, row: ListAddress?, _ members: JSONObject) {
        var all: JSONObject = ["section": Self.address(section)]
        all["row"] = row.map(Self.address)
        for member in members.members { all[member.name] = member.value }
        self.init(name, all)
    }

    static func number(_ value: Int) -> JSON { .number(JSONNumber(value)) }
    static func address(_ value: ListAddress) -> JSON { .string(value.text) }
    static func sections(_ value: [SectionDraft]) -> JSON { .array(value.map(\.json)) }
    static func elements(_ value: [ElementDraft]) -> JSON { .array(value.map(\.json)) }
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
