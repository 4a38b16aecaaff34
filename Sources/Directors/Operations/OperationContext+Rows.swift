import JSONValues
import ListDiff
import Notation

extension OperationContext {
    /// Makes the rows of drafts, or throws everything that is wrong with them.
    func rows(_ drafts: [RowDraft], pointer: String) throws(DirectorError) -> [Row] {
        var faults = FaultList()
        let rows = rows(drafts, pointer: pointer, &faults)
        guard faults.isEmpty else { throw DirectorError(.refused(faults.faults), pointer: pointer) }
        return rows
    }

    /// Makes the row of a draft, or throws what is wrong with it.
    ///
    /// - Parameter earlier: The earlier row; its unchanged values are not checked again.
    func row(_ draft: RowDraft, since earlier: Row? = nil, pointer: String) throws(DirectorError) -> Row {
        var faults = FaultList()
        let row = row(draft, since: earlier, pointer: pointer, &faults)
        guard faults.isEmpty else { throw DirectorError(.refused(faults.faults), pointer: pointer) }
        return row
    }

    /// Makes the rows of drafts; two of one identifier are a fault.
    func rows(_ drafts: [RowDraft], pointer: String, _ faults: inout FaultList) -> [Row] {
        var rows: [Row] = []
        rows.reserveCapacity(drafts.count)
        var identities: Set<RowIdentity> = []
        for (position, draft) in drafts.enumerated() {
            let row = row(draft, pointer: "\(pointer)/\(position)", &faults)
            if !identities.insert(row.differenceIdentifier).inserted {
                faults.append(
                    "\(pointer)/\(position)/id", "another row of the section has the id \(row.identifier.quoted)")
            }
            rows.append(row)
            if faults.isFull { break }
        }
        return rows
    }

    private func row(
        _ draft: RowDraft, since earlier: Row? = nil, pointer: String, _ faults: inout FaultList
    ) -> Row {
        let values = draft.resolved.values
        check(values, draft.elements, since: earlier, pointer: pointer, &faults)
        if let value = values.value, value.bytes != earlier?.settings.values.value?.bytes,
            let detail = limits.fault(in: value)
        {
            faults.append("\(pointer)/value", detail)
        }
        let settings = RowSettings(values)
        guard values.kind == .model, let model = values.model, faults.isEmpty else { return Row(settings) }
        let drafts = draft.elements.map { $0.ofModel(model) }
        for (position, draft) in drafts.enumerated() where !limits.areOfStored && !draft.model.isVerbatim(model) {
            faults.append(
                "\(pointer)/elements/\(position)/model", "the row's elements are of the model \(model.quoted)")
        }
        return Row(settings, elements: PersistentList(elements(drafts, pointer: "\(pointer)/elements", &faults)))
    }

    /// Refuses members that the row's kind does not have, or lacks.
    private func check(
        _ values: RowSettings.Values, _ elements: [ElementDraft], since earlier: Row?, pointer: String,
        _ faults: inout FaultList
    ) {
        if limits.holdsSectionsToKind { RowSettings.fields.check(kind, of: values, "rows", pointer: pointer, &faults) }
        if let detail = RowSettings.fault(inIdentifier: values.identifier)
            ?? limits.fault(inIdentifier: values.identifier, of: "a row's id", since: earlier?.identifier)
        {
            faults.append("\(pointer)/id", detail)
        }
        switch values.kind {
        case .constant:
            if values.cell == nil { faults.append("\(pointer)/cell", "a constant row has to name its cell") }
            if values.model != nil {
                faults.append("\(pointer)/model", "a constant row has no model; a row of the type \"model\" has")
            }
            if !elements.isEmpty {
                faults.append("\(pointer)/elements", "a constant row has no elements; its value is its own")
            }
        case .model:
            if values.value != nil {
                faults.append("\(pointer)/value", "a model row has no value; its elements have theirs")
            }
            guard let model = values.model else {
                return faults.append("\(pointer)/model", "a model row has to name its model")
            }
            if adapters.cell(of: model, isStored: limits.areOfStored) == nil {
                faults.append(
                    "\(pointer)/model",
                    "no cell adapter is registered for the model \(model.quoted); register one first")
            }
        }
    }
}
