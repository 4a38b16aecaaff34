import JSONValues
import ListDiff

/// A row as a reload has evaluated it.
///
/// An object, which does not change: where a list of rows changes, the neighbours are copied.
final class EvaluatedRow: Sendable {
    /// The row that was evaluated.
    let row: Row

    /// The values of the row as a whole.
    let common: EvaluatedMembers

    /// How many elements it shows.
    let shown: Int

    /// Whether each element is visible, if the expression that hides them reads them; nil if all or none are visible.
    let visibility: PersistentList<VisibleElement>?

    /// The adapters of the elements.
    let displays: DisplayCache

    /// The steps that evaluating the row as a whole takes; at least so many where elements have changed since.
    let steps: Int

    init(
        row: Row, common: EvaluatedMembers, shown: Int, visibility: PersistentList<VisibleElement>?,
        displays: DisplayCache, steps: Int
    ) {
        self.row = row
        self.common = common
        self.shown = shown
        self.visibility = visibility
        self.displays = displays
        self.steps = steps
    }

    /// Whether the row shows nothing because of what it says: a model row without elements is not hidden.
    var isHidden: Bool {
        common.isHidden || visibility.map { $0.count > 0 && shown == 0 } ?? false
    }
}

extension EvaluatedRow: ListItem {
    /// The row's identifier.
    var differenceIdentifier: RowIdentity { row.differenceIdentifier }

    /// A hash of the identifier.
    var identityHash: Int { row.identityHash }

    /// How many elements are shown, and whether the row is.
    var measure: ShownMeasure {
        ShownMeasure(elements: shown, items: isHidden ? 0 : 1, steps: steps)
    }

    /// Not asked: evaluated rows are not compared.
    func isContentEqual(to source: EvaluatedRow) -> Bool {
        row.isUnchanged(since: source.row)
    }
}

/// Whether an element of a row is shown.
///
/// It does not hold the element: one that changes and is shown as before needs no other.
struct VisibleElement: ListItem, Equatable, Sendable {
    /// A hash of the element's identifier.
    let identityHash: Int
    let isShown: Bool

    init(element: Element, isShown: Bool) {
        identityHash = element.identityHash
        self.isShown = isShown
    }

    /// Not asked: these are not compared.
    var differenceIdentifier: Int { identityHash }

    /// One where it is shown.
    var measure: ShownMeasure { ShownMeasure(elements: isShown ? 1 : 0, items: 1) }

    /// Not asked.
    func isContentEqual(to source: VisibleElement) -> Bool {
        self == source
    }
}

/// The sums over lists of evaluated rows, sections and elements.
struct ShownMeasure: ListMeasure {
    /// The elements that are shown.
    var elements: Int
    /// The items of the list that are shown.
    var items: Int
    /// The steps that evaluating all of it takes.
    var steps: Int

    init(elements: Int, items: Int, steps: Int = 0) {
        self.elements = elements
        self.items = items
        self.steps = steps
    }

    init() {
        self.init(elements: 0, items: 0)
    }

    static func += (left: inout ShownMeasure, right: ShownMeasure) {
        left.elements += right.elements
        left.items += right.items
        left.steps += right.steps
    }

    static func -= (left: inout ShownMeasure, right: ShownMeasure) {
        left.elements -= right.elements
        left.items -= right.items
        left.steps -= right.steps
    }
}

extension EvaluatedRow {
    /// Evaluates a row as a whole.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - section: The section that it is in.
    ///   - earlier: What the row showed before; its adapters are used again where they fit.
    ///   - evaluation: The reload's evaluation.
    /// - Returns: The evaluated row, and the elements that it shows.
    /// - Complexity: O(*e*) in the number of its elements; O(1) where the row is hidden as a whole.
    static func evaluate(
        _ row: Row, in section: Section, earlier: EvaluatedRow?, _ evaluation: inout RowEvaluation
    ) throws(RowFailure) -> (row: EvaluatedRow, elements: [Element]) {
        var evaluator = RowEvaluator(row.settings, in: section)
        let start = evaluation.steps
        let common = try evaluator.common(&evaluation)
        return try evaluate(row, common, evaluator: &evaluator, earlier: earlier, since: start, &evaluation)
    }

    /// Evaluates what depends on the row's elements.
    ///
    /// - Parameter start: The evaluation's steps before those of the row.
    static func evaluate(
        _ row: Row, _ common: EvaluatedMembers, evaluator: inout RowEvaluator, earlier: EvaluatedRow?,
        since start: Int, _ evaluation: inout RowEvaluation
    ) throws(RowFailure) -> (row: EvaluatedRow, elements: [Element]) {
        let settings = row.settings
        var displays = earlier?.row.settings === settings ? earlier?.displays ?? DisplayCache() : DisplayCache()
        if common.isHidden {
            let hidden = EvaluatedRow(
                row: row, common: common, shown: 0, visibility: nil, displays: displays,
                steps: evaluation.steps - start)
            return (hidden, [])
        }
        evaluation.charge(elements: max(row.elements.count, 1))
        try evaluation.check("")
        if let adapter = settings.constantAdapter {
            let element = Element(
                restoring: settings.value ?? JSONValue { $0.null() }, identifier: settings.identifier,
                adapter: displays.adapter(for: common, adapter, settings))
            let constant = EvaluatedRow(
                row: row, common: common, shown: 1, visibility: nil, displays: displays,
                steps: evaluation.steps - start)
            return (constant, [element])
        }
        var shown: [Element] = []
        shown.reserveCapacity(row.elements.count)
        if !settings.reads.readsElement {
            // They show the same, so that one look at what the adapters are is enough for each that is registered.
            var adapters: (registered: CellAdapter, shown: CellAdapter)?
            for element in row.elements {
                let own = element.adapter
                let adapter =
                    if let adapters, adapters.registered === own { adapters.shown } else {
                        displays.adapter(for: common, own, settings)
                    }
                adapters = (own, adapter)
                shown.append(Element(showing: element, adapter: adapter))
            }
            let evaluated = EvaluatedRow(
                row: row, common: common, shown: shown.count, visibility: nil, displays: displays,
                steps: evaluation.steps - start)
            return (evaluated, shown)
        }
        var visibility: [VisibleElement]? = settings.hidesElements ? [] : nil
        var index = 0
        for element in row.elements {
            let face = try evaluator.face(of: element, at: index, common, &displays, &evaluation)
            if let face { shown.append(face) }
            visibility?.append(VisibleElement(element: element, isShown: face != nil))
            index += 1
        }
        let evaluated = EvaluatedRow(
            row: row, common: common, shown: shown.count, visibility: visibility.map { PersistentList($0) },
            displays: displays, steps: evaluation.steps - start)
        return (evaluated, shown)
    }
}

extension RowSettings {
    /// Whether elements are hidden one by one.
    var hidesElements: Bool {
        values.hideWhen.map { asksEach($0.reads) } ?? false
    }
}

extension RowEvaluator {
    /// The element as the row publishes it; nil where it is hidden.
    mutating func face(
        of element: Element, at index: Int, _ common: EvaluatedMembers, _ displays: inout DisplayCache,
        _ evaluation: inout RowEvaluation
    ) throws(RowFailure) -> Element? {
        var own = common
        if settings.reads.readsElement {
            guard let evaluated = try evaluate(common, for: element, at: index, &evaluation) else { return nil }
            own = evaluated
        }
        return Element(showing: element, adapter: displays.adapter(for: own, element.adapter, settings))
    }
}
