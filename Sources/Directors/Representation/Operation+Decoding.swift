import JSONValues

extension Operation {
    /// Reads one operation, `{"op": "moveSection", "from": …, "to": …}`.
    ///
    /// Sections without an identifier, and the section that `addElements` makes where none is named, are given a random
    /// UUID here, so that performing what was read gives the same state each time.
    ///
    /// - Throws: Every fault.
    package static func decode(_ node: JSONNode) throws(RepresentationError) -> Operation {
        try decoding { decode(node, &$0) }
    }

    /// Reads the body of `sections:move`, `{"from", "to"}`.
    package static func decodeMoveSection(_ node: JSONNode) throws(RepresentationError) -> Operation {
        try decodeBody(node) { reader, faults in moveSection(&reader, &faults) }
    }

    /// Reads the body of `sections:swap`, `{"at", "with"}`.
    package static func decodeSwapSections(_ node: JSONNode) throws(RepresentationError) -> Operation {
        try decodeBody(node) { reader, faults in swapSections(&reader, &faults) }
    }

    /// Reads the body of `elements:move`, `{"from", "to", "toSection"?, "toRow"?}`, for the section or row that the path
    /// names.
    package static func decodeMoveElement(
        _ node: JSONNode, section: Address, row: Address? = nil
    ) throws(RepresentationError) -> Operation {
        try decodeBody(node) { reader, faults in moveElement(section, row, &reader, &faults) }
    }

    /// Reads the body of `elements:swap`, `{"at", "with"}`, for the section or row that the path names.
    package static func decodeSwapElements(
        _ node: JSONNode, section: Address, row: Address? = nil
    ) throws(RepresentationError) -> Operation {
        try decodeBody(node) { reader, faults in swapElements(section, row, &reader, &faults) }
    }

    /// Reads the body of `rows:move`, `{"from", "to", "toSection"?}`, for the section that the path names.
    package static func decodeMoveRow(_ node: JSONNode, section: Address) throws(RepresentationError) -> Operation {
        try decodeBody(node) { reader, faults in moveRow(section, &reader, &faults) }
    }

    /// Reads the body of `rows:swap`, `{"at", "with"}`, for the section that the path names.
    package static func decodeSwapRows(_ node: JSONNode, section: Address) throws(RepresentationError) -> Operation {
        try decodeBody(node) { reader, faults in swapRows(section, &reader, &faults) }
    }

    private static func decodeBody(
        _ node: JSONNode, _ read: (inout OperationReader, inout FaultList) -> Operation?
    ) throws(RepresentationError) -> Operation {
        try decoding { faults in
            guard var reader = OperationReader(body: node, &faults) else { return nil }
            // Read first: what is left over is known only then.
            let operation = read(&reader, &faults)
            return reader.finish(operation, &faults)
        }
    }

    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> Operation? {
        guard var reader = OperationReader(operation: node, &faults) else { return nil }
        let operation: Operation?
        switch reader.op {
        case "setSections", "addSections", "setSection", "patchSection", "removeSection", "removeSections",
            "removeAllSections", "moveSection", "swapSections":
            operation = sectionOperation(&reader, &faults)
        case "setVariable":
            let name = reader.name("name", &faults)
            let value = reader.value("value", &faults)
            operation = both(name, value).map { .setVariable(name: $0, value: $1) }
        case "removeVariable":
            operation = reader.name("name", &faults).map { .removeVariable(name: $0) }
        case "setAdapter":
            operation = setAdapter(&reader, &faults)
        case "removeAdapter":
            operation = reader.name("model", &faults).map { .removeAdapter(model: $0) }
        case "addElements":
            operation = addElements(&reader, &faults)
        case "setRows", "addRows", "setRow", "patchRow", "removeRow", "removeRows", "removeAllRows", "moveRow",
            "swapRows":
            operation = rowOperation(&reader, &faults)
        default:
            operation = elementOperation(&reader, &faults)
        }
        return reader.finish(operation, &faults)
    }

    private static func setAdapter(_ reader: inout OperationReader, _ faults: inout FaultList) -> Operation? {
        let model = reader.name("model", &faults)
        let value = reader.required("value", &faults)
        guard let model, let value else { return nil }
        if value.kind == .object, let events = value["events"], !events.isNull, !events.text.elementsEqual("{}".utf8) {
            faults.append(events, "hooks are no part of an operation; register them at the adapter's own address")
        }
        return CellAdapter.decode(value, model: model, &faults).map { .setAdapter($0) }
    }

    private static func sectionOperation(_ reader: inout OperationReader, _ faults: inout FaultList) -> Operation? {
        switch reader.op {
        case "setSections":
            return reader.sections(&faults).map { .setSections($0) }
        case "addSections":
            let at = reader.optionalAddress("at", &faults)
            return reader.sections(&faults).map { .addSections($0, at: at) }
        case "removeSections":
            return reader.addresses("at", &faults).map { .removeSections(at: $0) }
        case "removeAllSections":
            return .removeAllSections
        case "moveSection":
            return moveSection(&reader, &faults)
        case "swapSections":
            return swapSections(&reader, &faults)
        case "setSection":
            let section = reader.address("section", &faults)
            let draft = reader.required("value", &faults).flatMap { SectionDraft.decode($0, &faults) }
            return both(section, draft).map { .setSection($0, $1) }
        case "patchSection":
            let section = reader.address("section", &faults)
            return both(section, reader.value("patch", &faults)).map { .patchSection($0, patch: $1) }
        default:
            return reader.address("section", &faults).map { .removeSection($0) }
        }
    }

