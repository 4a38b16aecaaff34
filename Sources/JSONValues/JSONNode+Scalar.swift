import Notation

extension JSONNode {
    /// A string, number or truth value as a text that equal values share, nil for any other kind.
    ///
    /// A string is itself; a number is brought into one form, so that 1, 1.0 and 10e-1 all give `1`.
    ///
    /// - Complexity: O(*n*) in the length of the value's text.
    package var scalarText: String? {
        switch kind {
        case .string: string
        case .bool: bool == true ? "true" : "false"
        case .number: smallInteger.map(String.init) ?? DecimalNumber(text).description
        case .null, .array, .object: nil
        }
    }
}
