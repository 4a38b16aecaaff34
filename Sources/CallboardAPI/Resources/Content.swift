import DirectorLife
import Directors
import HTTPTypes
import Hosting
import JSONValues
import ListDiff
import Reactor

/// The query of `PUT …/content`.
struct ContentTerms: Sendable {
    /// The part of the director that the list replaces.
    let target: ContentTarget
    /// Whether lines that are refused are left out.
    let isPartial: Bool
    /// Whether a list without elements may take the place of one with some.
    let allowsEmpty: Bool
    /// How many of the elements that are there may be missing in the list; nil for any number.
    let maxRemoved: RemovalBound?

    /// Reads the query.
    init(_ query: Query) throws(Problem) {
        isPartial = query.flag("partial")
        allowsEmpty = query.flag("allowEmpty")
        maxRemoved = try query["maxRemoved"].map { (text) throws(Problem) in try RemovalBound(text) }
        let (section, row) = (query.address("section"), query.address("row"))
        switch (query.flag("append"), section, row) {
        case (false, nil, nil): target = .everything
        case (true, nil, nil): target = .end
        case (false, let section?, let row?): target = .row(section: section, row: row)
        case (true, let section?, let row?): target = .endOfRow(section: section, row: row)
        default: throw .badRequest("`section` and `row` go together.")
        }
    }
}

/// How many elements a list may leave out: a number, or a share of those that are there.
enum RemovalBound: Sendable {
    case count(Int)
    case percent(Int)

    init(_ text: String) throws(Problem) {
        let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(digits), digits.count == text.count || number <= 100
        else {
            throw .badRequest(
                "The query parameter `maxRemoved` is \(text.quoted); it must be a number, or a share such as 20%.")
        }
        self = digits.count == text.count ? .count(number) : .percent(number)
    }

    /// Whether so many of so many may go.
    func allows(_ removed: Int, of count: Int) -> Bool {
        switch self {
        case .count(let limit): removed <= limit
        case .percent(let limit): removed * 100 <= count * limit
        }
    }

    var text: String {
        switch self {
        case .count(let number): "\(number)"
        case .percent(let number): "\(number)%"
        }
    }
}

/// A list that was read beside the loops, and the director with it.
private struct PreparedContent: Sendable {
    let content: ReplacementContent
    /// A copy of the director as it was, with the list.
    let director: Director
    let operations: [Directors.Operation]
    /// The revision that the copy was made at.
    let revision: Int
    let refused: [RefusedLine]
    let refusedCount: Int
    let duplicates: [(line: Int, identifier: String)]
    let duplicateCount: Int
    /// How many elements are gone; nil where nobody has asked.
    let removed: Int?

    /// Reads and checks a body.
    init(_ call: Call, _ terms: ContentTerms, for director: Director) throws(Problem) {
        var reader: ContentReader
        do {
            reader = try ContentReader(terms.target, of: director)
        } catch {
            throw Problem(error, body: nil)
        }
        if call.bringsLines {
            reader.read(lines: call.exchange.body, isPartial: terms.isPartial)
            guard terms.isPartial || reader.refusedCount == 0 else { throw Self.refusal(reader.refused) }
        } else {
            guard !terms.isPartial else {
                throw .badRequest("`partial` leaves out lines; send application/x-ndjson for it.")
            }
            let body = try Coding.sections(try call.document(), within: director.limits)
            do {
                try reader.read(body.drafts)
            } catch {
                throw Problem(error, body: body.part)
            }
        }
        content = reader.finish()
        (refused, refusedCount) = (reader.refused, reader.refusedCount)
        (duplicates, duplicateCount) = (reader.duplicates, reader.duplicateCount)
        var director = director
        revision = director.revision
        do {
            guard try terms.allowsEmpty || !content.empties(director) else { throw Problem.empty(reader.refusedCount) }
            let removals = terms.maxRemoved == nil ? nil : try content.removals(from: director)
            removed = removals?.removed
            if let bound = terms.maxRemoved, let (count, of) = removals, !bound.allows(count, of: of) {
                throw Problem.tooManyRemoved(count, of: of, bound)
            }
            operations = try director.replaceContent(with: content)
        } catch let error as DirectorError {
            throw Problem(error, body: nil)
        } catch {
            throw error as? Problem ?? .unprocessable("\(error)")
        }
        self.director = director
    }

    private static func refusal(_ refused: [RefusedLine]) -> Problem {
        let faults = refused.prefix(Fault.limit).map {
            Problem.Fault(pointer: $0.fault.pointer, detail: $0.fault.detail)
        }
        let first = refused.first?.fault.detail ?? ""
        return .unprocessable(
            "A line is refused, and nothing has changed: \(first). `partial=true` leaves out what is refused.",
            faults: faults)
    }
}

extension Problem {
    /// 409: the list has no elements.
    fileprivate static func empty(_ refused: Int) -> Problem {
        Problem(
            .emptyList,
            (refused == 0 ? "" : "All \(refused) lines of the list are refused. ")
                + "The director has elements, and nothing has changed; `allowEmpty=true` removes its elements."
        ).tellingContent
    }

    /// 409: more elements would go than the request allows.
    fileprivate static func tooManyRemoved(_ removed: Int, of count: Int, _ bound: RemovalBound) -> Problem {
        Problem(
            .tooManyRemoved,
            "\(removed) of \(count) elements are not in the list, and `maxRemoved` is \(bound.text); nothing has changed."
        ).tellingContent
    }
}

