import JSONValues
import Notation

/// The place of a section in a list, or of an element in a section, in a caller's terms.
///
/// On the wire it is an identifier (`people`), or a position (`@0`, `@first`, `@last`); an identifier that begins with
/// `@` is written with another `@` before it.
package enum Address: Sendable {
    /// The one whose identifier this is.
    case identifier(String)
    /// The one at this position, counted from zero.
    case position(Int)
    /// The first one.
    case first
    /// The last one; as the target of an insert, the place behind it.
    case last

    /// Reads an address as it stands in a path, percent-decoded, or in an operation.
    ///
    /// Returns nil for an empty text and for an `@` that is followed by none of a position, `first`, `last` and `@`. A
    /// position too large for an integer is taken as one that is out of every range.
    package init?(parsing text: String) {
        guard text.utf8.first == UInt8(ascii: "@") else {
            guard !text.isEmpty else { return nil }
            self = .identifier(text)
            return
        }
        let rest = text.dropFirst()
        switch rest {
        case "first": self = .first
        case "last": self = .last
        default:
            if rest.utf8.first == UInt8(ascii: "@") {
                self = .identifier(String(rest))
            } else if !rest.isEmpty, rest.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
                self = .position(Int(rest) ?? .max)
            } else {
                return nil
            }
        }
    }
}

extension Address: Hashable {
    /// Compares identifiers by their bytes.
    package static func == (left: Address, right: Address) -> Bool {
        switch (left, right) {
        case (.identifier(let one), .identifier(let other)): one.isVerbatim(other)
        case (.position(let one), .position(let other)): one == other
        case (.first, .first), (.last, .last): true
        default: false
        }
    }

    /// Feeds the address as it is written.
    package func hash(into hasher: inout Hasher) { description.hashVerbatim(into: &hasher) }
}

extension Address: CustomStringConvertible {
    /// The address as it is written.
    package var description: String {
        switch self {
        case .identifier(let identifier): identifier.utf8.first == UInt8(ascii: "@") ? "@" + identifier : identifier
        case .position(let position): "@\(position)"
        case .first: "@first"
        case .last: "@last"
        }
    }

    /// The address as errors show it: an identifier in quotes, as quoted texts of a request are.
    var shown: String {
        if case .identifier(let identifier) = self { identifier.quoted } else { description }
    }
}
