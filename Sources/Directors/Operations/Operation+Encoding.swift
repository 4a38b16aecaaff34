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
        switch self {
        case .sections(let edit):
            edit.write(to: &writer)
        case .rows(let section, let edit):
            writer.member(.section, section)
            edit.write(to: &writer)
        case .elements(let owner, let edit):
            writer.member(.section, owner.section)
            writer.member(.ofRow, owner.row)
            edit.write(to: &writer)
        case .newSection(let identifier, let drafts, let place):
            writer.member("newSection", identifier)
            ListEdit<ElementDraft>.add(drafts, at: place).write(to: &writer)
        case .setVariable(let name, let value):
            writer.member("name", name)
            writer.key("value")
            writer.value(value)
        case .removeVariable(let name):
            writer.member("name", name)
        case .setAdapter(let adapter):
            writer.member("model", adapter.model)
            writer.key("value")
            adapter.encode(to: &writer)
        case .removeAdapter(let model):
            writer.member("model", model)
        }
        writer.endObject()
    }

    /// About how many bytes `encode(to:)` appends, rather too many than too few where elements come in.
    ///
    /// - Complexity: O(*e*) in the number of elements that the operation brings in.
    package var textEstimate: Int {
        switch self {
        case .sections(let edit): edit.textEstimate
        case .rows(_, let edit): edit.textEstimate
        case .elements(_, let edit): edit.textEstimate
        case .newSection(_, let drafts, _): 128 + drafts.reduce(0) { $0 + $1.textEstimate }
        case .setVariable(_, let value): 128 + value.bytes.count
        case .removeVariable, .setAdapter, .removeAdapter: 160
        }
    }
}