    private static func elementOperation(_ reader: inout OperationReader, _ faults: inout FaultList) -> Operation? {
        guard let section = reader.address("section", &faults) else {
            reader.ignoreUnknown()
            return nil
        }
        let row = reader.optionalAddress("row", &faults)
        switch reader.op {
        case "setElements":
            return reader.elements(&faults).map { .setElements(section: section, row: row, $0) }
        case "setElement":
            let element = reader.address("element", &faults)
            let draft = reader.required("value", &faults).flatMap { ElementDraft.decode($0, &faults) }
            let at = reader.optionalAddress("at", &faults)
            return both(element, draft).map { .setElement(section: section, row: row, element: $0, $1, at: at) }
        case "patchElement":
            let element = reader.address("element", &faults)
            let patch = reader.required("patch", &faults).map { ValueDraft(readingPatch: $0) }
            return both(element, patch).map { .patchElement(section: section, row: row, element: $0, patch: $1) }
        case "removeElement":
            return reader.address("element", &faults).map { .removeElement(section: section, row: row, element: $0) }
        case "removeElements":
            return reader.addresses("at", &faults).map { .removeElements(section: section, row: row, at: $0) }
        case "moveElement":
            return moveElement(section, row, &reader, &faults)
        case "swapElements":
            return swapElements(section, row, &reader, &faults)
        default:
            return .removeAllElements(section: section, row: row)
        }
    }

    private static func addElements(_ reader: inout OperationReader, _ faults: inout FaultList) -> Operation? {
        let section = reader.optionalAddress("section", &faults)
        let row = section == nil ? nil : reader.optionalAddress("row", &faults)
        let at = reader.optionalAddress("at", &faults)
        let new = section == nil ? reader.optionalIdentifier("newSection", &faults) : nil
        let target: ElementTarget =
            switch (section, row) {
            case (let section?, let row?): .row(section: section, row: row)
            case (let section?, nil): .section(section)
            default: .newSection(identifier: new ?? RandomIdentifier.uuid())
            }
        return reader.elements(&faults).map { .addElements(target, $0, at: at) }
    }

    private static func rowOperation(_ reader: inout OperationReader, _ faults: inout FaultList) -> Operation? {
        guard let section = reader.address("section", &faults) else {
            reader.ignoreUnknown()
            return nil
        }
        switch reader.op {
        case "setRows":
            return reader.rows(&faults).map { .setRows(section: section, $0) }
        case "addRows":
            let at = reader.optionalAddress("at", &faults)
            return reader.rows(&faults).map { .addRows(section: section, $0, at: at) }
        case "setRow":
            let row = reader.address("row", &faults)
            let draft = reader.required("value", &faults).flatMap { RowDraft.decode($0, &faults) }
            let at = reader.optionalAddress("at", &faults)
            return both(row, draft).map { .setRow(section: section, row: $0, $1, at: at) }
        case "patchRow":
            let row = reader.address("row", &faults)
            return both(row, reader.value("patch", &faults)).map { .patchRow(section: section, row: $0, patch: $1) }
        case "removeRow":
            return reader.address("row", &faults).map { .removeRow(section: section, row: $0) }
        case "removeRows":
            return reader.addresses("at", &faults).map { .removeRows(section: section, at: $0) }
        case "moveRow":
            return moveRow(section, &reader, &faults)
        case "swapRows":
            return swapRows(section, &reader, &faults)
        default:
            return .removeAllRows(section: section)
        }
    }

    private static func moveSection(_ reader: inout OperationReader, _ faults: inout FaultList) -> Operation? {
        let from = reader.address("from", &faults)
        return both(from, reader.address("to", &faults)).map { .moveSection(from: $0, to: $1) }
    }

    private static func swapSections(_ reader: inout OperationReader, _ faults: inout FaultList) -> Operation? {
        let at = reader.address("at", &faults)
        return both(at, reader.address("with", &faults)).map { .swapSections(at: $0, with: $1) }
    }

    private static func moveElement(
        _ section: Address, _ row: Address?, _ reader: inout OperationReader, _ faults: inout FaultList
    ) -> Operation? {
        let from = reader.address("from", &faults)
        let to = reader.address("to", &faults)
        let target = reader.optionalAddress("toSection", &faults)
        let targetRow = reader.optionalAddress("toRow", &faults)
        return both(from, to).map {
            .moveElement(section: section, row: row, from: $0, to: $1, toSection: target, toRow: targetRow)
        }
    }

    private static func swapElements(
        _ section: Address, _ row: Address?, _ reader: inout OperationReader, _ faults: inout FaultList
    ) -> Operation? {
        let at = reader.address("at", &faults)
        let with = reader.address("with", &faults)
        return both(at, with).map { .swapElements(section: section, row: row, at: $0, with: $1) }
    }

    private static func moveRow(
        _ section: Address, _ reader: inout OperationReader, _ faults: inout FaultList
    ) -> Operation? {
        let from = reader.address("from", &faults)
        let to = reader.address("to", &faults)
        let target = reader.optionalAddress("toSection", &faults)
        return both(from, to).map { .moveRow(section: section, from: $0, to: $1, toSection: target) }
    }

    private static func swapRows(
        _ section: Address, _ reader: inout OperationReader, _ faults: inout FaultList
    ) -> Operation? {
        let at = reader.address("at", &faults)
        return both(at, reader.address("with", &faults)).map { .swapRows(section: section, at: $0, with: $1) }
    }
}

/// Two values where both are there.
private func both<First, Second>(_ first: First?, _ second: Second?) -> (First, Second)? {
    if let first, let second { (first, second) } else { nil }
}
