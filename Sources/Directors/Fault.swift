import JSONValues

/// One thing that is wrong with a body, and where in it.
package struct Fault: Hashable, Sendable {
    /// The most faults that one error reports: enough to mend a body in one go, few enough to read.
    package static let limit = 20

    /// The JSON pointer (RFC 6901) to what is wrong, or to what it is inside of where the pointer would be too long.
    package let pointer: String

    /// The fault and its remedy, in a sentence.
    package var detail: String

    /// Pairs a place with what is wrong there.
    package init(pointer: String, detail: String) {
        self.pointer = JSONPointer.bounded(pointer)
        self.detail = detail
    }

    /// The fault as seen from further out.
    package func inside(_ prefix: String) -> Fault {
        Fault(pointer: prefix + pointer, detail: detail)
    }
}

extension Fault: CustomStringConvertible {
    /// Both parts.
    package var description: String {
        pointer.isEmpty ? detail : "\(pointer): \(detail)"
    }
}

/// Gathers faults up to the limit while something is read on.
package struct FaultList {
    /// The faults in the order in which they were found.
    package private(set) var faults: [Fault] = []

    /// The remaining bounds of a body, and its expressions that are compiled already.
    var reading = ReadingContext()

    /// Makes an empty list.
    package init() {}

    /// Whether nothing is wrong so far.
    package var isEmpty: Bool { faults.isEmpty }

    /// Whether further faults would be left out.
    package var isFull: Bool { faults.count >= Fault.limit }

    /// Adds a fault, unless there are as many as an error reports.
    package mutating func append(_ fault: Fault) {
        if !isFull { faults.append(fault) }
    }

    /// Adds a fault at a pointer.
    package mutating func append(_ pointer: String, _ detail: String) {
        append(Fault(pointer: pointer, detail: detail))
    }
}
