/// A selection of a director's list: the server filters, sorts and cuts it, and sends the changesets of the result.
///
/// ```swift
/// let open = ListSelection(where: ["!": ["var": "value.done"]], sortBy: [.ascending("value.placedAt")], limit: 50)
/// for try await update in callboard.director("orders").list(selecting: open) { … }
/// ```
///
/// Readers who select the same share the server's work. The director is one with content of its own, or a view; the
/// parameters are a view's, and go with none of the others.
public struct ListSelection: Sendable, Hashable {
    /// A key to sort by.
    public struct SortKey: Sendable, Hashable {
        /// An expression of JsonLogic over `value`, `model`, `id` and `section`.
        public var key: JSON
        /// Whether the greatest come first.
        public var isDescending: Bool

        /// Sorts by a member, such as `value.placedAt`, the least first.
        public static func ascending(_ path: String) -> SortKey { SortKey(["var": .string(path)]) }

        /// Sorts by a member, such as `value.price`, the greatest first.
        public static func descending(_ path: String) -> SortKey {
            SortKey(["var": .string(path)], isDescending: true)
        }

        /// Sorts by an expression.
        public init(_ key: JSON, isDescending: Bool = false) {
            self.key = key
            self.isDescending = isDescending
        }
    }

    /// A value of a view's parameter.
    public struct Parameter: Sendable, Hashable {
        /// The parameter's name.
        public var name: String
        /// Its value; numbers and truth values are written as in JSON.
        public var value: String

        /// Binds a parameter.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// An expression of JsonLogic: the elements for which it holds. Nil selects all.
    public var condition: JSON?
    /// The keys to sort by, in turn; none leaves the director's order.
    public var sortBy: [SortKey]
    /// How many elements at most; nil for all.
    public var limit: Int?
    /// The values of a view's parameters.
    public var parameters: [Parameter]

    /// Selects; the default is the whole list.
    public init(
        where condition: JSON? = nil, sortBy: [SortKey] = [], limit: Int? = nil, parameters: [Parameter] = []
    ) {
        self.condition = condition
        self.sortBy = sortBy
        self.limit = limit
        self.parameters = parameters
    }

    var query: [(String, String)] {
        var query = parameters.map { ("parameters.\($0.name)", $0.value) }
        if let condition { query.append(("where", condition.text)) }
        if !sortBy.isEmpty { query.append(("sortBy", JSON.array(sortBy.map(\.json)).text)) }
        if let limit { query.append(("limit", String(limit))) }
        return query
    }
}

extension ListSelection.SortKey {
    fileprivate var json: JSON { ["key": key, "order": isDescending ? "descending" : "ascending"] }
}
