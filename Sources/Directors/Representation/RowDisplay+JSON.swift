import JSONValues
import ListDiff

extension RowDisplay {
    /// Reads what a row tells beside an element, of a published element or of what was stored; an object.
    static func decode(_ node: JSONNode, model: String?, _ faults: inout FaultList) -> RowDisplay? {
        let row = node.decodeMember("row", &faults)?.decodeString(&faults)
        let cell = node.decodeMember("cell", &faults)?.decodeString(&faults)
        let reuseIdentifier = node.decodeMember("reuseIdentifier", &faults)?.decodeString(&faults)
        guard let row, let cell, let reuseIdentifier else { return nil }
        return RowDisplay(
            Values(
                row: row, cell: cell, reuseIdentifier: reuseIdentifier, height: node["height"]?.value,
                estimatedHeight: node["estimatedHeight"]?.value, config: node["config"]?.value,
                afterSelection: node["afterSelection"]?.decodeChoice(SelectionAction.self, &faults),
                style: RowStyle.decode(node, &faults)), model: model)
    }

    /// Appends what ``decode(_:model:_:)`` reads.
    fileprivate func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("row", values.row)
        writer.member("cell", values.cell)
        writer.member("reuseIdentifier", values.reuseIdentifier)
        writer.members(suffix)
        writer.endObject()
    }
}

extension CellAdapter {
    /// An adapter of a constant row's element, as what the row tells shows it.
    fileprivate convenience init(constant display: RowDisplay) {
        self.init(
            CellAdapter(Values(cell: display.cell, reuseIdentifier: display.reuseIdentifier)), row: display)
    }

    /// Appends the adapter of stored elements: where these are a row's, `{"display", "adapter"?}`, else the adapter alone.
    package func encodeStored(to writer: inout JSONWriter) {
        guard let row else { return encode(to: &writer) }
        writer.beginObject()
        writer.key("display")
        row.encode(to: &writer)
        if !self.model.isEmpty {
            writer.key("adapter")
            encode(to: &writer)
        }
        writer.endObject()
    }

    /// Reads an adapter as `encodeStored(to:)` writes it.
    ///
    /// - Throws: Every fault.
    package static func decodeStored(_ node: JSONNode) throws(RepresentationError) -> CellAdapter {
        guard let display = node["display"] else { return try decode(node, model: nil) }
        return try decoding { faults in
            let adapter = node["adapter"].flatMap { decode($0, model: nil, &faults) }
            let row = RowDisplay.decode(display, model: adapter?.model, &faults)
            return row.map { adapter?.showing($0) ?? CellAdapter(constant: $0) }
        }
    }
}

extension OperationContext {
    /// Reads an element as it is published: a row's with what the row tells.
    func publishedElement(_ node: JSONNode, _ faults: inout FaultList) -> Element? {
        guard node.kind == .object, node["row"] != nil else {
            guard let draft = ElementDraft.decode(node, &faults) else { return nil }
            do {
                return try element(draft, pointer: "")
            } catch {
                faults.append(error.faults, inside: node)
                return nil
            }
        }
        let model = node["model"]?.decodeName(&faults)
        let identifier = node.decodeMember("id", &faults)?.decodeString(&faults)
        let value = node.decodeMember("value", &faults)?.value
        guard let identifier, let value, let display = RowDisplay.decode(node, model: model, &faults) else {
            return nil
        }
        guard let model else {
            return Element(restoring: value, identifier: identifier, adapter: CellAdapter(constant: display))
        }
        guard let adapter = adapters.cell(of: model, isStored: limits.areOfStored) else {
            faults.append(node, "no cell adapter is registered for the model \(model.quoted)")
            return nil
        }
        return Element(restoring: value, identifier: identifier, adapter: adapter.showing(display))
    }

    /// Reads a section as it is published, which has an identifier of its own.
    func publishedSection(_ node: JSONNode, _ faults: inout FaultList) -> Section? {
        guard var draft = SectionDraft.decode(node, &faults) else { return nil }
        guard draft.identifier != nil else {
            faults.append(node, #"the member "id" is missing"#)
            return nil
        }
        draft.elements = []
        let elements = node["elements"]?.decodeArray(&faults) { publishedElement($0, &$1) } ?? []
        do {
            let checked = try section(draft, identifier: nil, pointer: "")
            return Section(
                identifier: checked.identifier, attributes: checked.attributes, list: PersistentList(elements))
        } catch {
            faults.append(error.faults, inside: node)
            return nil
        }
    }
}
