import JSONValues

extension Operation {
    /// Appends the operation as `POST …/operations` takes it; reading it back gives an equal one.
    ///
    /// If `addElements` names no section, `newSection` has the identifier of the section that it makes. `decode`
    /// accepts it: a stored operation makes the same section again.
    package func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("op")
        writer.string(name)
        encodeMembers(to: &writer)
        writer.endObject()
    }

    /// About how many bytes `encode(to:)` appends, rather too many than too few where elements come in.
    ///
    /// - Complexity: O(*e*) in the number of elements that the operation brings in.
    package var textEstimate: Int {
        switch self {
        case .setSections(let drafts), .addSections(let drafts, _): 128 + drafts.reduce(0) { $0 + $1.textEstimate }
        case .setSection(_, let draft): 128 + draft.textEstimate
        case .setElements(_, _, let drafts), .addElements(_, let drafts, _):
            128 + drafts.reduce(0) { $0 + $1.textEstimate }
        case .setElement(_, _, _, let draft, _): 128 + draft.textEstimate
        case .patchElement(_, _, _, let patch): 128 + patch.value.bytes.count
        case .setRows(_, let drafts), .addRows(_, let drafts, _): 128 + drafts.reduce(0) { $0 + $1.textEstimate }
        case .setRow(_, _, let draft, _): 128 + draft.textEstimate
        case .patchSection(_, let value), .setVariable(_, let value), .patchRow(_, _, let value):
            128 + value.bytes.count
        default: 160
        }
    }

    /// The operation's name, as `op` has it.
    package var name: String {
        switch self {
        case .setSections: "setSections"
        case .addSections: "addSections"
        case .setSection: "setSection"
        case .patchSection: "patchSection"
        case .removeSection: "removeSection"
        case .removeSections: "removeSections"
        case .removeAllSections: "removeAllSections"
        case .moveSection: "moveSection"
        case .swapSections: "swapSections"
        case .setElements: "setElements"
        case .addElements: "addElements"
        case .setElement: "setElement"
        case .patchElement: "patchElement"
        case .removeElement: "removeElement"
        case .removeElements: "removeElements"
        case .removeAllElements: "removeAllElements"
        case .moveElement: "moveElement"
        case .swapElements: "swapElements"
        case .setRows: "setRows"
        case .addRows: "addRows"
        case .setRow: "setRow"
        case .patchRow: "patchRow"
        case .removeRow: "removeRow"
        case .removeRows: "removeRows"
        case .removeAllRows: "removeAllRows"
        case .moveRow: "moveRow"
        case .swapRows: "swapRows"
        case .setVariable: "setVariable"
        case .removeVariable: "removeVariable"
        case .setAdapter: "setAdapter"
        case .removeAdapter: "removeAdapter"
        }
    }

    private func encodeMembers(to writer: inout JSONWriter) {
        switch self {
        case .setSections(let drafts):
            writer.sections(drafts)
        case .addSections(let drafts, let at):
            writer.sections(drafts)
            writer.address("at", at)
        case .setSection(let section, let draft):
            writer.address("section", section)
            writer.key("value")
            draft.encode(to: &writer)
        case .patchSection(let section, let patch):
            writer.address("section", section)
            writer.key("patch")
            writer.value(patch)
        case .removeSection(let section):
            writer.address("section", section)
        case .removeSections(let addresses):
            writer.addresses("at", addresses)
        case .removeAllSections:
            break
        case .moveSection(let from, let to):
            writer.address("from", from)
            writer.address("to", to)
        case .swapSections(let at, let with):
            writer.address("at", at)
            writer.address("with", with)
        case .setVariable(let name, let value):
            writer.key("name")
            writer.string(name)
            writer.key("value")
            writer.value(value)
        case .removeVariable(let name):
            writer.key("name")
            writer.string(name)
        case .setAdapter(let adapter):
            writer.key("model")
            writer.string(adapter.model)
            writer.key("value")
            adapter.encode(to: &writer)
        case .removeAdapter(let model):
            writer.key("model")
            writer.string(model)
        case .setRows, .addRows, .setRow, .patchRow, .removeRow, .removeRows, .removeAllRows, .moveRow, .swapRows:
            encodeRowMembers(to: &writer)
        default:
            encodeElementMembers(to: &writer)
        }
    }

    private func encodeRowMembers(to writer: inout JSONWriter) {
        switch self {
        case .setRows(let section, let drafts):
            writer.address("section", section)
            writer.rows(drafts)
        case .addRows(let section, let drafts, let at):
            writer.address("section", section)
            writer.rows(drafts)
            writer.address("at", at)
        case .setRow(let section, let row, let draft, let at):
            writer.address("section", section)
            writer.address("row", row)
            writer.key("value")
            draft.encode(to: &writer)
            writer.address("at", at)
        case .patchRow(let section, let row, let patch):
            writer.address("section", section)
            writer.address("row", row)
            writer.key("patch")
            writer.value(patch)
        case .removeRow(let section, let row):
            writer.address("section", section)
            writer.address("row", row)
        case .removeRows(let section, let addresses):
            writer.address("section", section)
            writer.addresses("at", addresses)
        case .removeAllRows(let section):
            writer.address("section", section)
        case .moveRow(let section, let from, let to, let target):
            writer.address("section", section)
            writer.address("from", from)
            writer.address("to", to)
            writer.address("toSection", target)
        case .swapRows(let section, let at, let with):
            writer.address("section", section)
            writer.address("at", at)
            writer.address("with", with)
        default:
            break
        }
    }

    private func encodeElementMembers(to writer: inout JSONWriter) {
        switch self {
        case .setElements(let section, let row, let drafts):
            writer.list(section, row)
            writer.elements(drafts)
        case .addElements(let target, let drafts, let at):
            switch target {
            case .section(let section): writer.list(section, nil)
            case .row(let section, let row): writer.list(section, row)
            case .newSection(let identifier): writer.member("newSection", identifier)
            }
            writer.elements(drafts)
            writer.address("at", at)
        case .setElement(let section, let row, let element, let draft, let at):
            writer.list(section, row)
            writer.address("element", element)
            writer.key("value")
            draft.encode(to: &writer)
            writer.address("at", at)
        case .patchElement(let section, let row, let element, let patch):
            writer.list(section, row)
            writer.address("element", element)
            writer.key("patch")
            writer.value(patch.value)
        case .removeElement(let section, let row, let element):
            writer.list(section, row)
            writer.address("element", element)
        case .removeElements(let section, let row, let addresses):
            writer.list(section, row)
            writer.addresses("at", addresses)
        case .removeAllElements(let section, let row):
            writer.list(section, row)
        case .moveElement(let section, let row, let from, let to, let target, let targetRow):
            writer.list(section, row)
            writer.address("from", from)
            writer.address("to", to)
            writer.address("toSection", target)
            writer.address("toRow", targetRow)
        case .swapElements(let section, let row, let at, let with):
            writer.list(section, row)
            writer.address("at", at)
            writer.address("with", with)
        default:
            break
        }
    }
}

