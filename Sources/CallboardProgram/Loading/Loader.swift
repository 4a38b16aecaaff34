import CallboardClient

/// Loads a list into a director.
struct Loader: Sendable {
    let director: RemoteDirector
    /// The kind to create the director with; nil is a table, and takes an existing director as it is.
    var kind: DirectorDescription.Kind?
    let model: String
    let cell: String
    /// The identifier template to register; nil leaves an existing adapter as it is.
    var identifier: String?
    /// The identifier template of a new adapter where `identifier` is nil.
    var defaultIdentifier = "{id}"
    var plan = LoadPlan()
    /// The row that the records go into; nil where they make sections.
    var row: LoadRow?
    var reloads = true
    /// Told how many records are in, of how many.
    var progress: @Sendable (Int, Int) -> Void = { _, _ in }

    /// Creates what is missing, sends the records, and publishes.
    func load(_ content: LoadContent) async throws -> LoadSummary {
        if row == nil { try await prepareDirector() }
        try await prepareAdapter(for: content)
        var summary = LoadSummary(
            director: director.name, sections: content.sections.count, row: row, rejected: content.rejected)
        let total = content.recordCount
        progress(0, total)
        let sender = BatchSender(
            director: director, model: model, progress: { [progress] in progress($0, total) }, appends: plan.appends)
        let rejected = try await sender.send(plan.batches(for: content, existing: try await existingSections()))
        summary.loaded = total - rejected.count
        summary.rejected += rejected
        if reloads {
            let (version, changes) = try await director.reloadCounting()
            summary.changeset = PublishedCounts(
                version: version,
                changes: ChangeCounts(replaced: changes["replaced"] ?? 0) { changes[$0.rawValue] ?? 0 })
        }
        return summary
    }

    private func prepareDirector() async throws {
        do {
            let description = try await director.describe().value
            guard let kind, kind != description.kind else { return }
            throw ProgramError(
                "the director \"\(director.name)\" is a \(description.kind.rawValue), not a \(kind.rawValue)",
                advice: "leave --kind out, or load into another director with --director")
        } catch let error as ClientError where error.status == 404 {
            try await director.define(kind: kind ?? .table)
        }
    }

    private func prepareAdapter(for content: LoadContent) async throws {
        if identifier == nil {
            do {
                _ = try await director.adapter(model: model)
                return
            } catch let error as ClientError where error.status == 404 {
                // It is made below.
            }
        }
        let template = identifier ?? defaultIdentifier
        try IdentifierCheck.check(template, against: content)
        try await director.register(CellAdapterDraft(model: model, cell: cell, identifier: template))
    }

    private func existingSections() async throws -> Set<String> {
        guard plan.appends, row == nil else { return [] }
        var sections: Set<String> = []
        var offset: Int? = 0
        while let start = offset {
            let page = try await director.sections(offset: start, limit: 10_000, elements: false).value
            sections.formUnion(page.items.map(\.id))
            offset = page.nextOffset
        }
        return sections
    }
}

/// Looks whether an identifier template can work at all, before every record is refused for the same reason.
enum IdentifierCheck {
    /// Checks the template against the first record.
    static func check(_ template: String, against content: LoadContent) throws {
        guard let first = content.sections.first?.records.first, let object = first.value.objectValue else { return }
        for name in names(in: template) where object[name] == nil {
            let members = object.members.prefix(8).map { "{\($0.name)}" }.joined(separator: " ")
            throw ProgramError(
                "\(first.place) has no member \"\(name)\", which the identifier \"\(template)\" asks for",
                advice: "say what tells records apart with --identifier; this one has \(members)")
        }
    }

    /// The plain member names in a template's braces.
    static func names(in template: String) -> [String] {
        template.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            guard let end = part.firstIndex(of: "}") else { return nil }
            let name = String(part[..<end])
            return name.hasPrefix("/") || name.isEmpty ? nil : name
        }
    }
}
