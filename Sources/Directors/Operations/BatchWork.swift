import JSONValues

/// Counts what operations make a director do that is out of proportion to their length.
///
/// A patch of ten bytes rewrites a value of any length, and an adapter of a hundred bytes reads every element anew: a batch
/// of thousands would keep a director's loop for minutes, and so would a log of thousands of records at a start. A unit is
/// some nanoseconds' worth, so that the default bound is about a second.
struct BatchWork {
    /// About a second's worth.
    static let second = 256 * 1024 * 1024
    /// About ten milliseconds' worth: the longest turn of a command on a loop.
    static let turn = second / 100
    /// The cost of each step of an expression.
    static let step = 16
    /// The cost of each element that a reload shows, hides or compares.
    static let shownElement = 128
    /// The cost of any operation: finding its place and copying the way there.
    static let operation = 1_024
    /// The cost of each byte of a value that is merged, read and written anew.
    static let patchedByte = 4
    /// The cost of each byte of a row's template that is merged and searched for expressions.
    static let templateByte = 16
    /// The cost of each element that a search for a model looks at.
    static let scannedElement = 8
    /// The cost of each element that is made anew for another adapter, with the values read before.
    static let takenElement = 256
    /// The cost of each element whose identifier is compared with the others.
    static let comparedElement = 256
    /// The cost of each element that an adapter reads anew, besides its bytes.
    static let adoptedElement = 256

    private let limit: Int
    private(set) var units = 0

    /// Counts from zero.
    ///
    /// - Parameter limit: The units that may not be passed.
    init(limit: Int) {
        self.limit = limit
    }

    /// Adds what an operation is about to do.
    ///
    /// - Complexity: O(log *n*).
    /// - Returns: Its price.
    /// - Throws: That the batch would do too much; what is wrong with the operation besides is found when it is performed.
    @discardableResult
    mutating func add(_ operation: Operation, to director: Director) throws(DirectorError) -> Price {
        let price = BatchWork.price(of: operation, on: director)
        // Held to the bound even if nothing else is: what is read of an element may be any multiple of its own length.
        let bound = director.limits.batchWork
        guard price.reading <= bound else { throw BatchWork.tooMuch(bound, price.pointer) }
        try add(price.units + price.reading, price.pointer)
        return price
    }

    /// Adds the cost of a patched element, whose value is written anew in its whole length.
    ///
    /// - Returns: The units.
    mutating func add(patched element: Element) throws(DirectorError) -> Int {
        let units = BatchWork.patchedByte * element.value.bytes.count + element.adapter.readingUnits
        try add(units, "/patch")
        return units
    }

    /// The cost of taking over a model's elements: none for a new model.
    static func units(adopting adapter: CellAdapter, on director: Director) -> Int {
        guard let earlier = director.adapters.cells[adapter.model], earlier != adapter else { return 0 }
        let list = director.working.list
        let looksUp = adapter.isUnique && director.limits.checksIdentifiers
        var units = (looksUp ? comparedElement : 0) * list.elementCount
        guard !adapter.readsAs(earlier) else { return units + takenElement * list.elementCount }
        units += (adoptedElement + adapter.readingUnits) * list.elementCount
        // What they hold is read too, all of it: which of them are of the model is known only then.
        return units + list.memory
    }

    /// Adds units.
    private mutating func add(_ more: Int, _ pointer: String) throws(DirectorError) {
        units += more
        guard units <= limit else { throw BatchWork.tooMuch(limit, pointer) }
    }

    private static func tooMuch(_ limit: Int, _ pointer: String) -> DirectorError {
        let detail =
            "the request does more work than is done at once (a bound of \(limit) units: \(patchedByte) for each byte that "
            + "a patch rewrites, \(takenElement) for each element that another adapter shows, \(adoptedElement) for each "
            + "that it reads anew, \(BatchWork.pointer) for each pointer that an adapter follows in an element, "
            + "\(templatePart) for each part and \(literalByte) for each literal byte of its identifier, \(operation) for "
            + "each operation); send it in several"
        return DirectorError(.refused([Fault(pointer: pointer, detail: detail)]), pointer: pointer)
    }

    /// Refuses an adapter that would take over more elements than is done at once.
    static func check(adopting units: Int, on director: Director) throws(DirectorError) {
        let limit = director.limits.batchWork
        guard units > limit else { return }
        let detail =
            "taking over \(director.working.list.elementCount) elements is more work than is done at once (a bound of "
            + "\(limit) units: \(takenElement) for each element that another adapter shows, \(adoptedElement) and its "
            + "memory's bytes for each that it reads anew); empty the list, register the adapter, and put the list in its "
            + "place again by PUT …/content: subscribers see what the reload after that shows"
        throw DirectorError(.refused([Fault(pointer: "", detail: detail)]))
    }
}

extension CellAdapter {
    /// Whether identifiers and content are read in the same way as by another adapter.
    func readsAs(_ other: CellAdapter) -> Bool {
        values.identifier == other.values.identifier && values.content == other.values.content
    }
}
