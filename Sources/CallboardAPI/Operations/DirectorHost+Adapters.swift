import Directors
import HTTPTypes
import JSONValues

extension DirectorHost {
    // MARK: Cell adapters

    func listAdapters(_ call: Call) -> Outcome {
        .read(
            Reply(
                body: Coding.list("adapters", director.adapters.sortedCells) { adapter, writer in
                    adapter.encode(to: &writer) { encodeHooks(at: .cell(adapter.model), call, to: &$0) }
                }))
    }

    func readAdapter(_ call: Call) throws(Problem) -> Outcome {
        guard let adapter = director.adapters.cells[call.parameters[1]] else {
            throw .notFound("No cell adapter is registered for the model \"\(call.parameters[1])\".")
        }
        return .read(Reply(body: body(of: adapter, call)))
    }

    func putAdapter(_ call: Call) throws(Problem) -> Outcome {
        let model = call.parameters[1]
        let document = try call.document()
        let adapter = try Coding.cellAdapter(document, model: model)
        let hooks = try Coding.hooks(document, of: .cell(model), in: director, call.application.hooks?.policy)
        let isNew = director.adapters.cells[model] == nil
        return try change(call) { director throws(DirectorError) in
            try director.register(adapter, hooks: hooks?.mapValues(\.hook))
        } reply: {
            Reply(
                status: isNew ? .created : .ok, body: body(of: adapter, call, hooks),
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

    func listViewAdapters(_ call: Call) -> Outcome {
        .read(
            Reply(
                body: Coding.list("adapters", director.adapters.sortedHeaderFooters) { adapter, writer in
                    adapter.encode(to: &writer) { encodeHooks(at: .headerFooter(adapter.view), call, to: &$0) }
                }))
    }

    func readViewAdapter(_ call: Call) throws(Problem) -> Outcome {
        guard let adapter = director.adapters.headerFooters[call.parameters[1]] else {
            throw .notFound("No header/footer adapter is registered for the view \"\(call.parameters[1])\".")
        }
        return .read(Reply(body: body(of: adapter, call)))
    }

    func putViewAdapter(_ call: Call) throws(Problem) -> Outcome {
        let view = call.parameters[1]
        let document = try call.document()
        let adapter = try Coding.headerFooterAdapter(document, view: view)
        let hooks = try Coding.hooks(document, of: .headerFooter(view), in: director, call.application.hooks?.policy)
        let isNew = director.adapters.headerFooters[view] == nil
        return try change(call) { director throws(DirectorError) in
            try director.register(adapter, hooks: hooks?.mapValues(\.hook))
        } reply: {
            Reply(
                status: isNew ? .created : .ok, body: body(of: adapter, call, hooks),
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

    private func body(
        of adapter: CellAdapter, _ call: Call, _ hooks: [String: EventHookDraft.Resolved]? = nil
    ) -> [UInt8] {
        var writer = JSONWriter()
        adapter.encode(to: &writer) { encodeHooks(at: .cell(adapter.model), call, hooks, to: &$0) }
        return writer.bytes
    }

    private func body(
        of adapter: HeaderFooterAdapter, _ call: Call, _ hooks: [String: EventHookDraft.Resolved]? = nil
    ) -> [UInt8] {
        var writer = JSONWriter()
        adapter.encode(to: &writer) { encodeHooks(at: .headerFooter(adapter.view), call, hooks, to: &$0) }
        return writer.bytes
    }

    /// Changes the adapters and tells subscribers, unless nothing has changed.
    private func change(
        _ call: Call, _ body: (inout Director) throws(DirectorError) -> Bool, reply: () -> Reply
    ) throws(Problem) -> Outcome {
        try checkPreconditions(call)
        let before = director
        let hasChanged: Bool
        do {
            hasChanged = try body(&director)
        } catch {
            throw Problem(error, body: "")
        }
        var outcome = Outcome(reply: Reply())
        if hasChanged { redefine(since: before, call, &outcome) }
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
