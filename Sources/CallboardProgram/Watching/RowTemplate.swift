import CallboardClient

/// The text of a list's rows, as in `{firstName} {lastName}`: the syntax of an adapter's identifier.
///
/// In braces stands the name of a member, or a JSON pointer where it begins with `/`. A member that is missing shows
/// nothing. A value without members shows itself.
struct RowTemplate: Sendable, Equatable {
    private enum Part: Sendable, Equatable {
        case literal(String)
        case member(MemberPath)
    }

    private let parts: [Part]

    /// Reads the template of a row, which has a member at least.
    init(_ text: String) throws(ProgramError) {
        self = try Self.part(text)
        let hasMembers = parts.contains { if case .member = $0 { true } else { false } }
        guard hasMembers else { throw Self.wrong("no member stands in braces, so all rows would be the same") }
    }

    private init(_ parts: [Part]) { self.parts = parts }

    /// Reads the template of a part of a row, such as one of an adapter's preview: it may be without a member.
    static func part(_ text: String) throws(ProgramError) -> RowTemplate {
        var parts: [Part] = []
        // Scalar by scalar: a brace stays one whatever accent follows it.
        var rest = text.unicodeScalars[...]
        while !rest.isEmpty {
            let literal = rest.prefix { $0 != "{" && $0 != "}" }
            rest = rest[literal.endIndex...]
            if !literal.isEmpty { parts.append(.literal(String(literal))) }
            guard let brace = rest.first else { break }
            guard brace == "{", let end = rest.firstIndex(of: "}") else {
                throw wrong("a brace is without its counterpart")
            }
            let name = String(rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[rest.index(after: end)...]
            guard !name.unicodeScalars.contains("{"), let member = MemberPath(name) else {
                throw wrong("\(name.debugDescription) is no member's name and no JSON pointer")
            }
            parts.append(.member(member))
        }
        return RowTemplate(parts)
    }

    private static func wrong(_ detail: String) -> ProgramError {
        ProgramError(detail, advice: "it takes something like '{firstName} {lastName}'", status: .usage)
    }

    /// The text of a value.
    func text(of value: JSON) -> String {
        if let text = value.plainText { return text }
        return parts.map { part in
            switch part {
            case .literal(let literal): literal
            case .member(let member): member.text(in: value) ?? ""
            }
        }.joined()
    }

    /// The text of a value that has all the members, each of them a text, a number or a truth value; nil of any other.
    func wholeText(of value: JSON) -> String? {
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal
            case .member(let member):
                guard let found = member.value(in: value)?.plainText else { return nil }
                text += found
            }
        }
        return text.isEmpty ? nil : text
    }
}

/// The columns of a table of elements, as in `name,/address/city`: members of their values.
struct RowColumns: Sendable, Equatable {
    /// The members, at least one.
    let members: [MemberPath]

    /// The columns that a cell takes at most; a longer text is cut.
    static let widest = 40

    /// Reads names and pointers with commas between them.
    init(_ text: String) throws(ProgramError) {
        var members: [MemberPath] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = String(name.drop { $0 == " " })
            guard let member = MemberPath(name) else {
                throw ProgramError(
                    "\(name.debugDescription) is no member's name and no JSON pointer",
                    advice: "it takes something like name,/address/city", status: .usage)
            }
            members.append(member)
        }
        self.members = members
    }

    /// The cells of a value; `-` where it does not have the member.
    func cells(of value: JSON) -> [String] {
        if let text = value.plainText { return [Self.cell(text)] + members.dropFirst().map { _ in "-" } }
        return members.map { $0.text(in: value).map(Self.cell) ?? "-" }
    }

    /// The names of the columns.
    var heading: [String] { members.map { Self.cell($0.text) } }

    private static func cell(_ text: String) -> String { TextWidth.fit(text, widest) }

    /// The widths that hold the heading and the cells of all values.
    func widths(of values: some Sequence<JSON>) -> [Int] {
        values.reduce(into: heading.map(TextWidth.columns)) { widths, value in
            for (column, cell) in cells(of: value).enumerated() {
                widths[column] = max(widths[column], TextWidth.columns(of: cell))
            }
        }
    }

    /// Cells on one line, each filled up to its column's width but for the last one.
    static func line(_ cells: [String], _ widths: [Int]) -> String {
        cells.enumerated().map { column, cell in
            let room = column < cells.count - 1 && column < widths.count ? widths[column] : 0
            return cell + String(repeating: " ", count: max(0, room - TextWidth.columns(of: cell)))
        }.joined(separator: "  ")
    }
}

/// The displayed text of a row's element.
enum RowForm: Sendable, Equatable {
    /// Its identifier and what looks like its title.
    case summary
    /// Members of its value in a text.
    case template(RowTemplate)
    /// Members of its value in columns.
    case columns(RowColumns)

    /// The row on one line; `widths` are those of the columns, where they stand below each other.
    func text(_ element: RemoteElement, _ previews: RowPreviews, widths: [Int] = []) -> String {
        switch self {
        case .summary: ElementText.summary(element, previews)
        case .template(let template): TextWidth.printable(template.text(of: element.value))
        case .columns(let columns): RowColumns.line(columns.cells(of: element.value), widths)
        }
    }

    /// The widths of the columns that show these elements; none where there are no columns.
    func widths(of elements: some Sequence<RemoteElement>) -> [Int] {
        guard case .columns(let columns) = self else { return [] }
        return columns.widths(of: elements.lazy.map(\.value))
    }

    /// The names above the columns; nil where there are none.
    func heading(_ widths: [Int]) -> String? {
        guard case .columns(let columns) = self else { return nil }
        return RowColumns.line(columns.heading, widths)
    }
}
