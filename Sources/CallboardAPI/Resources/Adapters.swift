import Directors
import HTTPTypes
import JSONValues
import Notation

/// The common part of the two kinds of adapters as resources.
private protocol AdapterResource {
    /// The place in the director where the adapter's hooks are registered.
    var level: HookLevel { get }

    /// Appends the adapter's JSON form, with what `hooks` writes of its hooks.
    func encode(to writer: inout JSONWriter, events hooks: (inout JSONWriter) -> Void)
}

extension CellAdapter: AdapterResource {
    fileprivate var level: HookLevel { .cell(self.model) }
}

extension HeaderFooterAdapter: AdapterResource {
    fileprivate var level: HookLevel { .headerFooter(view) }
}

/// The hooks that came with an adapter, with the secrets that were made for them.
private typealias ResolvedHooks = [Name: EventHookDraft.Resolved]

extension ResolvedHooks? {
    /// Whether the answer has to show a secret that was made: there is no other.
    ///
    /// The rest of the answer is the adapter from the request.
    fileprivate var hasSecrets: Bool { self?.values.contains { $0.generatedSecret != nil } ?? false }
}

extension Reading {
    func listAdapters(_ call: Call) throws(Problem) -> Reply {
        try answer(call, tag: nil) { Reply(body: list(of: director.adapters.sortedCells, call)) }
    }

    func readAdapter(_ call: Call) throws(Problem) -> Reply {
        guard let adapter = director.adapters.cells[call.parameters[1]] else {
            throw .notFound("No cell adapter is registered for the model \(call.parameters[1].quoted).")
        }
        return try answer(adapter, call)
    }

    func listViewAdapters(_ call: Call) throws(Problem) -> Reply {
        try answer(call, tag: nil) { Reply(body: list(of: director.adapters.sortedHeaderFooters, call)) }
    }

    func readViewAdapter(_ call: Call) throws(Problem) -> Reply {
        guard let adapter = director.adapters.headerFooters[call.parameters[1]] else {
            throw .notFound("No header/footer adapter is registered for the view \(call.parameters[1].quoted).")
        }
        return try answer(adapter, call)
    }

    /// Without a tag: no revision counts how the targets of hooks are doing, which is shown here.
    private func answer(_ adapter: some AdapterResource, _ call: Call) throws(Problem) -> Reply {
        try answer(call, tag: nil) { Reply(body: body(of: adapter, call)) }
    }
}

extension Mutation {
    /// `PUT …/adapters`: registers several at once; what is registered besides stays.
    mutating func putAdapters(_ call: Call) throws(Problem) -> Reply {
        let items = try Coding.cellAdapters(try call.document(), within: director.limits)
        var drafts: [(adapter: CellAdapter, hooks: ResolvedHooks?)] = []
        for item in items {
            let hooks = try Coding.hooks(item.node, of: item.adapter.level, in: director, call)
            drafts.append((item.adapter, hooks))
        }
        let (place, names) = (items.first?.place ?? "", drafts.map(\.adapter.model))
        let registered = drafts.map { ($0.adapter, $0.hooks?.mapValues(\.hook)) }
        try define(call, isThere: true, body: .part("", at: place)) { director throws(DirectorError) in
            try director.register(registered)
        }
        let generated = Dictionary(drafts.map { ($0.adapter.level, $0.hooks) }) { $1 }
        return try answer(call) { mutation in
            let adapters = names.compactMap { mutation.director.adapters.cells[$0] }
            return Reply(
                body: mutation.list(of: adapters, call) { generated[$0] ?? nil },
                isStorable: !generated.values.contains { $0.hasSecrets },
                telling: generated.values.contains { $0.hasSecrets } ? .hooks : .content)
        }
    }

    mutating func putAdapter(_ call: Call) throws(Problem) -> Reply {
        let document = try call.document()
        let adapter = try Coding.cellAdapter(document, model: call.parameters[1], within: director.limits)
        let isNew = director.adapters.cells[call.parameters[1]] == nil
        return try put(adapter, document, isNew: isNew, among: "adapters", call) {
            director, hooks throws(DirectorError) in try director.register(adapter, hooks: hooks)
        }
    }

    mutating func putViewAdapter(_ call: Call) throws(Problem) -> Reply {
        let document = try call.document()
        let adapter = try Coding.headerFooterAdapter(document, view: call.parameters[1], within: director.limits)
        let isNew = director.adapters.headerFooters[call.parameters[1]] == nil
        return try put(adapter, document, isNew: isNew, among: "header-footer-adapters", call) {
            director, hooks throws(DirectorError) in try director.register(adapter, hooks: hooks)
        }
    }

    mutating func removeAdapter(_ call: Call) throws(Problem) -> Reply {
        try remove(call, at: .cell(call.parameters[1])) { director throws(DirectorError) in
            try director.removeCellAdapter(model: call.parameters[1])
        }
    }

    mutating func removeViewAdapter(_ call: Call) throws(Problem) -> Reply {
        try remove(call, at: .headerFooter(call.parameters[1])) { director throws(DirectorError) in
            try director.removeHeaderFooterAdapter(view: call.parameters[1])
        }
    }

    /// Registers an adapter that came as a document, and answers with it.
    private mutating func put(
        _ adapter: some AdapterResource, _ document: JSONDocument, isNew: Bool, among collection: String, _ call: Call,
        _ register: (inout Director, [Name: EventHook]?) throws(DirectorError) -> Bool
    ) throws(Problem) -> Reply {
        let hooks = try Coding.hooks(document.root, of: adapter.level, in: director, call)
        try define(call, isThere: !isNew, body: .whole) { director throws(DirectorError) in
            try register(&director, hooks?.mapValues(\.hook))
        }
        return try answer(call) { mutation in
            Reply(
                status: isNew ? .created : .ok, body: mutation.body(of: adapter, call, hooks),
                location: isNew
                    ? Location.path("v1", "directors", mutation.name, collection, call.parameters[1]) : nil,
                isStorable: !hooks.hasSecrets, telling: hooks.hasSecrets ? .hooks : .content)
        }
    }

    private mutating func remove(
        _ call: Call, at level: HookLevel, _ remove: (inout Director) throws(DirectorError) -> Void
    ) throws(Problem) -> Reply {
        // They go with it.
        if director.hooks.hasAny(at: level) { try call.require(.hooks) }
        try define(call, isThere: true, body: nil) { director throws(DirectorError) in
            try remove(&director)
            return true
        }
        return noContent()
    }
}

extension DirectorContext {
    fileprivate func list(
        of adapters: [some AdapterResource], _ call: Call, _ registered: (HookLevel) -> ResolvedHooks? = { _ in nil }
    ) -> [UInt8] {
        ListForm.cellAdapters.list(adapters) { encode($0, call, registered($0.level), to: &$1) }
    }

    fileprivate func body(of adapter: some AdapterResource, _ call: Call, _ hooks: ResolvedHooks? = nil) -> [UInt8] {
        var writer = JSONWriter()
        encode(adapter, call, hooks, to: &writer)
        return writer.bytes
    }

    private func encode(
        _ adapter: some AdapterResource, _ call: Call, _ hooks: ResolvedHooks?, to writer: inout JSONWriter
    ) {
        adapter.encode(to: &writer) { encodeHooks(at: adapter.level, call, hooks, to: &$0) }
    }
}
