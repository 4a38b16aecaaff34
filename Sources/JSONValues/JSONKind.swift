/// The kinds of JSON value.
package enum JSONKind: String, Hashable, Sendable, CaseIterable {
    /// The literal `null`.
    case null
    /// The literal `true` or `false`.
    case bool = "boolean"
    /// A number of any size and precision.
    case number
    /// A string.
    case string
    /// An array.
    case array
    /// An object, whose members' names are unique.
    case object

    /// The kind with its article, for use in a sentence.
    package var phrase: String {
        switch self {
        case .null: "null"
        case .array, .object: "an \(rawValue)"
        case .bool, .number, .string: "a \(rawValue)"
        }
    }
}
