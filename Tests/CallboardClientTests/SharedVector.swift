import Foundation

@testable import CallboardClient

/// One of the vectors that all clients share, as a line of a file in `Tests/Vectors` has it.
struct SharedVector {
    let json: JSON

    /// What tells it from the others of its kind.
    var name: String { self["name"].asString }
    /// What a reader has to have for it.
    var needs: [String] { self["needs"].asArray.map(\.asString) }

    /// A member; null where there is none.
    subscript(name: String) -> JSON { json[name] ?? .null }

    /// The vectors of a kind, in the order of its file.
    static func all(_ kind: String) throws -> [SharedVector] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let bytes = try Data(contentsOf: tests.appending(path: "Vectors/\(kind).jsonl"))
        return try bytes.split(separator: UInt8(ascii: "\n")).map { SharedVector(json: try JSON(parsing: $0)) }
    }
}

// A vector is as it should be: what is missing reads as empty, and then fails to compare.
extension JSON {
    var asArray: [JSON] { arrayValue ?? [] }
    var asString: String { stringValue ?? "" }
    var asInt: Int { intValue ?? -1 }

    /// A member; null where there is none.
    func at(_ name: String) -> JSON { self[name] ?? .null }

    static func int(_ value: Int) -> JSON { .number(JSONNumber(value)) }
    static func strings(_ values: [String]) -> JSON { .array(values.map { .string($0) }) }
}
