import Directors
import HTTPTypes
import JSONValues

extension DirectorHost {
    // MARK: Cell adapters

    func listAdapters(_ call: Call) throws(Problem) -> Outcome {
        try read(call, tag: nil) { Reply(body: list(of: director.adapters.sortedCells, call)) }
    }

    func readAdapter(_ call: Call) throws(Problem) -> Outcome {
        guard let adapter = director.adapters.cells[call.parameters[1]] else {
            throw .notFound("No cell adapter is registered for the model \(call.parameters[1].quoted).")
        }
        // Without a tag: no revision counts how the targets of hooks are doing, which is shown here.
        return try read(call, tag: nil) { Reply(body: body(of: adapter, call)) }
    }

    /// `PUT …/adapters`: registers several at once; what is registered besides stays.
    func putAdapters(_ call: Call) throws(Problem) -> Outcome {
        let items = try Coding.cellAdapters(try call.document())
        let policy = call.application.hooks?.policy
        var drafts: [(adapter: CellAdapter, hooks: [String: EventHookDraft.Resolved]?)] = []
        for item in items {
            let hooks = try Coding.hooks(item.node, of: .cell(item.adapter.model), in: director, policy)
            drafts.append((item.adapter, hooks))
        }
        let (place, names) = (items.first?.place ?? "", drafts.map(\.adapter.model))
        let registered = drafts.map { ($0.adapter, $0.hooks?.mapValues(\.hook)) }
        return try change(call, isThere: true, body: .part("", at: place)) { director throws(DirectorError) in
            try director.register(registered)
        } reply: {
            let generated = Dictionary(drafts.map { ($0.adapter.model, $0.hooks) }) { $1 }
            return Reply(
                body: list(of: names.compactMap { director.adapters.cells[$0] }, call) { generated[$0] ?? nil })
        }
    }

    private func list(
        of adapters: [CellAdapter], _ call: Call,
        _ registered: (String) -> [String: EventHookDraft.Resolved]? = { _ in nil }
    ) -> [UInt8] {
        Coding.list("adapters", adapters) { adapter, writer in
            adapter.encode(to: &writer) {
                encodeHooks(at: .cell(adapter.model), call, registered(adapter.model), to: &$0)
            }
        }
    }

    func putAdapter(_ call: Call) throws(Problem) -> Outcome {
        let model = call.parameters[1]
        let document = try call.document()
        let adapter = try Coding.cellAdapter(document, model: model)
        let hooks = try Coding.hooks(document.root, of: .cell(model), in: director, call.application.hooks?.policy)
        let isNew = director.adapters.cells[model] == nil
        return try change(call, isThere: !isNew, body: .whole) { director throws(DirectorError) in
            try director.register(adapter, hooks: hooks?.mapValues(\.hook))
        } reply: {
            Reply(
                status: isNew ? .created : .ok, body: body(of: adapter, call, hooks),
                location: isNew ? Location.path("v1", "directors", name, "adapters", model) : nil)
        }
    }

    func removeAdapter(_ call: Call) throws(Problem) -> Outcome {
        try change(call, isThere: true, body: nil) { director throws(DirectorError) in
            try director.removeCellAdapter(model: call.parameters[1])
            return true
        } reply: {
            .noContent(etag: nil)
        }
    }

    // MARK: Header/footer adapters

    func listViewAdapters(_ call: Call) throws(Problem) -> Outcome {
        try read(call, tag: nil) {
            Reply(
                body: Coding.list("adapters", director.adapters.sortedHeaderFooters) { adapter, writer in
                    adapter.encode(to: &writer) { encodeHooks(at: .headerFooter(adapter.view), call, to: &$0) }
                })
        }
    }

    func readViewAdapter(_ call: Call) throws(Problem) -> Outcome {
        guard let adapter = director.adapters.headerFooters[call.parameters[1]] else {
            throw .notFound("No header/footer adapter is registered for the view \(call.parameters[1].quoted).")
        }
        // Without a tag: no revision counts how the targets of hooks are doing, which is shown here.
        return try read(call, tag: nil) { Reply(body: body(of: adapter, call)) }
    }

    func putViewAdapter(_ call: Call) throws(Problem) -> Outcome {
        let view = call.parameters[1]
        let document = try call.document()
        let adapter = try Coding.headerFooterAdapter(document, view: view)
        let hooks = try Coding.hooks(
            document.root, of: .headerFooter(view), in: director, call.application.hooks?.policy)
        let isNew = director.adapters.headerFooters[view] == nil
        return try change(call, isThere: !isNew, body: .whole) { director throws(DirectorError) in
            try director.register(adapter, hooks: hooks?.mapValues(\.hook))
        } reply: {
            Reply(
                status: isNew ? .created : .ok, body: body(of: adapter, call, hooks),
                location: isNew ? Location.path("v1", "directors", name, "header-footer-adapters", view) : nil)
        }
    }

    func removeViewAdapter(_ call: Call) throws(Problem) -> Outcome {
        try change(call, isThere: true, body: nil) { director throws(DirectorError) in
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
        _ call: Call, isThere: Bool, body part: BodyPart?, _ change: (inout Director) throws(DirectorError) -> Bool,
        reply: () -> Reply
    ) throws(Problem) -> Outcome {
        try checkPreconditions(call) { () throws(Problem) in
            var trial = director
            do throws(DirectorError) {
                _ = try change(&trial)
            } catch  where error.category == .notFound {
                throw Problem(error, body: part)
            } catch {
                return isThere
            }
            return isThere
        }
        let before = director
        let hasChanged: Bool
        do {
            hasChanged = try change(&director)
        } catch {
            throw Problem(error, body: part)
        }
        var outcome = Outcome(reply: Reply())
        if hasChanged { redefine(since: before, &outcome) }
        if call.query.flag("reload") { publish(nil, into: &outcome) }
        outcome.reply = try answer(call) { () throws(Problem) in reply() }
        return outcome
    }

    // MARK: Variables

    func listVariables(_ call: Call) throws(Problem) -> Outcome {
        try read(call, tag: tag) { Reply(body: Coding.variables(director.working.variables)) }
    }

    func readVariable(_ call: Call) throws(Problem) -> Outcome {
        guard let value = director.working.variables[call.parameters[1]] else {
            throw .notFound("There is no variable \(call.parameters[1].quoted).")
        }
        return try read(call, tag: tag) { Reply(body: value.bytes) }
    }

    func setVariable(_ call: Call) throws(Problem) -> Outcome {
        let name = call.parameters[1]
        let value = try call.document().root.value
        try Coding.check(name: name, "variable")
        let isNew = director.working.variables[name] == nil
        let operation = Directors.Operation.setVariable(name: name, value: value)
        return try mutate(call, [operation], body: .value(at: "/value"), isThere: !isNew) { () throws(Problem) in
            Reply(status: isNew ? .created : .ok, body: value.bytes)
        }
    }

    func removeVariable(_ call: Call) throws(Problem) -> Outcome {
        try mutate(call, [.removeVariable(name: call.parameters[1])]) { () throws(Problem) in .noContent(etag: nil) }
    }
}
