import CallboardClient

/// How a record's section is read from one of its fields.
struct SectionRule: Sendable {
    /// The field: a member's name, or a JSON pointer where it begins with `/`.
    let field: String
    /// Takes what comes before this text; the whole value where the text is not in it.
    var separator: String?
    /// Takes the first group of this regular expression, or its whole match where it has no group.
    var pattern: String?

    /// Checks the pattern.
    init(field: String, separator: String? = nil, pattern: String? = nil) throws {
        self.field = field
        self.separator = separator
        self.pattern = pattern
        guard let pattern else { return }
        guard (try? Regex(pattern)) != nil else {
            throw ProgramError(
                "--section-pattern: \"\(pattern)\" is not a regular expression",
                advice: "it takes something like '^([A-Z]+)-'; the first group becomes the section", status: .usage)
        }
    }

    /// The section of each record that names one; the others come back with what is missing.
    func sections(of records: [LoadRecord]) -> [Result<String, SectionFault>] {
        // A regular expression is not Sendable, so one is made for each run over the records.
        let regex = pattern.flatMap { try? Regex($0) }
        let pointer = Self.pointer(to: field)
        return records.map { record in
            guard let value = record.value.value(at: pointer), let text = SectionRule.text(of: value) else {
                return .failure(SectionFault(reason: "no text or number in the field \"\(field)\" to name a section"))
            }
            if let regex {
                guard let match = text.firstMatch(of: regex) else {
                    return .failure(SectionFault(reason: "\"\(text)\" does not match the section pattern"))
                }
                let group = match.output.count > 1 ? match.output[1].substring : match.output[0].substring
                return named(group.map(String.init) ?? "")
            }
            if let separator, !separator.isEmpty, let range = text.firstRange(of: separator) {
                return named(String(text[..<range.lowerBound]))
            }
            return named(text)
        }
    }

    /// The text or number in a field of a record; nil where there is none.
    static func text(in record: LoadRecord, at field: String) -> String? {
        record.value.value(at: pointer(to: field)).flatMap(text(of:))
    }

    private static func pointer(to field: String) -> String {
        field.hasPrefix("/") ? field : "/" + field.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    private func named(_ name: String) -> Result<String, SectionFault> {
        name.isEmpty ? .failure(SectionFault(reason: "the field \"\(field)\" gives an empty section")) : .success(name)
    }

    private static func text(of value: JSON) -> String? { value.stringValue ?? value.numberValue?.text }
}

/// Why a record has no section.
struct SectionFault: Error, Equatable {
    let reason: String
}
