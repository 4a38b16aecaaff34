/// A list as a file gives it: sections in the order of their first record, each with its records.
struct LoadContent: Sendable {
    /// A section to load.
    struct Section: Sendable {
        let id: String
        var title: String?
        var records: [LoadRecord]

        /// The section with other records.
        func with(_ records: [LoadRecord]) -> Section { Section(id: id, title: title, records: records) }
    }

    private(set) var sections: [Section] = []
    private(set) var rejected: [RejectedRecord]

    /// Sorts records into sections.
    ///
    /// - Parameter fallback: the section of records that name none.
    init(_ loaded: LoadedRecords, rule: SectionRule?, titles: SectionTitles?, fallback: String) {
        rejected = loaded.rejected
        let named = rule?.sections(of: loaded.records)
        var positions: [String: Int] = [:]
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
                sections[section].records.append(record)
            } else {
                positions[id] = sections.count
                // A section that the format names shows its name.
                let title = titles?.titles[id] ?? (named == nil ? record.section : nil)
                sections.append(Section(id: id, title: title, records: [record]))
            }
        }
    }

    /// Takes all records as those of one section, whatever section a format names.
    init(_ loaded: LoadedRecords, section: String) {
        rejected = loaded.rejected
        sections = [Section(id: section, records: loaded.records)]
    }

    /// How many records there are to load.
    var recordCount: Int { sections.reduce(0) { $0 + $1.records.count } }
}
