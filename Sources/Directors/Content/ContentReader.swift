import JSONValues
import ListDiff

/// A line of a list that was refused.
package struct RefusedLine: Hashable, Sendable {
    /// The line's number, from 1.
    package let line: Int
    /// The fault; its pointer is into the list's lines as an array, from 0.
    package let fault: Fault
}

/// Reads a list that takes the place of a director's content, line by line, and makes its elements.
///
/// A line is an object: one with a `value` is an element, any other begins a section as `PUT …/sections/{section}` takes
/// it. The elements after it are that section's. The director is a copy: nothing changes before
/// ``Director/replaceContent(with:)``.
package struct ContentReader: Sendable {
    /// The part of the director that the list replaces.
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

    private let lines: ContentLineReader
    private var sections: [CheckedSection] = []
    /// The section whose elements come; nil before the first, and behind a head that was refused.
    private var open: OpenSection?
    private var isBehindRefusedHead = false

    /// Begins to read.
    ///
    /// - Throws: The target's row is not there, or takes no elements.
    package init(_ target: ContentTarget, of director: Director) throws(DirectorError) {
        self.target = target
        let context = OperationContext(kind: director.kind, adapters: director.adapters, limits: director.limits)
        guard let (section, row) = target.row else {
            lines = ContentLineReader(context: context, model: nil)
            return
        }
        _ = try director.working.list.elementList(of: .row(section: section, row: row))
        let model = try director.working.list.row(at: row, in: section).row.settings.model
        lines = ContentLineReader(context: context, model: model)
        open = OpenSection("", .none, [])
    }

    // MARK: Lines

    /// Reads newline-delimited JSON; blank lines are left out, and so is a byte order mark.
    ///
    /// The lines are read in parts, as many at a time as there are processors; their order is that of the text.
    ///
    /// - Complexity: O(*n* log *n*) in the number of elements, and O(*n*) in the number of bytes.
    /// - Parameters:
    ///   - bytes: The lines.
    ///   - isPartial: Whether lines that are refused are left out; otherwise reading ends where as many were refused as
    ///     one error names.
    ///   - partLength: About how many bytes a part has.
    package mutating func read(lines bytes: [UInt8], isPartial: Bool, partLength: Int = 1 << 20) {
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var line = 1
        while start < bytes.count {
            var parts: [Range<Int>] = []
            while parts.count < ContentLineReader.partsAtATime, start < bytes.count {
                let target = min(bytes.count, start + partLength)
                let end = bytes[target...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
                parts.append(start..<end)
                start = end
            }
            for part in lines.read(parts, of: bytes, naming: refusedCount < Self.keptRefusals) {
                for (offset, content) in part.lines {
                    take(content, line: line + offset)
                    if !isPartial, refusedCount >= Fault.limit { return }
                }
                line += part.lineCount
            }
        }
    }

    private mutating func take(_ content: ContentLine, line: Int) {
        switch content {
        case .head(let section):
            close()
            isBehindRefusedHead = false
            if section.rows != nil { return sections.append(section) }
            open = OpenSection(section.identifier, section.attributes, section.elements)
        case .refusedHead(let fault):
            close()
            isBehindRefusedHead = true
            refuse(line, fault)
        case .element(let element):
            guard open != nil else { return refuse(line, strayElement) }
            open?.append(element, line: line)
        case .refusedElement(let fault): refuse(line, open == nil ? strayElement : fault)
        case .refused(let fault): refuse(line, fault)
        }
    }

    /// The fault of an element outside of any section.
    private var strayElement: Fault {
        Fault(
            pointer: "",
            detail: isBehindRefusedHead
                ? "the head of its section was refused"
                : "no section is open: a line such as {\"id\": \"people\"} begins one, and one with rows takes no elements"
        )
    }

    private mutating func refuse(_ line: Int, _ fault: Fault) {
        refusedCount += 1
        guard refused.count < Self.keptRefusals else { return }
        var fault = fault.inside("/\(line - 1)")
        fault.detail = "line \(line): \(fault.detail)"
        refused.append(RefusedLine(line: line, fault: fault))
    }

    private mutating func close() {
        guard let section = open.take() else { return }
        let list = PersistentList(section.elements)
        let repeated = list.hasDuplicateHashes ? section.duplicates : []
        duplicateCount += repeated.count
        duplicates += repeated.prefix(Fault.limit - duplicates.count)
        sections.append(
            CheckedSection(
                identifier: section.identifier, attributes: section.attributes, elements: section.elements, list: list,
                rows: nil))
    }

    // MARK: Documents

    /// Takes a whole list that came as one document.
    ///
    /// - Throws: Everything that is wrong with it, with pointers from `/sections`.
    package mutating func read(_ drafts: [SectionDraft]) throws(DirectorError) {
        guard lines.model == nil else {
            throw DirectorError(
                .refused([Fault(pointer: "/sections", detail: "a row has no sections; send its elements as lines")]),
                pointer: "/sections")
        }
        sections = try lines.context.sections(drafts, pointer: "/sections")
    }

    /// The list that was read, to take its place.
    package mutating func finish() -> ReplacementContent {
        close()
        return ReplacementContent(
            target: target, sections: sections, adapters: lines.context.adapters, kind: lines.context.kind)
    }
}
