import Directors
import Notation

/// A parameter that a route's query may carry: the router checks it and the OpenAPI document describes it.
struct QueryParameter: Sendable {
    /// The form of the value.
    enum Kind: Sendable {
        /// A decimal integer within the range.
        case integer(ClosedRange<Int>)
        /// `true` or `false`.
        case boolean
        /// One of these words.
        case choice([String])
        /// Addresses separated by commas, such as `1,@last`; a number is a position.
        case addresses
        /// The address of a section or an element.
        case address
        /// The same, and a number is a position.
        case place
        /// Any text.
        case text
        /// Any text, and the parameter may be given several times.
        case repeatedText
        /// Any text, under names of the resource's own: `parameters.station=bar` or `parameters[station]=bar`.
        case named
    }

    /// The name in the query.
    let name: String
    /// The form of the value.
    let kind: Kind
    /// Its description in the OpenAPI document.
    let summary: String
    /// True where the request is refused without it.
    var isRequired = false

    static let parameters = QueryParameter(
        name: "parameters", kind: .named,
        summary: "Values of a view's parameters, each as `parameters.NAME=VALUE` or `parameters[NAME]=VALUE`.")
    /// The members of a view that a reader describes in the query.
    static let selection = [
        QueryParameter(
            name: "where", kind: .text,
            summary: "An expression of JsonLogic, as a view's `where`: the published elements for which it holds."),
        QueryParameter(
            name: "sortBy", kind: .text, summary: "Keys to sort by, a JSON array as a view's `sortBy`."),
    ]
    static let selectionLimit = QueryParameter(
        name: "limit", kind: .integer(1...Int(Int32.max)), summary: "The first so many elements, as a view's `limit`.")
    static let reload = QueryParameter(
        name: "reload", kind: .boolean, summary: "Publish at once, as a reload after the mutation would.")
    static let stale = QueryParameter(
        name: "stale", kind: .choice(["allowed"]),
        summary: "On a node among several that cannot ask the database: `allowed` takes what it has in memory, with "
            + "`Callboard-Stale`, in place of 503.")
    static let ticket = QueryParameter(
        name: "ticket", kind: .text,
        summary: "A ticket of POST /v1/stream-tickets in place of a credential; looked at where there is no "
            + "Authorization.")
    static let offset = QueryParameter(
        name: "offset", kind: .integer(0...Int(Int32.max)), summary: "How many to skip; 0 unless given.")
    static let limit = QueryParameter(
        name: "limit", kind: .integer(1...10_000), summary: "How many to answer at most; 100 unless given.")
    static let withElements = QueryParameter(
        name: "elements", kind: .boolean, summary: "`false` leaves the sections' elements out.")
    static let state = QueryParameter(
        name: "state", kind: .choice(["working", "published"]), summary: "Which state to read; `working` unless given.")
    static let version = QueryParameter(
        name: "version", kind: .integer(0...Int.max),
        summary: "A retained version to read; goes with `state=published`.")
    static let model = QueryParameter(
        name: "model", kind: .text, summary: "The body is the bare value, or an array of bare values, of this model.")
    static let insertAt = QueryParameter(
        name: "at", kind: .place,
        summary: "The place to insert at: a position, or the address before which to insert; the end unless given.")
    static let removeAt = QueryParameter(
        name: "at", kind: .addresses,
        summary: "The items to remove: positions or addresses separated by commas, such as `1,@last`; all unless given."
    )
}

/// A request's query, checked against what its route declares.
struct Query: Sendable {
    private var values: [(name: String, value: String)] = []
    /// The values of a view's parameters, by their names in the query.
    var parameters: [(name: Name, value: String)] {
        values.compactMap { name, value in
            QueryParameter.named(in: name).map { (Name($0), value) }
        }
    }

    /// Whether a parameter of a view is bound.
    var hasParameters: Bool { values.contains { QueryParameter.named(in: $0.name) != nil } }

    /// The query of a request that has none.
    init() {}

    /// Reads and checks a query.
    ///
    /// A parameter that the route does not know is refused, so that `?realod=true` is not silently lost.
    init(_ text: Substring, allowed: [QueryParameter]) throws(Problem) {
        // By bytes: looking for the ends of characters takes twenty times as long.
        for member in text.utf8.split(separator: UInt8(ascii: "&")) {
            try add(Substring(member), allowed: allowed)
        }
        for parameter in allowed where parameter.isRequired && self[parameter.name] == nil {
            throw .badRequest("The query needs `\(parameter.name)`: \(parameter.summary)")
        }
    }

