import JSONValues

/// Counts what the operations of one batch make a director do that is out of proportion to their length.
///
/// A patch of ten bytes rewrites a value of any length, and an adapter of a hundred bytes reads every element anew. One of
/// either is as long as a list makes it; a batch of thousands would keep a director's loop for minutes. A unit is some
/// nanoseconds' worth, so that the default bound is about a second.
struct BatchWork {
    /// What each operation costs, whatever it does: finding its place and copying the way there.
    static let operation = 1_024
    /// What each byte of a value costs that is merged, read and written anew.
    static let patchedByte = 4
    /// What each byte of a row's template costs that is merged and searched for expressions.
    static let templateByte = 16
    /// What each element costs that is looked at to find those of a model.
    static let scannedElement = 8
    /// What each element costs that an adapter reads anew, besides its bytes.
    static let adoptedElement = 256

    private let limit: Int
    private(set) var units = 0

    /// Counts from zero.
    init(limits: DirectorLimits) {
        limit = limits.batchWork
    }

    /// Adds what an operation is about to do.
    ///
    /// Every operation stands here: what a new one costs beyond its own text is said before it can be performed.
    ///
    /// - Complexity: O(log *n*).
    /// - Throws: That the batch would do too much; what is wrong with the operation besides is found when it is performed.
    mutating func add(_ operation: Operation, to director: Director) throws(DirectorError) {
        var (units, pointer) = (BatchWork.operation, "")
        switch operation {
        case .patchElement(let section, let row, let element, _):
            pointer = "/patch"
            if let found = try? director.working.list.element(at: element, in: section, row: row).element {
                units += BatchWork.patchedByte * found.value.bytes.count
            }
        case .patchRow(let section, let address, let patch):
            pointer = "/patch"
            if let row = try? director.working.list.row(at: address, in: section).row {
                units += BatchWork.units(patching: row.settings.values, patch.document.root)
            }
        case .setAdapter(let adapter):
            pointer = "/value"
            guard let earlier = director.adapters.cells[adapter.model], earlier != adapter else { break }
            let each = adapter.readsAs(earlier) ? BatchWork.scannedElement : BatchWork.adoptedElement
            units += each * director.working.list.elementCount
            // What they hold is read too, all of it: which of them are of the model is known only then.
            if !adapter.readsAs(earlier) { units += director.working.list.memory }
        case .removeAdapter:
            pointer = "/model"
            let count = director.working.list.elementCount + director.published.list.elementCount
            units += BatchWork.scannedElement * count
        // These cost what they bring in, or a few steps down a list: texts that stay are not copied.
        case .setSections, .addSections, .setSection, .patchSection, .removeSection, .removeSections,
            .removeAllSections, .moveSection, .swapSections, .setElements, .addElements, .setElement, .removeElement,
            .removeElements, .removeAllElements, .moveElement, .swapElements, .setRows, .addRows, .setRow, .removeRow,
            .removeRows, .removeAllRows, .moveRow, .swapRows, .setVariable, .removeVariable:
            break
        }
        try add(units, pointer)
    }

    /// Adds units.
    private mutating func add(_ more: Int, _ pointer: String) throws(DirectorError) {
        units += more
        guard units > limit else { return }
        let detail =
            "the batch does more work than is done at once (a bound of \(limit) units: \(BatchWork.patchedByte) for each "
            + "byte that a patch rewrites, \(BatchWork.adoptedElement) for each element that an adapter reads anew, "
            + "\(BatchWork.operation) for each operation); send it in several"
        throw DirectorError(.refused([Fault(pointer: pointer, detail: detail)]), pointer: pointer)
    }

    /// What a patch of a row costs: members that it does not have stay as they are.
    private static func units(patching values: RowSettings.Values, _ patch: JSONNode) -> Int {
        var units = 0
        if patch["value"] != nil { units += patchedByte * (values.value?.bytes.count ?? 0) }
        if patch["additionalConfig"] != nil {
            units += templateByte * (values.additionalConfig?.source.bytes.count ?? 0)
        }
        return units
    }
}

extension CellAdapter {
    /// Whether identifiers and content are read in the same way as by another adapter.
    func readsAs(_ other: CellAdapter) -> Bool {
        values.identifier == other.values.identifier && values.content == other.values.content
    }
}
