import CallboardClient
import Notation

/// Titles for sections, by the section's identifier.
struct SectionTitles: Sendable {
    let titles: [Name: String]

    /// Reads titles out of a JSON document.
    ///
    /// - Parameters:
    ///   - key: the field of a record that holds the section's identifier; where both fields are nil, the document is
    ///     an object of titles by identifier.
    ///   - title: the field that holds the title.
    init(path: String, content: [UInt8], pointer: String?, key: String?, title: String?) throws {
        if let key, let title {
            let records = try JSONRecords(path: path, pointer: pointer).read(content).records
            let pairs = records.compactMap { record in
                record.value[key]?.stringValue.flatMap { id in record.value[title]?.stringValue.map { (id, $0) } }
            }
            guard !pairs.isEmpty else {
                throw ProgramError(
                    "\(path): no record has the fields \"\(key)\" and \"\(title)\"",
                    advice: "check --titles-key and --titles-value", status: .dataError)
            }
            titles = Dictionary(pairs.map { (Name($0), $1) }) { $1 }
            return
        }
        let document: JSON
        do {
            document = try JSON(parsing: content)
        } catch {
            throw ProgramError(
                "\(path): \(error)",
                advice: "--titles takes a file of JSON: an object of titles by section, or records",
                status: .dataError)
        }
        guard let object = document.value(at: pointer ?? "")?.objectValue else {
            throw ProgramError(
                "\(path): expected an object of titles by section",
                advice: "for records, name their fields with --titles-key and --titles-value", status: .dataError)
        }
        titles = object.members.reduce(into: [:]) { $0[Name($1.name)] = $1.value.stringValue }
    }
}