extension SectionDraft {
    fileprivate var textEstimate: Int {
        elements.reduce(256) { $0 + $1.textEstimate } + (rows ?? []).reduce(0) { $0 + $1.textEstimate }
    }
}

extension RowDraft {
    fileprivate var textEstimate: Int {
        let texts = [
            values.value, values.hideWhen?.source, values.height?.source, values.estimatedHeight?.source,
            values.additionalConfig?.source,
        ]
        return elements.reduce(256) { $0 + $1.textEstimate } + texts.reduce(0) { $0 + ($1?.bytes.count ?? 0) }
    }
}

extension ElementDraft {
    fileprivate var textEstimate: Int {
        value.bytes.count + (model?.utf8.count ?? 0) + 24
    }
}

extension JSONWriter {
    fileprivate mutating func address(_ name: String, _ address: Address?) {
        guard let address else { return }
        key(name)
        address.encode(to: &self)
    }

    fileprivate mutating func addresses(_ name: String, _ addresses: [Address]) {
        key(name)
        beginArray()
        for address in addresses { address.encode(to: &self) }
        endArray()
    }

    fileprivate mutating func sections(_ drafts: [SectionDraft]) {
        key("sections")
        beginArray()
        for draft in drafts { draft.encode(to: &self) }
        endArray()
    }

    /// The list of elements that an operation is about: a section's, or a row's.
    fileprivate mutating func list(_ section: Address, _ row: Address?) {
        address("section", section)
        address("row", row)
    }

    fileprivate mutating func rows(_ drafts: [RowDraft]) {
        key("rows")
        array { writer in for draft in drafts { draft.encode(to: &writer) } }
    }

    fileprivate mutating func elements(_ drafts: [ElementDraft]) {
        key("elements")
        beginArray()
        for draft in drafts { draft.encode(to: &self) }
        endArray()
    }
}
