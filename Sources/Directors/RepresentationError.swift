/// Why a body is not the JSON form of what it was to be: every fault that was found, up to a limit.
package struct RepresentationError: Error, Hashable, Sendable {
    /// The faults, at least one, in the order of the body where practical; at most `Fault.limit`.
    package let faults: [Fault]

    /// Makes an error of at least one fault; of none it says that the body cannot be used.
    package init(_ faults: [Fault]) {
        self.faults = faults.isEmpty ? [Fault(pointer: "", detail: "the body cannot be used")] : faults
    }

    /// A merge patch that is no object.
    static let notPatch = RepresentationError([Fault(pointer: "", detail: "expected a merge patch, an object")])

    /// The place of the first fault.
    package var pointer: String {
        faults.first?.pointer ?? ""
    }

    /// What is wrong there.
    package var detail: String {
        faults.first?.detail ?? ""
    }
}

extension RepresentationError: CustomStringConvertible {
    /// All faults.
    package var description: String {
        faults.map(\.description).joined(separator: "; ")
    }
}
