/// Names a section, a row or an element in a path or an operation.
public enum ListAddress: Sendable, Hashable {
    /// By identifier.
    case identifier(String)
    /// By position, counted from zero.
    case position(Int)
    /// The first one.
    case first
    /// The last one.
    case last

    /// The address as an operation has it: an identifier that begins with `@` gets another one in front.
    public var text: String {
        switch self {
        case .identifier(let identifier): identifier.hasPrefix("@") ? "@" + identifier : identifier
        case .position(let position): "@\(position)"
        case .first: "@first"
        case .last: "@last"
        }
    }
}

extension ListAddress: ExpressibleByStringLiteral {
    /// Makes an address by identifier.
    public init(stringLiteral value: String) { self = .identifier(value) }
}

extension ListAddress: CustomStringConvertible {
    /// The address as an operation has it.
    public var description: String { text }
}
