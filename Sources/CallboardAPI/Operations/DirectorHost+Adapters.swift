import Directors
import HTTPTypes
import JSONValues

extension DirectorHost {
    // MARK: Cell adapters

    func listAdapters() -> Outcome {
        .read(Reply(body: Coding.list(director.adapters.sortedCells)))
    }

    func readAdapter(_ call: Call) throws(Problem) -> Outcome {
        guard let adapter = director.adapters.cells[call.parameters[1]] else {
            throw .notFound("No cell adapter is registered for the model \"\(call.parameters[1])\".")
        }
        return .read(Reply(body: Coding.encode(adapter)))
    }

    func putAdapter(_ call: Call) throws(Problem) -> Outcome {
        let model = call.parameters[1]
        let adapter = try Coding.cellAdapter(try call.document(), model: model)
        let isNew = director.adapters.cells[model] == nil
        return try change(call) { director throws(DirectorError) in
            try director.register(adapter)
        } reply: {
            Reply(
                status: isNew ? .created : .ok, body: Coding.encode(adapter),
                location: isNew ? Location.path("v1", "directors", name, "adapters", model) : nil)
        }
    }

    func removeAdapter(_ call: Call) throws(Problem) -> Outcome {
        try change(call) { director throws(DirectorError) in
            try director.removeCellAdapter(model: call.parameters[1])
            return true
        } reply: {
            .noContent(etag: nil)
        }
    }

    // MARK: Header/footer adapters

    func listViewAdapters() -> Outcome {
        .read(Reply(body: Coding.list(director.adapters.sortedHeaderFooters)))
    }

    func readViewAdapter(_ call: Call) throws(Problem) -> Outcome {
        guard let adapter = director.adapters.headerFooters[call.parameters[1]] else {
            throw .notFound("No header/footer adapter is registered for the view \"\(call.parameters[1])\".")
        }
        return .read(Reply(body: Coding.encode(adapter)))
    }

    func putViewAdapter(_ call: Call) throws(Problem) -> Outcome {
        let view = call.parameters[1]
        let adapter = try Coding.headerFooterAdapter(try call.document(), view: view)
        let isNew = director.adapters.headerFooters[view] == nil
        return try change(call) { director throws(DirectorError) in
            try director.register(adapter)
        } reply: {
            Reply(
                status: isNew ? .created : .ok, body: Coding.encode(adapter),
                location: isNew ? Location.path("v1", "directors", name, "header-footer-adapters", view) : nil)
        }
    }

    func removeViewAdapter(_ call: Call) throws(Problem) -> Outcome {
        try change(call) { director throws(DirectorError) in
            try director.removeHeaderFooterAdapter(view: call.parameters[1])
            return true
        } reply: {
            .noContent(etag: nil)
        }
    }

    /// Changes the adapters and tells subscribers, unless nothing has changed.
    private func change(
        _ call: Call, _ body: (inout Director) throws(DirectorError) -> Bool, reply: () -> Reply
    ) throws(Problem) -> Outcome {
        try checkPreconditions(call)
        let hasChanged: Bool
        do {
            hasChanged = try body(&director)
        } catch {
            throw Problem(error, body: "")
        }
        var outcome = Outcome(reply: Reply())
        if hasChanged { redefine(&outcome) }
        if call.query.flag("reload") { publish(nil, into: &outcome) }
        outcome.reply = try answer(call) { () throws(Problem) in reply() }
        return outcome
    }

    // MARK: Variables

    func listVariables(_ call: Call) -> Outcome {
        read(call, tag: tag) { Reply(body: Coding.variables(director.working.variables)) }
    }

    func readVariable(_ call: Call) throws(Problem) -> Outcome {
        guard let value = director.working.variables[call.parameters[1]] else {
            throw .notFound("There is no variable \"\(call.parameters[1])\".")
        }
        return read(call, tag: tag) { Reply(body: value.bytes) }
    }

    func setVariable(_ call: Call) throws(Problem) -> Outcome {
        let name = call.parameters[1]
        let value = try call.document().root.value
        let isNew = director.working.variables[name] == nil
        return try mutate(call, [.setVariable(name: name, value: value)], body: "/value") { () throws(Problem) in
            Reply(status: isNew ? .created : .ok, body: value.bytes)
        }
    }

    func removeVariable(_ call: Call) throws(Problem) -> Outcome {
        try mutate(call, [.removeVariable(name: call.parameters[1])]) { () throws(Problem) in .noContent(etag: nil) }
    }
}
