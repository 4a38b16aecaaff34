import CallboardClient

/// The records that a load may leave out, and the elements that it may remove.
struct LoadBounds: Sendable {
    /// Whether records that are refused are left out; otherwise one leaves everything as it was.
    var isPartial = false
    /// Whether a file without records may empty a list.
    var allowsEmpty = false
    /// How many of the elements that are there may be missing: a number, or a share such as `20%`; nil for any.
    var maxRemoved: String?
}

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
    /// Whether what the director holds stays, and the records come after it.
    var appends = false
    var bounds = LoadBounds()
    /// The row that the records go into; nil where they make sections.
    var row: LoadRow?
    var reloads = true
    /// The clock that waits before another try.
    var clock: any Clock<Duration> = ContinuousClock()
    /// Told how many records are in, of how many.
    var progress: @Sendable (Int, Int) -> Void = { _, _ in }

    /// Creates what is missing, puts the records in place in one operation, and publishes. What fails changes nothing.
    func load(_ content: LoadContent) async throws -> LoadSummary {
        var summary = LoadSummary(
            director: director.name, sections: content.sections.count, row: row, rejected: content.rejected)
        guard bounds.isPartial || content.rejected.isEmpty else { throw RefusedLoad(summary: summary) }
        guard bounds.allowsEmpty || content.recordCount > 0 else { throw ProgramError.noRecords(content.rejected) }
        let preparation = LoadPreparation(loader: self)
        let made = try await preparation.prepare(for: content)
        do {
            let content = appends || row != nil ? content : try await preparation.inOrder(content)
            try await send(content, into: &summary)
        } catch {
            // On a task of its own: what was interrupted is taken back all the same.
            await Task { await preparation.takeBack(made) }.value
            throw error
        }
        return summary
    }

    private func send(_ content: LoadContent, into summary: inout LoadSummary) async throws {
        let total = content.recordCount
        progress(0, total)
        let lines = ContentLines(content, model: model, isRow: row != nil)
        var upload = ContentUpload(data: lines.data)
        upload.isPartial = bounds.isPartial
        upload.allowsEmpty = bounds.allowsEmpty
        upload.maxRemoved = bounds.maxRemoved
        upload.appends = appends
        upload.row = row.map { (.identifier($0.section), .identifier($0.row)) }
        let result: ContentResult
        do {
            result = try await ContentSender(director: director, clock: clock)
                .send(upload, WriteOptions(reload: reloads))
        } catch ClientError.problem(let problem) {
            if let rejected = lines.rejected(by: problem) {
                summary.rejected += rejected
                throw RefusedLoad(summary: summary)
            }
            throw ProgramError(refusedLoad: problem) ?? ClientError.problem(problem)
        }
        summary.rejected += result.errors.compactMap { error in
            lines.record(ofLine: error.line).map {
                RejectedRecord(place: $0, reason: ContentLines.reason(error.reason))
            }
        }
        summary.unnamed = max(0, result.refused - result.errors.count)
        summary.loaded = total - result.refused
        summary.duplicates = result.duplicates
        summary.duplicated = result.duplicated.compactMap { each in
            lines.record(ofLine: each.line).map { RejectedRecord(place: $0, reason: each.identifier) }
        }
        summary.changeset = result.published.map { published in
            PublishedCounts(
                version: published.version,
                changes: ChangeCounts(replaced: published.changes["replaced"] ?? 0) {
                    published.changes[$0.rawValue] ?? 0
                })
        }
        progress(total, total)
    }
}

/// A load that was given up because records are refused; nothing has changed.
struct RefusedLoad: Error {
    let summary: LoadSummary
}

extension ProgramError {
    /// A file has no records that can be loaded.
    fileprivate static func noRecords(_ rejected: [RejectedRecord]) -> ProgramError {
        ProgramError(
            rejected.isEmpty
                ? "there are no records, and nothing has changed" : "no record can be loaded, and nothing has changed",
            advice: "with --allow-empty the list becomes empty", status: .dataError)
    }

    /// Puts a server's refusal of a whole list in the words of the command; nil for any other.
    fileprivate init?(refusedLoad problem: Problem) {
        let detail = TextWidth.printable(problem.detail ?? problem.title)
        if problem.type.hasSuffix(":too-many-removed") {
            self.init(detail, advice: "--max-removed says how many may go", status: .dataError)
        } else if problem.type.hasSuffix(":empty-list") {
            self.init(detail, advice: "with --allow-empty the list becomes empty", status: .dataError)
        } else if problem.status == 413 {
            self.init(
                "the list is too long for one step: \(detail)",
                advice: "the server's setting server.maxContent says how long it may be; nothing has changed",
                status: .dataError)
        } else {
            return nil
        }
    }
}

/// Looks whether an identifier template can work at all, before every record is refused for the same reason.
enum IdentifierCheck {
    /// How many records are looked at.
    private static let looks = 100

    /// Checks the template against the first records: one that has all of its members is enough.
    static func check(_ template: String, against content: LoadContent) throws {
        let names = names(in: template)
        guard !names.isEmpty else { return }
        var fault: ProgramError?
        for record in content.sections.lazy.flatMap(\.records).prefix(looks) {
            guard let object = record.value.objectValue else { return }
            guard let name = names.first(where: { object[$0] == nil }) else { return }
            let members = object.members.prefix(8).map { "{\(TextWidth.printable($0.name))}" }.joined(separator: " ")
            fault =
                fault
                ?? ProgramError(
                    "\(record.place) has no member \"\(name)\", which the identifier \"\(template)\" asks for",
                    advice: "say what tells records apart with --identifier; this one has \(members)",
                    status: .dataError)
        }
        if let fault { throw fault }
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
