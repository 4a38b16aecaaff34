import CallboardClient
import Notation

/// Makes what a load needs, and takes it back where the load fails.
struct LoadPreparation: Sendable {
    let loader: Loader

    private var director: RemoteDirector { loader.director }

    /// The objects that were made for a load.
    struct Made: Sendable {
        /// The director's revision with what was made in it; nil where nothing was.
        var revision: Revision?
        var director = false
        var adapter = false
    }

    /// Creates the director and the adapter where they are missing.
    func prepare(for content: LoadContent) async throws -> Made {
        var made = Made()
        do {
            if loader.row == nil { try await prepareDirector(&made) }
            try await prepareAdapter(for: content, &made)
        } catch {
            await Task { [made] in await takeBack(made) }.value
            throw error
        }
        return made
    }

    /// Takes back what was made, unless somebody has changed the director since.
    func takeBack(_ made: Made) async {
        guard let revision = made.revision else { return }
        let options = WriteOptions(ifMatch: revision)
        if made.director {
            _ = try? await director.delete(options)
        } else if made.adapter {
            _ = try? await director.removeAdapter(model: loader.model, options)
        }
    }

    private func prepareDirector(_ made: inout Made) async throws {
        do {
            let description = try await director.describe().value
            guard let kind = loader.kind, kind != description.kind else { return }
            throw ProgramError(
                "the director \"\(director.name)\" is a \(description.kind.rawValue), not a \(kind.rawValue)",
                advice: "leave --kind out, or load into another director with --director", status: .usage)
        } catch let error as ClientError where error.status == 404 {
            made.revision = try await director.define(kind: loader.kind ?? .table).revision
            made.director = true
        }
    }

    private func prepareAdapter(for content: LoadContent, _ made: inout Made) async throws {
        var isThere = made.director ? false : nil as Bool?
        if loader.identifier == nil, isThere == nil {
            do {
                _ = try await director.adapter(model: loader.model)
                return
            } catch let error as ClientError where error.status == 404 {
                isThere = false
            }
        }
        let template = loader.identifier ?? loader.defaultIdentifier
        try IdentifierCheck.check(template, against: content)
        let draft = CellAdapterDraft(model: loader.model, cell: loader.cell, identifier: template)
        let revision = try await director.register(draft)
        made.adapter = isThere == false
        if made.director || made.adapter { made.revision = revision ?? made.revision }
    }

    /// The list with its sections in an order that does not hang on single records.
    ///
    /// If the records of each section stand together, the file's order is that of the sections. In a file with mixed
    /// sections the order of their first records has no meaning: existing sections keep their order, and a new section
    /// comes behind the section that it follows in the file.
    func inOrder(_ content: LoadContent) async throws -> LoadContent {
        guard content.isMixed else { return content }
        var present: [String] = []
        var offset: Int? = 0
        while let start = offset {
            let page = try await director.sections(offset: start, limit: 10_000, elements: false).value
            present += page.items.map(\.id)
            offset = page.nextOffset
        }
        return content.keepingOrder(of: present)
    }
}

extension LoadContent {
    /// The list with the sections that are in another one in that one's order.
    func keepingOrder(of present: [String]) -> LoadContent {
        var ranks: [Name: Int] = [:]
        for (position, id) in present.enumerated() where ranks[id] == nil { ranks[id] = position }
        var known = sections.filter { ranks[$0.id] != nil }.sorted { (ranks[$0.id] ?? 0) < (ranks[$1.id] ?? 0) }
        var followers: [Name: [Section]] = [:]
        var (first, last): ([Section], String?) = ([], nil)
        for section in sections {
            if ranks[section.id] != nil {
                last = section.id
            } else if let last {
                followers[last, default: []].append(section)
            } else {
                first.append(section)
            }
        }
        known = first + known.flatMap { [$0] + (followers[$0.id] ?? []) }
        return with(known)
    }
}
