import Directors
import Foundation
import JSONValues

@testable import Views

/// A view as plainly as it can be computed: everything is filtered, sorted, grouped, cut and summed afresh.
struct NaiveView {
    struct Item {
        let id: String
        let model: String
        let shown: String
        let section: String
        let members: [String: String]

        func value(_ name: String) -> NaiveValue { members[name].flatMap { NaiveValue.all[$0] } ?? .null }
        var tag: Int { members["t"].flatMap { Int($0) } ?? 0 }
    }

    struct Part: Equatable {
        var id: String
        var title: String?
        var items: [String]
    }

    private(set) var parts: [Part] = []
    private(set) var faults: [String] = []
    private(set) var totals: [String: String] = [:]
    private let view: RandomView

    init(_ view: RandomView, of list: ListState, variable: Int?) {
        self.view = view
        var groups: [(id: String, title: String?, key: NaiveValue, items: [Item])] = []
        if view.sections == .single { groups.append(("all", nil, .null, [])) }
        for section in list.sections {
            let isOwn = view.sections == .source || view.sections == .keepEmpty
            if isOwn { groups.append((section.identifier, section.attributes.headerTitle, .null, [])) }
            for element in section.list {
                let item = item(element, section)
                switch belongs(item, section, variable) {
                case nil: faults.append(item.id)
                case false: continue
                case true:
                    if isOwn || view.sections == .single {
                        groups[groups.count - 1].items.append(item)
                    } else {
                        NaiveView.add(item, to: &groups)
                    }
                }
            }
        }
        if view.sections == .key || view.sections == .titled || view.sections == .descending {
            groups.sort { $0.key.precedes($1.key) ?? false }
            if view.sections == .descending { groups.reverse() }
        }
        if view.hasTotals { sumUp(groups.map { ($0.id, $0.items) }) }
        cut(groups)
    }

    private static func add(
        _ item: Item, to groups: inout [(id: String, title: String?, key: NaiveValue, items: [Item])]
    ) {
        let key = item.value("k")
        if let index = groups.firstIndex(where: { $0.id == key.identifier }) {
            groups[index].items.append(item)
            // Of a text and another value with the same identifier, the other value decides.
            if case .string = groups[index].key { groups[index].key = key }
        } else {
            groups.append((key.identifier, nil, key, [item]))
        }
    }

    private func item(_ element: Element, _ section: Section) -> Item {
        let root = element.value.document.root
        let members = Dictionary(root.members.map { ($0.name, $0.value.value.text) }) { first, _ in first }
        return Item(
            id: element.identifier, model: element.model, shown: shown(element, members), section: section.identifier,
            members: members)
    }

    private func shown(_ element: Element, _ members: [String: String]) -> String {
        guard let fields = view.fields else { return element.value.text }
        var parts: [String] = []
        for field in fields {
            switch field {
            // The one object and the one array that elements have are {"a":…,"b":…} and [0,…].
            case "/o/a":
                if let object = members["o"] { parts.append("\"o\":" + object.prefix(6) + "}") }
            case "/l/1":
                if let list = members["l"] { parts.append("\"l\":[" + list.dropFirst(3)) }
            default:
                let name = String(field.dropFirst())
                if let value = members[name] { parts.append("\"\(name)\":\(value)") }
            }
        }
        return "{" + parts.joined(separator: ",") + "}"
    }

    private func belongs(_ item: Item, _ section: Section, _ variable: Int?) -> Bool? {
        let holds: Bool?
        switch view.condition {
        case .none: holds = true
        case .tag: holds = item.tag == 1
        case .parameter: holds = item.tag == view.parameter
        case .variable: holds = item.tag == variable
        case .title: holds = section.attributes.headerTitle == "A"
        case .fails: holds = item.tag == 0 ? nil : 6 / Double(item.tag) > 2
        case .model: holds = item.model == "Item"
        case .claim: holds = item.tag == view.claim
        case .never: holds = false
        }
        guard holds == true else { return holds }
        if view.hasTotals, case .string = item.value("p") { return nil }
        return true
    }

    private func precedes(_ one: Item, _ other: Item) -> Bool? {
        for rule in view.sort {
            let precedes = one.value(rule.member).precedes(other.value(rule.member), isNatural: rule.isNatural)
            if let precedes { return precedes != rule.isDescending }
        }
        return nil
    }

    private mutating func cut(_ groups: [(id: String, title: String?, key: NaiveValue, items: [Item])]) {
        var rest = view.limit ?? .max
        for group in groups {
            var items = group.items.enumerated().sorted { precedes($0.element, $1.element) ?? ($0.offset < $1.offset) }
                .map(\.element)
            if let limit = view.limit {
                items = Array(items.prefix(view.isLimitOfSections ? limit : rest))
                rest -= items.count
            }
            if items.isEmpty, view.sections != .keepEmpty, view.sections != .single { continue }
            let title: String? =
                switch view.sections {
                case .source, .keepEmpty, .single: group.title
                case .key, .descending: group.id
                case .titled: group.key.catText.map { "T " + $0 } ?? group.id
                }
            parts.append(Part(id: group.id, title: title, items: items.map { "\($0.model) \($0.id) \($0.shown)" }))
        }
    }

    private mutating func sumUp(_ groups: [(id: String, items: [Item])]) {
        var sections: [String: [Item]] = [:]
        for group in groups where !group.items.isEmpty { sections[group.id, default: []] += group.items }
        let all = groups.flatMap(\.items)
        totals["all"] = "\(all.count)"
        for (id, items) in sections {
            totals["each/\(id)"] = "\(items.count)"
            totals["sums/\(id)"] = "\(NaiveView.sum(items))"
            let keys = items.map { $0.value("k") }.filter { $0 != .null }
            totals["most/\(id)"] = keys.max { $0.precedes($1) ?? false }.map { $0.identifier } ?? "null"
        }
        totals["sum"] = "\(NaiveView.sum(all))"
        let prices = all.map { $0.value("p") }.filter { $0 != .null }
        totals["least"] = prices.min { $0.precedes($1) ?? false }.map { $0.identifier } ?? "null"
        let sum = Double("\(NaiveView.sum(all))") ?? 0
        totals["mean"] = prices.isEmpty ? "null" : "\(sum / Double(prices.count))"
    }

    private static func sum(_ items: [Item]) -> Decimal {
        items.reduce(Decimal(0)) { sum, item in
            if case .number(let number) = item.value("p") { sum + number } else { sum }
        }
    }
}
