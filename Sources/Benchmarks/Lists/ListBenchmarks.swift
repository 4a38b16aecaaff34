import Foundation
import ListDiff

/// Measures building, walking and searching a persistent list against an array of the same elements.
enum ListBenchmarks {
    /// The length of the long list.
    static let long = 1_000_000
    /// The length of the list whose look-ups are the yardstick.
    static let short = 1_000

    /// Runs all of them and prints a result line for each; it takes about half a minute.
    static func run() throws {
        var random = SplitMix64(seed: 1)
        // In no order: the standard sort would be done at once with elements that are in order already.
        let rows = (0..<long).map { ListedRow(number: $0) }.shuffled(using: &random)
        ListBenchmark(kind: "objects with text identifiers", elements: rows).run()
        ListBenchmark(kind: "UUIDs", elements: (0..<long).map { _ in UUID() }).run()
        LookUpBenchmark(rows: rows).run()
    }
}

/// The element type of a measured list. Generic code over a protocol is specialized by the compiler: no dynamic call
/// adds to the measured time.
private protocol ListSample: ListItem, Equatable {
    /// The sort key of the standard sort.
    static func isOrdered(_ left: Self, _ right: Self) -> Bool
    /// The member of an element that a walk reads.
    var reading: Int { get }
}

/// A list of one kind of elements, with an array of them as the yardstick.
private struct ListBenchmark<Element: ListSample> {
    let kind: String
    let elements: [Element]

    private var name: String {
        "1 x \(elements.count.grouped) \(kind)"
    }

    /// Measures building and walking, each in turn with its yardstick, and prints the result lines.
    func run() {
        build()
        walk()
    }

    private func build() {
        var (building, sorting): ([Duration], [Duration]) = ([], [])
        for _ in 0..<7 {
            var list = PersistentList<Element>()
            var sorted: [Element] = []
            building.append(ContinuousClock().measure { list = PersistentList(elements) })
            sorting.append(ContinuousClock().measure { sorted = elements.sorted(by: Element.isOrdered) })
            guard list.count == elements.count, list.elementsEqual(elements) else {
                refute("the list of \(kind) does not hold the elements in their order")
            }
            keep(sorted)
        }
        BenchmarkResult.times(
            "building a list of \(name)", ours: median(building), yardstick: "sorting them", median(sorting),
            target: .atLeast(1)
        ).report()
    }

    private func walk() {
        let list = PersistentList(elements)
        var (walking, arrayWalking): ([Duration], [Duration]) = ([], [])
        for _ in 0..<51 {
            var (sum, arraySum) = (0, 0)
            walking.append(ContinuousClock().measure { for element in list { sum &+= element.reading } })
            arrayWalking.append(ContinuousClock().measure { for element in elements { arraySum &+= element.reading } })
            guard sum == arraySum else { refute("walking the list of \(kind) reads something else than the array") }
        }
        BenchmarkResult.times(
            "walking a list of \(name)", ours: median(walking), yardstick: "an array", median(arrayWalking),
            target: .atMost(3)
        ).report()
    }
}

/// Look-ups by identifier, in a long list and in a short one.
private struct LookUpBenchmark {
    let rows: [ListedRow]
    /// How many look-ups one reading covers.
    let repeats = 1_000

    /// Measures both in turn, round by round, and prints the result line.
    func run() {
        let long = PersistentList(rows)
        let short = PersistentList(rows.prefix(ListBenchmarks.short))
        var (ours, yardstick): ([Duration], [Duration]) = ([], [])
        var budget = RoundBudget(least: 3, most: 51, time: .seconds(10))
        while budget.next() {
            ours.append(reading(of: long))
            yardstick.append(reading(of: short))
        }
        BenchmarkResult.times(
            "look-up by identifier in 1 x \(long.count.grouped)", ours: median(ours),
            yardstick: "in 1 x \(short.count.grouped)", median(yardstick), target: .none
        ).report()
    }

    private func reading(of list: PersistentList<ListedRow>) -> Duration {
        let places = (0..<repeats).map { _ in Int.random(in: 0..<list.count) }
        let identifiers = places.map { ListedRow.identifier(ofNumber: rows[$0].value) }
        var found: [Int?] = []
        found.reserveCapacity(repeats)
        let time = ContinuousClock().measure {
            for identifier in identifiers {
                found.append(list.firstPosition(hash: identifier.hashValue) { $0.identifier == identifier })
            }
        }
        guard found == places else { refute("a look-up by identifier finds another place") }
        return time / repeats
    }
}

/// An element as a director holds them: an object with a text identifier, whose hash it keeps.
private final class ListedRow: ListSample {
    let identifier: String
    let identityHash: Int
    let value: Int

    init(number: Int) {
        identifier = ListedRow.identifier(ofNumber: number)
        identityHash = identifier.hashValue
        value = number
    }

    static func identifier(ofNumber number: Int) -> String {
        SampleValue.identifier(number)
    }

    static func == (left: ListedRow, right: ListedRow) -> Bool {
        left.value == right.value
    }

    static func isOrdered(_ left: ListedRow, _ right: ListedRow) -> Bool {
        left.identifier < right.identifier
    }

    var differenceIdentifier: String { identifier }

    var reading: Int { value }
}

extension UUID: ListSample {
    fileprivate static func isOrdered(_ left: UUID, _ right: UUID) -> Bool {
        left < right
    }

    fileprivate var reading: Int { Int(uuid.0) }
}
