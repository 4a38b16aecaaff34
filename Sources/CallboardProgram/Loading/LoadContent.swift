import Notation

/// A list as a file gives it: sections in the order of their first record, each with its records.
struct LoadContent: Sendable {
    /// A section to load.
    struct Section: Sendable {
        let id: String
        var title: String?
        var records: [LoadRecord]
    }

    private(set) var sections: [Section] = []
    private(set) var rejected: [RejectedRecord]
    /// Whether the records of a section do not all stand together in the file.
    private(set) var isMixed = false

    /// Sorts records into sections.
    ///
    /// - Parameters:
    ///   - titleField: the field of a section's first record that is its title: a member or a JSON pointer.
    ///   - fallback: the section of records that name none.
    init(
        _ loaded: LoadedRecords, rule: SectionRule?, titles: SectionTitles?, titleField: String? = nil, fallback: String
    ) {
        rejected = loaded.rejected
        let named = rule?.sections(of: loaded.records)
        var positions: [Name: Int] = [:]
        var latest: Int?
        for (position, record) in loaded.records.enumerated() {
            let id: String
            switch named?[position] {
            case .failure(let fault):
                rejected.append(RejectedRecord(place: record.place, reason: fault.reason))
                continue
            case .success(let name): id = name
            case nil: id = record.section ?? fallback
            }
            if let section = positions[id] {
                if section != latest { isMixed = true }
                latest = section
                sections[section].records.append(record)
            } else {
                (positions[id], latest) = (sections.count, sections.count)
                // A section that the format names shows its name.
                let title =
                    titles?.titles[id] ?? titleField.flatMap { SectionRule.text(in: record, at: $0) }
                    ?? (named == nil ? record.section : nil)
                sections.append(Section(id: id, title: title, records: [record]))
            }
        }
    }

    /// Takes all records as those of one section, whatever section a format names.
    init(_ loaded: LoadedRecords, section: String) {
        rejected = loaded.rejected
        sections = [Section(id: section, records: loaded.records)]
    }

    /// The same with other sections.
    func with(_ sections: [Section]) -> LoadContent {
        var content = self
        content.sections = sections
        return content
    }

    /// How many records there are to load.
    var recordCount: Int { sections.reduce(0) { $0 + $1.records.count } }
}
