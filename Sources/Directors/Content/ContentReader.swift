import JSONValues
import ListDiff

/// A line of a list that was refused.
package struct RefusedLine: Hashable, Sendable {
    /// The line's number, from 1.
    package let line: Int
    /// What is wrong with it; the pointer is into the list's lines as an array, from 0.
    package let fault: Fault
}

/// Reads a list that takes the place of a director's content, line by line, and makes its elements.
///
/// A line is an object: one with a `value` is an element, any other begins a section as `PUT …/sections/{section}` takes
/// it. The elements after it are that section's. The director is a copy: nothing changes before
/// ``Director/replaceContent(with:)``.
package struct ContentReader: Sendable {
    /// What the list takes the place of.
    package let target: ContentTarget
    /// The first lines that were refused, as many as an answer names.
    package private(set) var refused: [RefusedLine] = []
    /// How many lines were refused.
    package private(set) var refusedCount = 0

    /// The most refused lines that are kept.
    package static let keptRefusals = 1000

    /// The first elements whose section has one of their model and identifier already, with their lines.
    package private(set) var duplicates: [(line: Int, identifier: String)] = []
    /// How many such elements there are.
    package private(set) var duplicateCount = 0

    private let context: OperationContext
    /// The elements of the section that is open.
    private var present: Set<ElementIdentity> = []
    /// The model of a row's elements; nil where they may be of any.
    private let model: String?
    private var sections: [CheckedSection] = []
    /// The section whose elements come; nil before the first, and behind a head that was refused.
    private var open: (identifier: String, attributes: SectionAttributes, elements: [Element])?
    private var isBehindRefusedHead = false

    /// Begins to read.
    ///
    /// - Throws: That the row which the target names is not there, or takes no elements.
    package init(_ target: ContentTarget, of director: Director) throws(DirectorError) {
        self.target = target
        context = OperationContext(kind: director.kind, adapters: director.adapters, limits: director.limits)
        guard let (section, row) = target.row else {
            model = nil
            return
        }
        _ = try director.working.list.elementList(section: section, row: row)
        model = try director.working.list.row(at: row, in: section).row.settings.model
        open = ("", .none, [])
    }

    /// Reads newline-delimited JSON; blank lines are left out, and so is a byte order mark.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    /// - Parameter isPartial: Whether lines that are refused are left out; otherwise reading ends where as many were
    ///   refused as one error names.
    package mutating func read(lines bytes: [UInt8], isPartial: Bool) {
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var line = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            line += 1
            if bytes[start..<end].contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) {
                read(Array(bytes[start..<end]), line: line)
                if !isPartial, refusedCount >= Fault.limit { return }
            }
            start = end + 1
        }
    }

    private mutating func read(_ bytes: [UInt8], line: Int) {
        let root: JSONNode
        do {
            root = try JSONDocument(bytes).root
        } catch {
            return refuse(line, Fault(pointer: "", detail: "not JSON: \(error)"))
        }
        guard root.kind == .object else {
            return refuse(line, Fault(pointer: "", detail: "a line is an object: a section's head, or an element"))
        }
        var faults = FaultList()
        faults.reading.checksNames = context.limits.checksIdentifiers
        if root["value"] == nil {
            readHead(root, &faults)
        } else {
            readElement(root, line, &faults)
        }
        if let fault = faults.faults.first { refuse(line, fault) }
    }

    private mutating func refuse(_ line: Int, _ fault: Fault) {
        refusedCount += 1
        guard refused.count < Self.keptRefusals else { return }
        var fault = fault.inside("/\(line - 1)")
        fault.detail = "line \(line): \(fault.detail)"
        refused.append(RefusedLine(line: line, fault: fault))
    }

    private mutating func readHead(_ root: JSONNode, _ faults: inout FaultList) {
        guard model == nil else {
            return faults.append("", "an element needs the member \"value\"; a row has no sections")
        }
        close()
        isBehindRefusedHead = true
        guard let draft = SectionDraft.decode(root, &faults)?.resolved, faults.isEmpty else { return }
        let section = context.section(draft, identifier: nil, pointer: "", &faults)
        guard faults.isEmpty else { return }
        isBehindRefusedHead = false
        if section.rows != nil { return sections.append(section) }
        open = (section.identifier, section.attributes, section.elements)
        present = Set(section.elements.map(\.differenceIdentifier))
    }

    private mutating func readElement(_ root: JSONNode, _ line: Int, _ faults: inout FaultList) {
        guard open != nil else {
            let detail =
                isBehindRefusedHead
                ? "the head of its section was refused"
                : "no section is open: a line such as {\"id\": \"people\"} begins one, and one with rows takes no elements"
            return faults.append("", detail)
        }
        guard var draft = ElementDraft.decode(root, &faults), faults.isEmpty else { return }
        if let model {
            if let own = draft.model, !own.utf8.elementsEqual(model.utf8) {
                let detail = "the row's elements are of the model \(model.quoted), not of \(own.quoted)"
                return faults.append("/model", detail)
            }
            draft = draft.ofModel(model)
        }
        let made = context.elements([draft], pointer: "", &faults)
        if let fault = faults.faults.first {
            // The only one of its list.
            faults = FaultList()
            let pointer = fault.pointer.hasPrefix("/0") ? String(fault.pointer.dropFirst(2)) : fault.pointer
            return faults.append(pointer, fault.detail)
        }
        open?.elements.append(contentsOf: made)
        for element in made where !present.insert(element.differenceIdentifier).inserted {
            duplicateCount += 1
            if duplicates.count < Fault.limit { duplicates.append((line, element.identifier)) }
        }
    }

    private mutating func close() {
        present.removeAll()
        guard let section = open.take() else { return }
        sections.append(
            CheckedSection(
                identifier: section.identifier, attributes: section.attributes, elements: section.elements, rows: nil))
    }

    /// Takes a whole list that came as one document.
    ///
    /// - Throws: Everything that is wrong with it, with pointers from `/sections`.
    package mutating func read(_ drafts: [SectionDraft]) throws(DirectorError) {
        guard model == nil else {
            throw DirectorError(
                .refused([Fault(pointer: "/sections", detail: "a row has no sections; send its elements as lines")]),
                pointer: "/sections")
        }
        sections = try context.sections(drafts, pointer: "/sections")
    }

    /// What was read, to take its place.
    package mutating func finish() -> ReplacementContent {
        close()
        return ReplacementContent(target: target, sections: sections, adapters: context.adapters, kind: context.kind)
    }
}
