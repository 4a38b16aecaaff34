/// Why a text is not a JSON document that can be taken.
package struct JSONError: Error, Hashable, Sendable {
    /// The fault of the text.
    package enum Reason: Hashable, Sendable {
        /// There is nothing but white space.
        case empty
        /// The text is longer than 2 GiB.
        case tooLong
        /// There is no memory for the document's index.
        case outOfMemory
        /// A byte sequence is not UTF-8.
        case invalidUTF8
        /// A string holds a control character that is not escaped (RFC 8259, section 7).
        case controlCharacter
        /// A string has no closing quote.
        case unclosedString
        /// The text ends inside an array or object.
        case unexpectedEnd
        /// A value is required here, and the text cannot begin one.
        case expectedValue
        /// A member's name is required here, and the text is not a string.
        case expectedName
        /// A member's name is not followed by a colon.
        case expectedColon
        /// An array's element is followed by neither a comma nor a closing bracket.
        case expectedCommaOrBracket
        /// An object's member is followed by neither a comma nor a closing brace.
        case expectedCommaOrBrace
        /// Something follows the document's value.
        case trailingContent
        /// A number is not written as RFC 8259, section 6, has it.
        case invalidNumber
        /// A word is none of `true`, `false` and `null`.
        case invalidLiteral
        /// A backslash is followed by something that JSON has no meaning for.
        case invalidEscape
        /// A `\u` escape is half of a surrogate pair, which no UTF-8 text can hold.
        case loneSurrogate
        /// Arrays and objects are nested deeper than the limit.
        case tooDeep(limit: Int)
        /// An object has two members of this name.
        case duplicateName(String)
    }

    /// What is wrong.
    package var reason: Reason

    /// The offset in bytes of what is wrong, from the beginning of the text.
    package var offset: Int

    /// Names a fault and its place.
    package init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

extension JSONError.Reason {
    /// Whether the text follows the grammar of JSON, and is refused for what it says: RFC 8259 leaves to the reader what
    /// it makes of a name that is there twice (section 4), of half a surrogate pair (section 8.2) and of deep nesting
    /// (section 9).
    package var isOfJSON: Bool {
        switch self {
        case .duplicateName, .loneSurrogate, .tooDeep: true
        default: false
        }
    }
}

extension JSONError: CustomStringConvertible {
    /// The error in a sentence that a caller of the API can act on.
    package var description: String {
        "\(reason.isOfJSON ? "a JSON document that is not taken" : "not a JSON document"): \(reason) (at byte \(offset))"
    }
}

extension JSONError.Reason: CustomStringConvertible {
    /// The reason in words.
    package var description: String {
        switch self {
        case .empty: "there is no value"
        case .tooLong: "the text is longer than 2 GiB"
        case .outOfMemory: "there is no memory left to read it"
        case .invalidUTF8: "the bytes are not UTF-8"
        case .controlCharacter: "a control character in a string has to be escaped"
        case .unclosedString: "a string has no closing quote"
        case .unexpectedEnd: "the text ends before its value does"
        case .expectedValue: "a value was expected"
        case .expectedName: "a member's name in double quotes was expected"
        case .expectedColon: "a colon was expected after the member's name"
        case .expectedCommaOrBracket: "a comma or a closing bracket was expected"
        case .expectedCommaOrBrace: "a comma or a closing brace was expected"
        case .trailingContent: "something follows the value"
        case .invalidNumber: "a number is not written as JSON has it"
        case .invalidLiteral: "a word is none of true, false and null"
        case .invalidEscape: "a backslash is followed by something that has no meaning"
        case .loneSurrogate: "an escape is one half of a surrogate pair without the other"
        case .tooDeep(let limit): "arrays and objects are nested deeper than \(limit)"
        case .duplicateName(let name): "an object has two members named \(name.quoted)"
        }
    }
}
