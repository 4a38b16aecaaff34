import Foundation

/// A list that takes the place of a director's content in one operation.
public struct ContentUpload: Sendable {
    /// Newline-delimited JSON: a line with a `value` is an element, any other begins a section, whose elements follow.
    public var lines: [UInt8] {
        get { Array(data) }
        set { data = Data(newValue) }
    }
    /// Whether lines that are refused are left out; otherwise one leaves everything as it was.
    public var isPartial = false
    /// How many of the elements that are there may be missing in the list: a number, or a share such as `20%`; nil for any.
    public var maxRemoved: String?
    /// Whether a list without elements may take the place of one with some.
    public var allowsEmpty = false
    /// Whether what is there stays, and the list comes behind it.
    public var appends = false
    /// The model row whose elements the list is about; nil for the sections.
    public var row: (section: ListAddress, row: ListAddress)?
    /// The key that makes a repetition harmless: the same key and list get the first answer again.
    public var key = UUID().uuidString

    /// The lines as they are sent.
    private(set) var data: Data

    /// Makes an upload of lines.
    public init(lines: [UInt8]) { self.init(data: Data(lines)) }

    /// Makes an upload of lines, which are not copied.
    package init(data: Data) { self.data = data }
}

/// The result of a list that replaced a director's content.
public struct ContentResult: Sendable {
    /// How many sections the director has.
    public let sections: Int
    /// How many elements the director has.
    public let elements: Int
    /// How many lines were left out.
    public let refused: Int
    /// The first lines that were left out, from 1, each with the reason.
    public let errors: [(line: Int, reason: String)]
    /// How many lines have a model and identifier that their section had already.
    public let duplicates: Int
    /// The first of these lines, from 1, with their identifiers.
    public let duplicated: [(line: Int, identifier: String)]
    /// The published version, and the number of changes by the names of the operations; nil if nothing was to be
    /// published.
    public let published: (version: Int, changes: [String: Int])?
}

extension RemoteDirector {
    /// Replaces the director's content by a list, in one operation; whatever fails leaves it as it was.
    ///
    /// - Parameters:
    ///   - upload: the list, and what may not be lost with it. Sending the same upload again does nothing twice.
    ///   - options: whether to publish, the revision that must be current, and the mutation's name.
    @discardableResult
    public func setContent(
        _ upload: ContentUpload, _ options: WriteOptions = WriteOptions()
    ) async throws -> Answer<ContentResult> {
        var query: [(String, String)] = []
        if upload.isPartial { query.append(("partial", "true")) }
        if let bound = upload.maxRemoved { query.append(("maxRemoved", bound)) }
        if upload.allowsEmpty { query.append(("allowEmpty", "true")) }
        if upload.appends { query.append(("append", "true")) }
        if let (section, row) = upload.row { query += [("section", section.text), ("row", row.text)] }
        var call = Call(
            "PUT", path("content"), query: query, contentType: "application/x-ndjson", options: options)
        call.body = upload.data
        call.fields = [("Idempotency-Key", upload.key)]
        // A long list takes its time to arrive and to be read.
        call.timeout = 600
        return try await client.send(call) { (answer) throws(RepresentationError) in try ContentResult(answer) }
    }
}

extension ContentResult {
    init(_ answer: JSONReader) throws(RepresentationError) {
        let counts = try answer.member("counts")
        sections = try counts.member("sections").position()
        elements = try counts.member("elements").position()
        refused = try answer.member("refused").position()
        var errors: [(Int, String)] = []
        if let list = answer.optional("errors") {
            for each in try list.elements() {
                errors.append((try each.member("line").position(), try each.member("detail").string()))
            }
        }
        self.errors = errors
        duplicates = try answer.optional("duplicates")?.position() ?? 0
        var duplicated: [(Int, String)] = []
        if let list = answer.optional("duplicated") {
            for each in try list.elements() {
                duplicated.append((try each.member("line").position(), try each.member("id").string()))
            }
        }
        self.duplicated = duplicated
        published = try answer.optional("published").map { (published) throws(RepresentationError) in
            let members = try published.member("changes")
            var changes: [String: Int] = [:]
            for member in try members.object().members {
                changes[member.name] = try members.member(member.name).position()
            }
            return (try published.member("version").position(), changes)
        }
    }
}