extension Call {
    /// Whether the body is newline-delimited JSON; an empty one without a type is too.
    fileprivate var bringsLines: Bool {
        let type = (self[.contentType] ?? "").prefix { $0 != ";" }.lowercased()
        return !type.hasPrefix("application/json")
    }
}

extension Application {
    /// How often a list is read anew where the director's adapters change meanwhile.
    private static let contentTries = 3

    /// Replaces a director's content by a list that comes in whole.
    ///
    /// It is read on a thread beside the loops, and published there too if it is long. The present content stays until
    /// then, and other requests may change it while the list is read.
    func replaceContent(
        _ call: Call, _ host: isolated DirectorHost, _ key: CommandKey?, tries: Int = contentTries
    ) throws(Problem) {
        let terms = try ContentTerms(call.query)
        let mutation = Mutation(draft: host.draft())
        try mutation.checkPreconditions(call)
        let director = mutation.director
        let isTaken = contentThreads.run { [self, weak host] in
            let result: Result<PreparedContent, Problem>
            do throws(Problem) {
                result = .success(try PreparedContent(call, terms, for: director))
            } catch {
                result = .failure(error)
            }
            guard let host else { return call.answer(.notFound("The director has been deleted.")) }
            host.send { self.putInPlace(result, call, $0, key, tries: tries) }
        }
        guard isTaken else {
            throw .unavailable(.tooManyLists, "Ask again in a while.")
        }
    }

    private func putInPlace(
        _ result: Result<PreparedContent, Problem>, _ call: Call, _ host: isolated DirectorHost, _ key: CommandKey?,
        tries: Int
    ) {
        guard !host.mustWaitForTurn() else {
            return host.waitForTurn { self.putInPlace(result, call, $0, key, tries: tries) }
        }
        if carriesAgain(call, from: host, key: key) { return }
        do throws(Problem) {
            try admit(isRead: false, host)
            let prepared = try result.get()
            guard tries == 1 || prepared.content.fits(host.draft().director) else {
                return try replaceContent(call, host, key, tries: tries - 1)
            }
            carryOutWhereItFits(call, on: host, key: key, cause: try call.cause) { call, mutation throws(Problem) in
                try mutation.replaceContent(call, prepared)
            }
        } catch {
            finish(call, error, on: host, key: key)
        }
    }
}

extension Mutation {
    fileprivate mutating func replaceContent(_ call: Call, _ prepared: PreparedContent) throws(Problem) -> Reply {
        try checkPreconditions(call)
        guard prepared.content.fits(director) else {
            throw .conflict("The director's adapters have changed while the list was read; send it again.")
        }
        // A whole list takes the place of whatever came meanwhile; what is added to a list has to be added to this one.
        let isCurrent = prepared.content.target == .everything || prepared.revision == director.revision
        do {
            try draft.replaceContent(
                with: prepared.content, prepared: isCurrent ? (prepared.director, prepared.operations) : nil)
        } catch {
            throw Problem(error, body: nil)
        }
        let published = call.query.flag("reload") ? try publish(nil, .counted) : nil
        return try answer(call) { mutation in
            Reply(
                body: ContentResult(
                    director: mutation.director.name, epoch: mutation.director.epoch,
                    revision: mutation.director.revision, counts: mutation.director.working.list.counts,
                    prepared: prepared, published: published.map { JSONValue(trusting: $0.body) }
                ).encoded)
        }
    }
}

/// The result of putting a list.
struct ContentResult: AnswerObject {
    fileprivate let director: String
    fileprivate let epoch: String
    fileprivate let revision: Int
    fileprivate let counts: ListCounts
    fileprivate let prepared: PreparedContent
    fileprivate let published: JSONValue?

    static let form = AnswerForm<Self>(
        AnswerField("director") { $0.director },
        AnswerField("epoch") { $0.epoch },
        AnswerField("revision") { $0.revision },
        AnswerField("counts") { $0.counts },
        .ifAny(
            "removed", "Elements that are gone, with `maxRemoved`.", as: .integer(minimum: 0)
        ) { $0.prepared.removed },
        AnswerField("refused", "Lines that were left out.", as: .integer(minimum: 0)) { $0.prepared.refusedCount },
        .ifAny(
            "errors", as: .array(RefusedLine.schema, minItems: 1, maxItems: 1000)
        ) { $0.prepared.refused.isEmpty ? nil : $0.prepared.refused },
        .ifAny(
            "duplicates", "Lines whose model and identifier their section has already; they are in the list.",
            as: .integer(minimum: 1)
        ) { $0.prepared.duplicateCount > 0 ? $0.prepared.duplicateCount : nil },
        .ifAny(
            "duplicated", as: .array(DuplicateLine.schema, maxItems: 20)
        ) { $0.prepared.duplicateCount > 0 ? $0.prepared.duplicates.map(DuplicateLine.init) : nil },
        .ifAny("published", as: .reference("CountedChangeset")) { $0.published })
}

/// A line with an element that its section has already.
private struct DuplicateLine: AnswerObject {
    let line: Int
    let identifier: String

    static let form = AnswerForm<Self>(
        AnswerField("line", as: .integer(minimum: 1)) { $0.line }, AnswerField("id") { $0.identifier })
}

extension RefusedLine: AnswerObject {
    package static let form = AnswerForm<Self>(
        AnswerField("line", as: .integer(minimum: 1)) { $0.line },
        AnswerField("pointer") { $0.fault.pointer },
        AnswerField("detail") { $0.fault.detail })
}
