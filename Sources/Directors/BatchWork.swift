import JSONValues

/// Counts what the operations of one batch make a director do that is out of proportion to their length.
///
/// A patch of ten bytes rewrites a value of any length, and an adapter of a hundred bytes reads every element anew. One of
/// either is as long as a list makes it; a batch of thousands would keep a director's loop for minutes.
struct BatchWork {
    private let limits: DirectorLimits
    private var patched = 0
    private var adopted = 0

    /// Counts from zero.
    init(limits: DirectorLimits) {
        self.limits = limits
    }

    /// Adds what an operation is about to do.
    ///
    /// - Complexity: O(log *n*) for a patch, O(1) for anything else.
    /// - Throws: That the batch would do too much; what is wrong with the operation besides is found when it is performed.
    mutating func add(_ operation: Operation, to director: Director) throws(DirectorError) {
        switch operation {
        case .patchElement(let section, let row, let element, _):
            guard let found = try? director.working.list.element(at: element, in: section, row: row).element
            else { return }
            patched += found.value.bytes.count
            try check(patched, limits.patchedLength, "/patch", "bytes of values are rewritten by the patches")
        case .setAdapter(let adapter):
            guard let earlier = director.adapters.cells[adapter.model], earlier != adapter else { return }
            adopted += director.working.list.elementCount
            try check(adopted, limits.elements, "/value", "elements are read anew by the adapters")
        default: return
        }
    }

    private func check(_ count: Int, _ limit: Int, _ pointer: String, _ what: String) throws(DirectorError) {
        guard count > limit else { return }
        let detail = "more than \(limit) \(what) of one batch; send them in several"
        throw DirectorError(.refused([Fault(pointer: pointer, detail: detail)]), pointer: pointer)
    }
}
