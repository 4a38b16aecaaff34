import Foundation

@testable import Directors

/// A director as plainly as it can be written, for values `{"id": …, "n": …, "m": …}` and the model `Item`.
struct NaiveDirector: Equatable {
    struct Item: Equatable {
        var id: String
        var n: Int
        var m: Int
    }

    /// What the adapter of the items looks at.
    enum Sight: Equatable {
        case all
        case n
        case nothing
    }

    struct Part: Equatable {
        var id: String
        var isCollapsed: Bool
        var items: [Item]
    }

    struct Refused: Error {}

    var parts: [Part] = []

    /// What subscribers have after a reload, wherever the adapter looks.
    var visible: [Part] {
        parts.map { $0.isCollapsed ? Part(id: $0.id, isCollapsed: true, items: []) : $0 }
    }

    mutating func perform(_ operations: [Directors.Operation]) throws {
        var copy = self
        for operation in operations { try copy.apply(operation) }
        self = copy
    }

    private mutating func apply(_ operation: Directors.Operation) throws {
        switch operation {
        case .sections(let edit): try apply(edit)
        case .elements(let owner, let edit):
            guard owner.row == nil else { throw Refused() }
            try apply(edit, to: owner.section)
        case .newSection(let id, let drafts, let at):
            guard try Self.insertion(at, []) == 0 else { throw Refused() }
            parts.append(Part(id: id, isCollapsed: false, items: try drafts.map(Self.item)))
        case .setVariable: break
        case .rows, .removeVariable, .setAdapter, .removeAdapter: throw Refused()
        }
    }

    private mutating func apply(_ edit: ListEdit<SectionDraft>) throws {
        switch edit {
        case .set(let drafts): parts = try drafts.map(Self.part)
        case .add(let drafts, let at):
            let place = try Self.insertion(at, parts.map(\.id))
            parts = try parts[..<place] + drafts.map(Self.part) + parts[place...]
        case .put(.identifier(let id), let draft, _):
            guard draft.identifier == nil || draft.identifier == id else { throw Refused() }
            var new = try Self.part(draft)
            new.id = id
            let places = parts.indices.filter { parts[$0].id == id }
            guard places.count < 2 else { throw Refused() }
            if let place = places.first { parts[place] = new } else { parts.append(new) }
        case .put(let address, let draft, _):
            let place = try Self.find(address, parts.map(\.id))
            var new = try Self.part(draft)
            if draft.identifier == nil { new.id = parts[place].id }
            parts[place] = new
        case .patch(let address, let patch):
            let place = try Self.find(address, parts.map(\.id))
            parts[place].isCollapsed = patch.value.text.contains("true")
        case .remove(let address): parts.remove(at: try Self.find(address, parts.map(\.id)))
        case .removeSeveral(let addresses):
            let places = Set(try addresses.map { try Self.find($0, parts.map(\.id)) })
            parts = parts.enumerated().filter { !places.contains($0.offset) }.map(\.element)
        case .removeAll: parts = []
        case .move(let from, let to, _):
            let (source, target) = (try Self.find(from, parts.map(\.id)), try Self.find(to, parts.map(\.id)))
            parts.insert(parts.remove(at: source), at: target)
        case .swap(let one, let other):
            parts.swapAt(try Self.find(one, parts.map(\.id)), try Self.find(other, parts.map(\.id)))
        }
    }

    private mutating func apply(_ edit: ListEdit<ElementDraft>, to section: Address) throws {
        switch edit {
        case .set(let drafts): try change(section) { $0 = try drafts.map(Self.item) }
        case .add(let drafts, let at):
            try change(section) {
                $0.insert(contentsOf: try drafts.map(Self.item), at: try Self.insertion(at, $0.map(\.id)))
            }
        case .put(let element, let draft, let at):
            try change(section) { items in
                let item = try Self.item(draft)
                if case .identifier(let id) = element, !items.contains(where: { $0.id == id }) {
                    guard item.id == id else { throw Refused() }
                    items.insert(item, at: try Self.insertion(at, items.map(\.id)))
                } else {
                    items[try Self.find(element, items.map(\.id))] = item
                }
            }
        case .patch(let element, let patch):
            try change(section) { items in
                let place = try Self.find(element, items.map(\.id))
                let changes = try Self.members(patch.value.text)
                if let id = changes["id"] {
                    guard let id = id as? String else { throw Refused() }
                    items[place].id = id
                }
                if let n = changes["n"] as? Int { items[place].n = n }
                if let m = changes["m"] as? Int { items[place].m = m }
            }
        case .remove(let element): try change(section) { $0.remove(at: try Self.find(element, $0.map(\.id))) }
        case .removeSeveral(let addresses):
            try change(section) { items in
                let places = Set(try addresses.map { try Self.find($0, items.map(\.id)) })
                items = items.enumerated().filter { !places.contains($0.offset) }.map(\.element)
            }
        case .removeAll: try change(section) { $0 = [] }
        case .move(let from, let to, let into): try move(from, to, of: section, into: into)
        case .swap(let one, let other):
            try change(section) { $0.swapAt(try Self.find(one, $0.map(\.id)), try Self.find(other, $0.map(\.id))) }
        }
    }

    private mutating func move(
        _ from: Address, _ to: Address, of section: Address, into: ElementDestination?
    ) throws {
        guard into?.row == nil else { throw Refused() }
        let source = try Self.find(section, parts.map(\.id))
        let target = try (into?.section).map { try Self.find($0, parts.map(\.id)) } ?? source
        let place = try Self.find(from, parts[source].items.map(\.id))
        let goal =
            try source == target
            ? Self.find(to, parts[source].items.map(\.id)) : Self.insertion(to, parts[target].items.map(\.id))
        let moved = parts[source].items.remove(at: place)
        parts[target].items.insert(moved, at: goal)
    }

    private mutating func change(_ section: Address, _ change: (inout [Item]) throws -> Void) throws {
        let place = try Self.find(section, parts.map(\.id))
        try change(&parts[place].items)
    }

    private static func find(_ address: Address, _ ids: [String]) throws -> Int {
        let places =
            switch address {
            case .identifier(let id): ids.indices.filter { ids[$0] == id }
            case .position(let position): ids.indices.filter { $0 == position }
            case .first: Array(ids.indices.prefix(1))
            case .last: Array(ids.indices.suffix(1))
            }
        guard places.count == 1, let place = places.first else { throw Refused() }
        return place
    }

    private static func insertion(_ address: Address?, _ ids: [String]) throws -> Int {
        switch address {
        case nil, .last: ids.count
        case .first: 0
        case .position(ids.count): ids.count
        case let address?: try find(address, ids)
        }
    }

    private static func part(_ draft: SectionDraft) throws -> Part {
        Part(id: draft.identifier ?? "", isCollapsed: draft.attributes.isCollapsed, items: try draft.elements.map(item))
    }

    private static func item(_ draft: ElementDraft) throws -> Item {
        let members = try members(draft.value.text)
        guard draft.model ?? "Item" == "Item", let id = members["id"] as? String else { throw Refused() }
        return Item(id: id, n: members["n"] as? Int ?? 0, m: members["m"] as? Int ?? 0)
    }

    private static func members(_ text: String) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }
}
