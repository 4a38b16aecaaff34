import Directors
import HTTPTypes
import JSONValues

extension Reading {
    func listAdapters(_ call: Call) throws(Problem) -> Reply {
        try answer(call, tag: nil) { Reply(body: list(of: director.adapters.sortedCells, call)) }
    }

    func readAdapter(_ call: Call) throws(Problem) -> Reply {
        guard let adapter = director.adapters.cells[call.parameters[1]] else {
            throw .notFound("No cell adapter is registered for the model \(call.parameters[1].quoted).")
        }
        // Without a tag: no revision counts how the targets of hooks are doing, which is shown here.
        return try answer(call, tag: nil) { Reply(body: body(of: adapter, call)) }
    }

    func listViewAdapters(_ call: Call) throws(Problem) -> Reply {
        try answer(call, tag: nil) {
            Reply(
                body: Coding.list("adapters", director.adapters.sortedHeaderFooters) { adapter, writer in
                    adapter.encode(to: &writer) { encodeHooks(at: .headerFooter(adapter.view), call, to: &$0) }
                })
        }
    }

    func readViewAdapter(_ call: Call) throws(Problem) -> Reply {
        guard let adapter = director.adapters.headerFooters[call.parameters[1]] else {
            throw .notFound("No header/footer adapter is registered for the view \(call.parameters[1].quoted).")
        }
        // Without a tag: no revision counts how the targets of hooks are doing, which is shown here.
        return try answer(call, tag: nil) { Reply(body: body(of: adapter, call)) }
    }
}

extension Mutation {
    /// `PUT …/adapters`: registers several at once; what is registered besides stays.
    mutating func putAdapters(_ call: Call) throws(Problem) -> Reply {
        let items = try Coding.cellAdapters(try call.document())
        let policy = call.application.hooks?.policy
        var drafts: [(adapter: CellAdapter, hooks: [String: EventHookDraft.Resolved]?)] = []
        for item in items {
            let hooks = try Coding.hooks(item.node, of: .cell(item.adapter.model), in: director, policy)
            drafts.append((item.adapter, hooks))
        }
        let (place, names) = (items.first?.place ?? "", drafts.map(\.adapter.model))
        let registered = drafts.map { ($0.adapter, $0.hooks?.mapValues(\.hook)) }
        try define(call, isThere: true, body: .part("", at: place)) { director throws(DirectorError) in
            try director.register(registered)
        }
        let generated = Dictionary(drafts.map { ($0.adapter.model, $0.hooks) }) { $1 }
        return try answer(call) { mutation in
            let adapters = names.compactMap { mutation.director.adapters.cells[$0] }
            return Reply(body: mutation.list(of: adapters, call) { generated[$0] ?? nil })
        }
    }

    mutating func putAdapter(_ call: Call) throws(Problem) -> Reply {
        let model = call.parameters[1]
        let document = try call.document()
        let adapter = try Coding.cellAdapter(document, model: model)
        let hooks = try Coding.hooks(document.root, of: .cell(model), in: director, call.application.hooks?.policy)
        let isNew = director.adapters.cells[model] == nil
        try define(call, isThere: !isNew, body: .whole) { director throws(DirectorError) in
            try director.register(adapter, hooks: hooks?.mapValues(\.hook))
        }
        return try answer(call) { mutation in
            Reply(
                status: isNew ? .created : .ok, body: mutation.body(of: adapter, call, hooks),
                location: isNew ? Location.path("v1", "directors", mutation.name, "adapters", model) : nil)
        }
    }

    mutating func removeAdapter(_ call: Call) throws(Problem) -> Reply {
        try define(call, isThere: true, body: nil) { director throws(DirectorError) in
            try director.removeCellAdapter(model: call.parameters[1])
            return true
        }
        return noContent()
    }

    mutating func putViewAdapter(_ call: Call) throws(Problem) -> Reply {
        let view = call.parameters[1]
        let document = try call.document()
        let adapter = try Coding.headerFooterAdapter(document, view: view)
        let hooks = try Coding.hooks(
            document.root, of: .headerFooter(view), in: director, call.application.hooks?.policy)
        let isNew = director.adapters.headerFooters[view] == nil
        try define(call, isThere: !isNew, body: .whole) { director throws(DirectorError) in
            try director.register(adapter, hooks: hooks?.mapValues(\.hook))
        }
        return try answer(call) { mutation in
            Reply(
                status: isNew ? .created : .ok, body: mutation.body(of: adapter, call, hooks),
                location: isNew ? Location.path("v1", "directors", mutation.name, "header-footer-adapters", view) : nil)
        }
    }

    mutating func removeViewAdapter(_ call: Call) throws(Problem) -> Reply {
        try define(call, isThere: true, body: nil) { director throws(DirectorError) in
            try director.removeHeaderFooterAdapter(view: call.parameters[1])
            return true
        }
        return noContent()
    }
}

extension DirectorContext {
    fileprivate func list(
        of adapters: [CellAdapter], _ call: Call,
        _ registered: (String) -> [String: EventHookDraft.Resolved]? = { _ in nil }
    ) -> [UInt8] {
        Coding.list("adapters", adapters) { adapter, writer in
            adapter.encode(to: &writer) {
                encodeHooks(at: .cell(adapter.model), call, registered(adapter.model), to: &$0)
            }
        }
    }

    fileprivate func body(
        of adapter: CellAdapter, _ call: Call, _ hooks: [String: EventHookDraft.Resolved]? = nil
    ) -> [UInt8] {
        var writer = JSONWriter()
        adapter.encode(to: &writer) { encodeHooks(at: .cell(adapter.model), call, hooks, to: &$0) }
        return writer.bytes
    }

    fileprivate func body(
        of adapter: HeaderFooterAdapter, _ call: Call, _ hooks: [String: EventHookDraft.Resolved]? = nil
    ) -> [UInt8] {
        var writer = JSONWriter()
        adapter.encode(to: &writer) { encodeHooks(at: .headerFooter(adapter.view), call, hooks, to: &$0) }
        return writer.bytes
    }
}
