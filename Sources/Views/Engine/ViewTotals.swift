import Directors
import HashTreeCollections
import JSONValues
import Notation

/// The totals of a view, kept up member by member.
package struct ViewTotals: Sendable {
    private let definitions: [ViewTotal]
    /// For each total its sums, by the identifiers of sections; one under an empty name for the whole view.
    private var sums: [TreeDictionary<Name, TotalSum>]
    /// For each total its values, as they were settled last.
    private var values: [TreeDictionary<Name, JSONValue>]
    private var touched: Set<Place> = []

    private struct Place: Hashable {
        let total: Int
        let section: Name
    }

    private static let whole = Name("")

    /// The identifier of the only section; nil if there may be several.
    private let single: String?

    /// Begins without members.
    init(_ definition: ViewDefinition) {
        definitions = definition.totals
        single = definition.sectioning == .single ? ViewSectioning.singleIdentifier : nil
        sums = Array(repeating: [:], count: definitions.count)
        values = sums.map { _ in [:] }
        for (index, definition) in definitions.enumerated() where definition.scope == .view {
            touched.insert(Place(total: index, section: ViewTotals.whole))
        }
    }

    /// Counts a member that comes, goes, or has another state.
    ///
    /// - Parameter section: The section of the source that the member is in.
    mutating func change(from old: Member?, to new: Member?, in section: String) {
        for index in definitions.indices {
            if let old { add(old, -1, index, section) }
            if let new { add(new, 1, index, section) }
        }
    }

    private mutating func add(_ member: Member, _ sign: Int, _ index: Int, _ section: String) {
        let definition = definitions[index]
        let name =
            definition.scope == .view ? ViewTotals.whole : Name(member.content.section?.identifier ?? single ?? section)
        sums[index][name, default: TotalSum()].add(member.content.amounts[index], sign, definition.function)
        touched.insert(Place(total: index, section: name))
    }

    /// Reads the sums that have changed since the last time.
    ///
    /// - Returns: Whether a value has changed.
    mutating func settle() -> Bool {
        var hasChanged = false
        for place in touched {
            let definition = definitions[place.total]
            let sum = sums[place.total][place.section] ?? TotalSum()
            let isGone = sum.members == 0 && definition.scope == .section
            let value = isGone ? nil : sum.value(definition.function)
            if isGone { sums[place.total][place.section] = nil }
            if values[place.total][place.section]?.bytes != value?.bytes {
                values[place.total][place.section] = value
                hasChanged = true
            }
        }
        touched = []
        return hasChanged
    }

    /// Whether there are none.
    package var isEmpty: Bool { definitions.isEmpty }

    /// The totals as one object by name.
    package var json: JSONValue {
        var writer = JSONWriter()
        encode(to: &writer)
        return JSONValue(trusting: writer.takeBytes())
    }

    /// Appends the totals, an object by name; a total by section is an object by the sections' identifiers.
    package func encode(to writer: inout JSONWriter) {
        writer.object { writer in
            for (index, definition) in definitions.enumerated() {
                writer.key(definition.name)
                guard definition.scope == .section else {
                    if let value = values[index][ViewTotals.whole] { writer.value(value) } else { writer.null() }
                    continue
                }
                writer.object { writer in
                    for (section, value) in values[index].sorted(by: { $0.key < $1.key }) {
                        writer.key(section.text)
                        writer.value(value)
                    }
                }
            }
        }
    }
}

/// The contribution of some members to one total.
private struct TotalSum: Sendable {
    /// How many members there are.
    private(set) var members = 0
    /// How many of them contribute something.
    private var terms = 0
    private var sum = ExactSum()
    private var keys = OrderedKeys()

    mutating func add(_ amount: SortKey?, _ sign: Int, _ function: ViewTotal.Function) {
        members += sign
        guard let amount else { return }
        terms += sign
        switch function {
        case .count: break
        case .sum, .average:
            guard case .number(let number) = amount else { return }
            if case .integer(let int) = number {
                sum.add(int, sign: Int128(sign))
            } else {
                sum.add(number.decimal, sign: Int128(sign))
            }
        case .min, .max: if sign > 0 { keys.insert(amount) } else { keys.remove(amount) }
        }
    }

    func value(_ function: ViewTotal.Function) -> JSONValue {
        switch function {
        case .count: JSONValue(trusting: Array(String(members).utf8))
        case .sum: JSONValue(trusting: Array(sum.number.description.utf8))
        case .min: JSONValue(trusting: keys.least?.json ?? Array("null".utf8))
        case .max: JSONValue(trusting: keys.greatest?.json ?? Array("null".utf8))
        case .average: average
        }
    }

    private var average: JSONValue {
        var writer = JSONWriter()
        if terms > 0, let sum = sum.number.nearestDouble {
            writer.double(sum / Double(terms))
        } else {
            writer.null()
        }
        return JSONValue(trusting: writer.takeBytes())
    }
}
