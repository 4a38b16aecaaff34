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

    static func decode(_ node: JSONNode, _ faults: inout FaultList) -> Operation? {
        guard node.isObject("an operation", &faults) else { return nil }
        guard let op = node["op"] else {
            faults.append(node, #"an operation needs the member "op""#)
            return nil
        }
        guard let name = op.string, let verb = verbs[name] else {
            faults.append(op, "expected one of \(names.joined(separator: ", "))")
            return nil
        }
        var reader = OperationReader(node, of: name, known: ["op"])
        // Read first: what is left over is known only then.
        let operation = read(verb, &reader, &faults)
        return reader.finish(operation, &faults)
    }

    /// Reads the body of a request whose path says the verb and the list, such as `elements:move`.
    ///
    /// - Throws: Every fault.
    package static func decode(
        body node: JSONNode, _ verb: ListVerb, of list: EditedList
    ) throws(RepresentationError) -> Operation {
        try decoding { faults in
            guard node.isObject("a body", &faults) else { return nil }
            var reader = OperationReader(node)
            let operation = read(verb, of: list, &reader, &faults)
            return reader.finish(operation, &faults)
        }
    }

    /// Reads the members of an edit of a list.
    static func read(
        _ verb: ListVerb, of list: EditedList, _ reader: inout OperationReader, _ faults: inout FaultList
    ) -> Operation? {
        switch list {
        case .sections: ListEdit.read(verb, &reader, &faults).map { .sections($0) }
        case .rows(let section): ListEdit.read(verb, &reader, &faults).map { .rows(of: section, $0) }
        case .elements(let owner): ListEdit.read(verb, &reader, &faults).map { .elements(of: owner, $0) }
        }
    }

    /// Reads the members of an operation.
    static func read(
        _ verb: OperationVerb, _ reader: inout OperationReader, _ faults: inout FaultList
    ) -> Operation? {
        switch verb {
        case .sections(let verb):
            return read(verb, of: .sections, &reader, &faults)
        case .rows(let verb):
            guard let section = reader.section(&faults) else { return nil }
            return read(verb, of: .rows(of: section), &reader, &faults)
        case .elements(.add):
            return readAddition(&reader, &faults)
        case .elements(let verb):
            guard let section = reader.section(&faults) else { return nil }
            let owner = ElementOwner(section: section, row: reader.optional(.ofRow, &faults))
            return read(verb, of: .elements(of: owner), &reader, &faults)
        case .other(.setVariable):
            let name = reader.name("name", &faults)
            let value = reader.node("value", as: .any, &faults)
            return both(name, value).map { .setVariable(name: $0, value: $1.value) }
        case .other(.removeVariable):
            return reader.name("name", &faults).map { .removeVariable(name: $0) }
        case .other(.setAdapter):
            return readAdapter(&reader, &faults)
        case .other(.removeAdapter):
            return reader.name("model", &faults).map { .removeAdapter(model: $0) }
        }
    }

    /// Reads elements that are added to a list, or to a new section where none is named.
    private static func readAddition(_ reader: inout OperationReader, _ faults: inout FaultList) -> Operation? {
        let section = reader.optional(.targetSection, &faults)
        if section != nil || reader.isDescribing {
            let row = reader.optional(.ofRow, &faults)
            if let section { return read(.add, of: .elements(of: .init(section: section, row: row)), &reader, &faults) }
        }
        let place = reader.optional(.insertionPlace, &faults)
        let summary = "The identifier of the new section where no section is given."
        let new = reader.optionalNode("newSection", summary, as: SectionDraft.identifierSchema)
        let identifier = new.flatMap { SectionDraft.decodeIdentifier($0, &faults) }
        return reader.required(ElementDraft.items, &faults).map {
            .newSection(identifier: identifier ?? RandomIdentifier.uuid(), $0, at: place)
        }
    }

    private static func readAdapter(_ reader: inout OperationReader, _ faults: inout FaultList) -> Operation? {
        let model = reader.name("model", &faults)
        let value = reader.node("value", as: .reference("CellAdapterInput"), &faults)
        guard let model, let value else { return nil }
        if value.kind == .object, let events = value["events"], !events.isNull, !events.text.elementsEqual("{}".utf8) {
            faults.append(events, "hooks are no part of an operation; register them at the adapter's own address")
        }
        return CellAdapter.decode(value, model: model, &faults).map { .setAdapter($0) }
    }
}

/// A list that is edited, as a path or an operation names it.
package enum EditedList: Sendable {
    /// The sections.
    case sections
    /// The rows of a section.
    case rows(of: Address)
    /// The elements of a section or a model row.
    case elements(of: ElementOwner)
}
