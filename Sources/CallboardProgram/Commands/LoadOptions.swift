import ArgumentParser
import CallboardClient

/// The director that a file goes into.
struct TargetOptions: ParsableArguments {
    /// The kinds of director.
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case table
        case collection
        case flow
    }

    @Option(help: ArgumentHelp("The director's name (default: the file's, without its ending).", valueName: "NAME"))
    var director: String?

    @Option(help: ArgumentHelp("The kind of a new director (default: table).", valueName: "KIND"))
    var kind: Kind?

    @Option(help: ArgumentHelp("The model of the elements (default: Item).", valueName: "NAME"))
    var model: String?

    @Option(
        help: ArgumentHelp("The cell of a new adapter (default: the model's name and \"Cell\").", valueName: "NAME"))
    var cell: String?

    @Option(
        help: ArgumentHelp(
            "The members, in braces, that identify a record (default: {id}).", valueName: "TEMPLATE"))
    var identifier: String?
}

/// How a file becomes records.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "json, ndjson, csv or emoji-test (default: by the file's ending).", valueName: "FORMAT"))
    var format: RecordFormat?

    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "The place of the records in a JSON document (default: itself, or its only array).", valueName: "POINTER"))
    var pointer: String?

    @Option(help: ArgumentHelp("The separator of values in CSV (default: a comma; a tab for .tsv).", valueName: "CHAR"))
    var delimiter: String?

    @Option(
        help: ArgumentHelp(
            "The types of CSV's columns: string, number, boolean or json, such as age:number,active:boolean (default: "
                + "string).", valueName: "TYPES"))
    var types: String?

    func validate(file: String) throws {
        if let types, ColumnTypes(parsing: types) == nil {
            throw ValidationError(
                "--types takes columns with string, number, boolean or json: age:number,active:boolean.")
        }
        if let pointer, !pointer.isEmpty, !pointer.hasPrefix("/") {
            throw ValidationError("--at takes a JSON pointer, which begins with a slash: try --at /\(pointer)")
        }
        if let delimiter, Self.byte(delimiter) == nil {
            throw ValidationError("--delimiter takes one ASCII character that is neither a quote nor a line end.")
        }
        if format == nil, RecordFormat(path: file) == nil {
            let name = file == "-" ? "Standard input" : "The ending of \(file)"
            throw ValidationError("\(name) does not tell its format; say it with --format.")
        }
    }

    func resolvedFormat(file: String) throws -> RecordFormat {
        guard let format = format ?? RecordFormat(path: file) else {
            throw ProgramError(
                "the ending of \(file) does not tell its format", advice: "say it with --format", status: .usage)
        }
        return format
    }

    func reader(file: String) throws -> RecordReader {
        let fallback = file.lowercased().hasSuffix(".tsv") ? UInt8(ascii: "\t") : UInt8(ascii: ",")
        return RecordReader(
            path: file, format: try resolvedFormat(file: file), pointer: pointer,
            delimiter: delimiter.flatMap(Self.byte) ?? fallback, types: types.flatMap(ColumnTypes.init) ?? ColumnTypes()
        )
    }

    private static func byte(_ text: String) -> UInt8? {
        let text = text == "\\t" ? "\t" : text
        guard text.utf8.count == 1, let byte = text.utf8.first, ![0x0A, 0x0D, 0x22].contains(byte) else { return nil }
        return byte
    }
}

extension RecordFormat: ExpressibleByArgument {}

/// How records are sorted into sections.
struct SectionOptions: ParsableArguments {
    @Option(
        name: .customLong("section-field"),
        help: ArgumentHelp("The field that names a record's section: a member or a JSON pointer.", valueName: "FIELD"))
    var field: String?

    @Option(
        name: .customLong("section-separator"),
        help: ArgumentHelp("Take what comes before this text in the field.", valueName: "TEXT"))
    var separator: String?

    @Option(
        name: .customLong("section-pattern"),
        help: ArgumentHelp("Take the first group of this regular expression.", valueName: "REGEX"))
    var pattern: String?

    @Option(
        help: ArgumentHelp("The section of all records that name none (default: the model's name).", valueName: "ID"))
    var section: String?

    @Option(
        help: ArgumentHelp(
            "The model row of that section whose elements the records become (needs --section).", valueName: "ROW"))
    var row: String?

    @Option(
        name: .customLong("title-field"),
        help: ArgumentHelp(
            "The field of a section's first record that is its title: a member or a JSON pointer.", valueName: "FIELD"))
    var titleField: String?

    @Option(
        name: .customLong("titles"),
        help: ArgumentHelp("A JSON file with the sections' titles.", valueName: "FILE"))
    var titlesFile: String?

    @Option(
        name: .customLong("titles-at"),
        help: ArgumentHelp(
            "The place of the records in that document (default: itself, or its only array).", valueName: "POINTER"))
    var titlesPointer: String?

    @Option(
        name: .customLong("titles-key"),
        help: ArgumentHelp("The field of a title's record that names the section.", valueName: "FIELD"))
    var titlesKey: String?

    @Option(
        name: .customLong("titles-value"),
        help: ArgumentHelp("The field of a title's record that holds the title.", valueName: "FIELD"))
    var titlesValue: String?

    func validateTogether() throws {
        if field == nil, separator != nil || pattern != nil {
            throw ValidationError("--section-separator and --section-pattern need --section-field.")
        }
        if separator != nil, pattern != nil {
            throw ValidationError("--section-separator and --section-pattern do not go together.")
        }
        if (titlesKey == nil) != (titlesValue == nil) {
            throw ValidationError("--titles-key and --titles-value go together.")
        }
        if titlesFile == nil, titlesKey != nil || titlesPointer != nil {
            throw ValidationError("--titles-key, --titles-value and --titles-at need --titles.")
        }
        if row != nil {
            guard section != nil else { throw ValidationError("--row needs --section, which says where the row is.") }
            guard field == nil, titlesFile == nil, titleField == nil else {
                throw ValidationError(
                    "--row takes all records, so --section-field, --title-field and --titles do not go with it.")
            }
        }
    }

    /// The row that the records go into; nil where none was named.
    func row(of director: RemoteDirector, model: String?, server: String) async throws -> LoadRow? {
        guard let row, let section else { return nil }
        return try await LoadRow.find(row, in: section, of: director, model: model, server: server)
    }

    func rule() throws -> SectionRule? {
        try field.map { try SectionRule(field: $0, separator: separator, pattern: pattern) }
    }

    func titles() throws -> SectionTitles? {
        try titlesFile.map { path in
            try SectionTitles(
                path: path, content: Program.read(path), pointer: titlesPointer, key: titlesKey, title: titlesValue)
        }
    }
}

/// The records that a load may leave out, and the elements that it may remove.
struct BoundOptions: ParsableArguments {
    @Flag(help: "Leave out refused records; otherwise a single refused record keeps everything as it was.")
    var partial = false

    @Flag(help: "Let a file without records empty the list.")
    var allowEmpty = false

    @Option(
        help: ArgumentHelp(
            "Change nothing if the load would remove more of the existing elements than this: a number, or a share "
                + "such as 20%.", valueName: "N"))
    var maxRemoved: String?

    func validateBounds() throws {
        guard let maxRemoved else { return }
        let digits = maxRemoved.hasSuffix("%") ? maxRemoved.dropLast() : maxRemoved[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
            digits.count == maxRemoved.count || number <= 100
        else { throw ValidationError("--max-removed takes a number, or a share such as 20%.") }
    }

    var bounds: LoadBounds {
        LoadBounds(isPartial: partial, allowsEmpty: allowEmpty, maxRemoved: maxRemoved)
    }
}