    private mutating func add(_ member: Substring, allowed: [QueryParameter]) throws(Problem) {
        let bytes = member.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.endIndex
        guard let name = PercentEncoding.decode(Substring(bytes[..<end]), plusIsSpace: true),
            let value = PercentEncoding.decode(Substring(bytes[end...].dropFirst()), plusIsSpace: true)
        else {
            throw .badRequest("The query member \(member.quoted) is not percent-encoded UTF-8.")
        }
        if let bound = QueryParameter.named(in: name),
            allowed.contains(where: { $0.name == QueryParameter.parameters.name })
        {
            guard !parameters.contains(where: { $0.name == Name(bound) }) else {
                throw .badRequest("The query binds the parameter \(bound.quoted) twice.")
            }
            return values.append((name, value))
        }
        guard let parameter = allowed.first(where: { $0.name.isVerbatim(name) }) else {
            let known = allowed.map(\.name).joined(separator: ", ")
            throw .badRequest(
                "The query parameter \(name.quoted) is not known here; "
                    + (known.isEmpty ? "this resource takes none." : "this resource takes: \(known)."))
        }
        if case .repeatedText = parameter.kind {
        } else if self[name] != nil {
            throw .badRequest("The query parameter \(name.quoted) is given twice.")
        }
        if let fault = parameter.fault(in: value) {
            throw .badRequest("The query parameter \(name.quoted) is \(value.quoted); it must be \(fault).")
        }
        values.append((name, value))
    }

    /// The value of a parameter, where it was given.
    subscript(name: String) -> String? {
        values.first { $0.name == name }?.value
    }

    /// All values of a repeatable parameter, in order.
    func all(_ name: String) -> [String] {
        values.compactMap { $0.name == name ? $0.value : nil }
    }

    /// A boolean parameter; `otherwise` where it was not given.
    func flag(_ name: String, otherwise: Bool = false) -> Bool {
        self[name].map { $0 == "true" } ?? otherwise
    }

    /// An integer parameter.
    func integer(_ name: String) -> Int? {
        self[name].flatMap { Int($0) }
    }

    /// The address of a section or an element.
    func address(_ name: String) -> Address? {
        self[name].flatMap { Address(parsing: $0) }
    }

    /// A place to insert at: an address, or a position as a number.
    func place(_ name: String) -> Address? {
        self[name].flatMap { QueryParameter.place($0) }
    }

    /// A list of addresses, or of positions as numbers.
    func addresses(_ name: String) -> [Address]? {
        self[name].map { $0.split(separator: ",").compactMap { QueryParameter.place(String($0)) } }
    }
}

extension QueryParameter {
    /// A description of valid values if the value is invalid; `nil` for a valid one.
    fileprivate func fault(in value: String) -> String? {
        switch kind {
        case .integer(let range):
            if let number = Self.decimal(value), range.contains(number) { return nil }
            return "an integer from \(range.lowerBound) to \(range.upperBound)"
        case .boolean:
            return value == "true" || value == "false" ? nil : "true or false"
        case .choice(let words):
            return words.contains(value) ? nil : "one of " + words.joined(separator: ", ")
        case .addresses:
            let parts = value.split(separator: ",", omittingEmptySubsequences: false)
            let isGood = parts.allSatisfy { Self.place(String($0)) != nil }
            return isGood ? nil : "positions or addresses separated by commas, such as 1,4 or @first,people"
        case .place:
            return Self.place(value) == nil ? "a position, such as 3, or an address, such as @last or people" : nil
        case .address:
            return Address(parsing: value) == nil ? "an identifier, or a position such as @0, @first, @last" : nil
        case .repeatedText:
            return value.isEmpty || Name.hasASCIIControls(value) ? "a name without control characters" : nil
        case .named:
            return "given with the name of a parameter, as in parameters.station=bar"
        case .text:
            return nil
        }
    }

    /// The name of a view's parameter in the name of a member of the query; nil for any other member.
    fileprivate static func named(in member: String) -> String? {
        let prefix = parameters.name
        guard member.hasPrefix(prefix) else { return nil }
        let rest = member.dropFirst(prefix.count)
        if rest.hasPrefix("."), rest.count > 1 { return String(rest.dropFirst()) }
        return rest.hasPrefix("[") && rest.hasSuffix("]") && rest.count > 2 ? String(rest.dropFirst().dropLast()) : nil
    }

    /// An address, or a position as a number, as operations have it.
    fileprivate static func place(_ text: String) -> Address? {
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return .position(Int(text) ?? .max)
        }
        return Address(parsing: text)
    }

    private static func decimal(_ text: String) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }
}
