import ListDiff
import TestSupport

@testable import ListDiffTesting

/// One operation on a list of shelves; positions are taken modulo what there is, so that a sequence stays one when steps
/// are left out.
enum ShelfStep: Sendable {
    case insert(Item, Int, Int)
    case insertMany([Item], Int, Int)
    case copy(Int, Int, Int)
    case remove(Int, Int)
    case removeRange(Int, Int, Int)
    case removeEvery(Int, Int)
    case set(content: Int, Int, Int)
    case annotate(detail: Int, Int, Int)
    case move(Int, Int, Int)
    case moveRange(Int, Int, Int, length: Int)
    case cross(Int, Int, Int, Int)
    case swap(Int, Int, Int)
    case reverse(Int, Int, length: Int)
    case insertShelf(Group, Int)
    case removeShelf(Int)
    case moveShelf(Int, Int)
    case swapShelves(Int, Int)
    case rename(Int, id: Int)
    case retitle(Int, Int)
    case collapse(Int)
    case exchangeContents(Int, Int)
    case divide(Int, Int, id: Int)
    case join(Int, Int)
    case adopt([ShelfStep])
    case bringBack(Int)
    case reload
}

/// Lists of shelves on which steps are run.
struct ShelfRun {
    var list: PersistentList<Shelf>
    /// The list as it was at the last reload.
    var reference: PersistentList<Shelf>
    /// All that reloads have come by.
    var retained: [PersistentList<Shelf>]

    init(_ list: PersistentList<Shelf>) {
        self.list = list
        reference = list
        retained = [list]
    }

    mutating func run(_ step: ShelfStep) {
        switch step {
        case .insertShelf(let group, let at): list.insert(Shelf(group), at: at % (list.count + 1))
        case .adopt(let steps): adopt(steps)
        case .bringBack(let number): list = retained[number % retained.count]
        case .reload: break
        default:
            if !list.isEmpty {
                runOnShelves(step)
            }
        }
    }

    private mutating func runOnShelves(_ step: ShelfStep) {
        let count = list.count
        switch step {
        case .removeShelf(let at): list.remove(at: at % count)
        case .moveShelf(let from, let to): list.move(from: from % count, to: to % count)
        case .swapShelves(let one, let other): list.swapAt(one % count, other % count)
        case .rename(let at, let id): list.update(at: at % count) { $0.id = id }
        case .retitle(let at, let title): list.update(at: at % count) { $0.title = title }
        case .collapse(let at): list.update(at: at % count) { $0.isCollapsed.toggle() }
        case .exchangeContents(let one, let other): exchange(one % count, other % count)
        case .divide(let at, let position, let id): divide(at % count, position, id)
        case .join(let one, let other): join(one % count, other % count)
        case .cross(let from, let element, let to, let target): cross(from % count, element, to % count, target)
        case .insert(let item, let shelf, let at):
            list.update(at: shelf % count) { $0.list.insert(item, at: at % ($0.list.count + 1)) }
        case .insertMany(let items, let shelf, let at):
            list.update(at: shelf % count) { $0.list.insert(contentsOf: items, at: at % ($0.list.count + 1)) }
        default: runOnElements(step)
        }
    }

    private mutating func runOnElements(_ step: ShelfStep) {
        switch step {
        case .copy(let shelf, let from, let to):
            edit(shelf) { $0.insert($0[from % $0.count], at: to % ($0.count + 1)) }
        case .remove(let shelf, let at): edit(shelf) { $0.remove(at: at % $0.count) }
        case .removeRange(let shelf, let from, let to):
            edit(shelf) { $0.removeSubrange(Self.range(from, to, $0.count)) }
        case .removeEvery(let shelf, let every): edit(shelf) { $0.remove(at: stride(from: 0, to: $0.count, by: every)) }
        case .set(let content, let shelf, let at): edit(shelf) { $0.update(at: at % $0.count) { $0.content = content } }
        case .annotate(let detail, let shelf, let at):
            edit(shelf) { $0.update(at: at % $0.count) { $0.detail = detail } }
        case .move(let shelf, let from, let to): edit(shelf) { $0.move(from: from % $0.count, to: to % $0.count) }
        case .moveRange(let shelf, let from, let to, let length): moveRange(shelf, from, to, length)
        case .swap(let shelf, let one, let other): edit(shelf) { $0.swapAt(one % $0.count, other % $0.count) }
        case .reverse(let shelf, let from, let length):
            edit(shelf) {
                let range = Self.range(from, from % $0.count + length, $0.count)
                for (one, other) in zip(range, range.reversed()) where one < other {
                    $0.swapAt(one, other)
                }
            }
        default: break
        }
    }

    private mutating func edit(_ shelf: Int, _ change: (inout PersistentList<Item>) -> Void) {
        list.update(at: shelf % list.count) { shelf in
            if !shelf.list.isEmpty {
                change(&shelf.list)
            }
        }
    }

    private static func range(_ one: Int, _ other: Int, _ count: Int) -> Range<Int> {
        let (one, other) = (one % (count + 1), other % (count + 1))
        return min(one, other)..<max(one, other)
    }

    /// Takes out a part as a list and puts it in elsewhere, so that whole nodes change their places.
    private mutating func moveRange(_ shelf: Int, _ from: Int, _ to: Int, _ length: Int) {
        edit(shelf) { elements in
            let start = from % elements.count
            let (head, rest) = elements.split(at: start)
            let (moved, tail) = rest.split(at: min(length, rest.count))
            var kept = head
            kept.append(contentsOf: tail)
            var (result, end) = kept.split(at: to % (kept.count + 1))
            result.append(contentsOf: moved)
            result.append(contentsOf: end)
            elements = result
            end = []
        }
    }

    private mutating func cross(_ from: Int, _ element: Int, _ to: Int, _ target: Int) {
        guard !list[from].list.isEmpty else {
            return
        }
        let item = list.update(at: from) { $0.list.remove(at: element % $0.list.count) }
        list.update(at: to) { $0.list.insert(item, at: target % ($0.list.count + 1)) }
    }

    private mutating func exchange(_ one: Int, _ other: Int) {
        let contents = (list[one].list, list[other].list)
        list.update(at: one) { $0.list = contents.1 }
        list.update(at: other) { $0.list = contents.0 }
    }

    private mutating func divide(_ at: Int, _ position: Int, _ id: Int) {
        let (head, tail) = list[at].list.split(at: position % (list[at].list.count + 1))
        list.update(at: at) { $0.list = head }
        list.insert(Shelf(id, tail), at: at + 1)
    }

    private mutating func join(_ one: Int, _ other: Int) {
        let content = list[other].list
        if one != other, content.count + list[one].list.count < 700 {
            list.update(at: one) { $0.list.append(contentsOf: content) }
        }
    }

    /// Brings in whole content that is much the same as what is there.
    private mutating func adopt(_ steps: [ShelfStep]) {
        var other = ShelfRun(list)
        for step in steps {
            other.run(step)
        }
        for position in list.indices where position < other.list.count {
            let elements = Array(other.list[position].list)
            list.update(at: position) { $0.list = $0.list.adopting(elements) { $0 == $1 } }
        }
    }
}
