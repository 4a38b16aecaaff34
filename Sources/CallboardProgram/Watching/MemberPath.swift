import CallboardClient
import JSONValues

/// A member of an element's value on the command line: its name, or a JSON pointer where it begins with `/`.
struct MemberPath: Sendable, Equatable {
    /// The name or the pointer as it was written.
    let text: String

    /// Takes a name or a pointer; nil for an empty one and for a pointer that is none.
    init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        guard text.unicodeScalars.first != "/" || JSONPointer(parsing: text) != nil else { return nil }
        self.text = text
    }

    /// The displayed text of a value's member: a string as it is, any other value as JSON; nil if the member is missing
    /// or null.
    func text(in value: CallboardClient.JSON) -> String? {
        self.value(in: value).map { $0.stringValue ?? $0.text }
    }

    /// A value's member; nil if it is missing or null.
    func value(in value: CallboardClient.JSON) -> CallboardClient.JSON? {
        let member = text.unicodeScalars.first == "/" ? value.value(at: text) : value.objectValue?[text]
        return member == .null ? nil : member
    }
}

extension CallboardClient.JSON {
    /// The displayed text of a value without members, whatever members are asked for; nil for an object and an array.
    var plainText: String? {
        switch self {
        case .object, .array: nil
        default: stringValue ?? text
        }
    }
}
