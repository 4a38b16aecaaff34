import CallboardClient
import Foundation
import Notation

/// The types of CSV columns, by their names, as in `age:number,active:boolean`.
struct ColumnTypes: Sendable, Equatable {
    /// The types of a column.
    enum Kind: String, CaseIterable, Sendable {
        case string
        case number
        case boolean
        case json
    }

    private(set) var kinds: [Name: Kind] = [:]

    /// No types: all columns are text.
    init() {}

    /// Reads types; nil where a part is none.
    init?(parsing text: String) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            // A column's name may have a colon.
            guard let colon = part.lastIndex(of: ":"), colon > part.startIndex,
                let kind = Kind(rawValue: String(part[part.index(after: colon)...]))
            else { return nil }
            kinds[String(part[..<colon])] = kind
        }
    }

    /// Appends a field's value; an empty one is null where its column is not text.
    ///
    /// - Returns: Its fault; nil without one.
    static func append(_ field: String, as kind: Kind, to text: inout [UInt8]) -> String? {
        if kind == .string {
            JSON.string(field).write(to: &text)
            return nil
        }
        let trimmed = field.trimmingCharacters(in: .whitespaces)
        if trimmed.isEmpty {
            text += "null".utf8
            return nil
        }
        switch kind {
        case .string: break
        case .boolean:
            switch trimmed.lowercased() {
            case "true", "yes", "1": text += "true".utf8
            case "false", "no", "0": text += "false".utf8
            default: return "is neither true nor false"
            }
        case .number:
            guard let value = try? JSON(parsing: Array(trimmed.utf8)), value.numberValue != nil else {
                return "is not a number"
            }
            text += trimmed.utf8
        case .json:
            guard (try? JSON(parsing: Array(trimmed.utf8))) != nil else { return "is not JSON" }
            text += trimmed.utf8
        }
        return nil
    }
}
