import JSONValues
import ListDiff

@testable import Directors
@testable import ListDiffTesting

/// A director with rows under test; a fault can be planted in any of its parts.
struct RowSubject {
    var perform: (inout Director, [Directors.Operation]) throws -> Void = { try $0.perform($1) }
    var reload: (inout Director) throws -> PublishedChange? = { try $0.reload() }
    var indexPaths: (ListState, String, String) -> [ElementPath] = { $0.indexPaths(ofRow: $2, in: $1) }
}

/// One life of a director with rows, beside the naive evaluation.
struct RowLife {
    private let subject: RowSubject
    private var director: Director

    private init(_ subject: RowSubject) throws {
        self.subject = subject
        director = try emptyDirector().value
        try director.register(CellAdapter(model: "A", cell: "ACell"))
        try director.register(CellAdapter(model: "B", cell: "BCell", content: [JSONPointer(tokens: ["n"])]))
    }

    /// What goes wrong in a life, or nil.
    static func fault(in steps: [RowStep], _ subject: RowSubject) throws -> String? {
        var life = try RowLife(subject)
        for step in steps {
            let fault =
                switch step {
                case .perform(let forms): try life.perform(forms)
                case .reload: try life.reload()
                case .restore: try life.restore()
                }
            if let fault { return fault }
        }
        return nil
    }

    // MARK: Steps

    private mutating func perform(_ forms: [String]) throws -> String? {
        let operations = try forms.map { try Directors.Operation.decode(node($0)) }
        let before = director.traces
        let foreseen = Result { try director.dryRun(operations) }
        guard director.traces == before else { return "a dry run has changed the director" }
        do {
            try subject.perform(&director, operations)
        } catch {
            guard director.traces == before else { return "a failed batch has left a trace" }
            if case .success = foreseen { return "a dry run takes what is refused: \(error)" }
            return nil
        }
        guard director.published == before.published else { return "operations have published something" }
        var copy = director
        switch (foreseen, Result { try copy.reload() }) {
        case (.success(let one), .success(let other)):
            return one?.changeset == other?.changeset ? nil : "the dry run foresaw another change"
        case (.failure, .failure): return nil
        default: return "the dry run fails where the reload does not, or the other way round"
        }
    }

    private mutating func reload() throws -> String? {
        let naive = NaiveRows(director)
        let before = director.traces
        let change: PublishedChange?
        do {
            change = try subject.reload(&director)
        } catch let error as DirectorError {
            guard director.traces == before else { return "a failed reload has left a trace" }
            let isKnown = naive.failures.contains { error.pointer.hasPrefix($0) }
            return isKnown ? nil : "the reload fails at \(error.pointer), not at \(naive.failures): \(error)"
        }
        guard naive.failures.isEmpty else { return "the reload does not fail at \(naive.failures)" }
        let forms = director.published.list.sections.map { form($0) }
        guard forms == naive.sections.map(\.text) else { return "shown is \(forms), not \(naive.sections.map(\.text))" }
        return try indexPathFault(naive) ?? changeFault(change, before.published) ?? restoredFault()
    }

    private mutating func restore() throws -> String? {
        director = try restored()
        return nil
    }

    // MARK: Claims

    private func form(_ section: Section) -> String {
        text { section.encode(to: &$0, includingElements: true) }
    }

    private func indexPathFault(_ naive: NaiveRows) -> String? {
        for section in ["s", "t", "u"] {
            for row in ["p", "q", "r"] {
                let (found, right) = (
                    subject.indexPaths(director.published.list, section, row), naive.indexPaths(section, row)
                )
                if found != right { return "row \(row) of \(section) is at \(found), not at \(right)" }
            }
        }
        return nil
    }

    private func changeFault(_ change: PublishedChange?, _ before: PublishedState) throws -> String? {
        let after = director.published
        guard let change else { return after == before ? nil : "a state was published without a change" }
        guard (change.from, change.version) == (before.version, before.version + 1), after.version == change.version,
            change.counts == after.list.counts
        else { return "the versions or the counts are wrong" }
        let read = try PublishedChange.decode(node(text { change.encode(to: &$0) }), for: director)
        guard read.changeset == change.changeset else { return "the change is not read as it was written" }
        let shown = before.list.array
        for changeset in [change.changeset, read.changeset] {
            guard let replayed = try? shown.applying(changeset) else { return "the changeset does not fit" }
            guard replayed.map({ form($0) }) == after.list.sections.map({ form($0) }) else {
                return "the changeset leads elsewhere"
            }
            let replay = try before.list.applying(changeset)
            guard replay.sections.map({ form($0) }) == after.list.sections.map({ form($0) }) else {
                return "the changeset leads elsewhere in the tree"
            }
        }
        var forms = ShownForms(director)
        return forms.violation(of: change.changeset, shown, after.list.array)
            ?? after.list.content.brokenInvariants().first
            ?? after.list.content.lazy.flatMap { $0.list.brokenInvariants() }.first
    }

    /// What a restart would find is what is shown.
    private func restoredFault() throws -> String? {
        var copy = try restored()
        guard copy.published.list.sections.map({ form($0) }) == director.published.list.sections.map({ form($0) })
        else {
            return "what was stored is read otherwise"
        }
        guard let change = try copy.reload() else { return nil }
        return "a restored director finds something to publish: \(change.changeset)"
    }

    /// The director as a restart puts it together of texts.
    private func restored() throws -> Director {
        var adapters: [ObjectIdentifier: CellAdapter] = [:]
        let published = try director.published.list.sections.map { section in
            let elements = try section.list.map { element in
                let key = ObjectIdentifier(element.adapter)
                if adapters[key] == nil {
                    adapters[key] = try CellAdapter.decodeStored(node(text { element.adapter.encodeStored(to: &$0) }))
                }
                let adapter = adapters[key] ?? element.adapter
                return Element(restoring: element.value, identifier: element.identifier, adapter: adapter)
            }
            return Section(identifier: section.identifier, attributes: section.attributes, elements: elements)
        }
        let working = try director.working.list.sections.map { section in
            guard let rows = section.rows else { return section }
            let restored = try rows.map { row in
                try Row(restoring: RowDraft.decode(node(text { row.encode(to: &$0) })), elements: row.elements)
            }
            return Section(
                restoring: section.identifier, attributes: section.attributes, list: section.list, rows: restored)
        }
        return Director(
            restoring: director.name, epoch: director.epoch, properties: director.properties,
            adapters: director.adapters, hooks: director.hooks,
            working: WorkingState(
                restoring: ListState(sections: working), revision: director.revision,
                variables: director.working.variables),
            published: PublishedState(restoring: ListState(sections: published), version: director.version),
            limits: director.limits)
    }
}
