import JSONValues
import Notation

/// How much a director may hold. A change beyond a limit is refused and changes nothing.
package struct DirectorLimits: Hashable, Sendable {
    /// Sections.
    package var sections: Int
    /// Elements of all sections together.
    package var elements: Int
    /// Rows of all sections together.
    package var rows: Int
    /// Variables.
    package var variables: Int
    /// Cell adapters, and as many header and footer adapters.
    package var adapters: Int
    /// Event hooks of all adapters, of the director and of its scroll view together.
    package var hooks: Int
    /// Bytes of one value's text.
    package var valueLength: Int
    /// Levels of arrays and objects in one value.
    package var valueDepth: Int
    /// Bytes of one JSON pointer of an adapter.
    package var pointerLength: Int
    /// Sections that one request brings in.
    package var sectionsOfRequest: Int
    /// Bytes of the expressions that one request brings in.
    package var expressionLength: Int
    /// The cost of one batch beyond its length, in units of some nanoseconds; see `BatchWork`.
    package var batchWork: Int
    /// Steps that the expressions of one reload take together; see `LogicLimits` for what a step is. The expressions of
    /// all rows, which a restart evaluates at once, take at most twice as many.
    package var evaluationSteps: Int
    /// Whether sections are refused members that the director's kind does not have; false for what was accepted once.
    package var holdsSectionsToKind: Bool
    /// Whether identifiers with control characters are refused, and second elements of an identifier that is unique; false
    /// for what was accepted once.
    package var checksIdentifiers: Bool

    /// Makes limits; the defaults suit a server with a few gigabytes of memory.
    package init(
        sections: Int = 1_000_000,
        elements: Int = 5_000_000,
        rows: Int = 100_000,
        variables: Int = 10_000,
        adapters: Int = 10_000,
        hooks: Int = 10_000,
        valueLength: Int = 16 * 1024 * 1024,
        valueDepth: Int = 100,
        pointerLength: Int = 1024,
        sectionsOfRequest: Int = 150_000,
        expressionLength: Int = 4 * 1024 * 1024,
        batchWork: Int = BatchWork.second,
        evaluationSteps: Int = 10_000_000,
        holdsSectionsToKind: Bool = true,
        checksIdentifiers: Bool = true
    ) {
        self.sections = sections
        self.elements = elements
        self.rows = rows
        self.variables = variables
        self.adapters = adapters
        self.hooks = hooks
        self.valueLength = valueLength
        self.valueDepth = valueDepth
        self.pointerLength = pointerLength
        self.sectionsOfRequest = sectionsOfRequest
        self.expressionLength = expressionLength
        self.batchWork = batchWork
        self.evaluationSteps = evaluationSteps
        self.holdsSectionsToKind = holdsSectionsToKind
        self.checksIdentifiers = checksIdentifiers
    }

    /// The fault of a new identifier; nil without one.
    ///
    /// - Parameters:
    ///   - what: The identifier's owner, for the fault.
    ///   - earlier: The replaced identifier, which stays valid in any case.
    func fault(inIdentifier identifier: String, of what: String, since earlier: String? = nil) -> String? {
        guard checksIdentifiers, Name.hasControls(identifier), !earlier.isVerbatim(identifier) else { return nil }
        return "\(what) has no control characters"
    }

    /// The fault of a new section's identifier; nil without one.
    ///
    /// It may be a step of a path, as an element's may: both are found by their position, too.
    func fault(inSection identifier: String, since earlier: String?) -> String? {
        fault(inIdentifier: identifier, of: "a section's id", since: earlier)
    }

    /// Refuses a new name that stands in paths, of a variable, a model or a view.
    ///
    /// - Parameter member: The member of the operation that has it.
    func check(newName name: String, in member: String) throws(DirectorError) {
        guard checksIdentifiers, let detail = Name.pathFault(in: name) else { return }
        throw DirectorError(.refused([Fault(pointer: "/\(member)", detail: detail)]), pointer: "/\(member)")
    }

    /// Whether it is performed again what was stored, perhaps by an earlier program.
    var areOfStored: Bool { !checksIdentifiers }

    /// Steps that evaluating all rows may take.
    var evaluationStepsOfAll: Int {
        let (twice, isBeyond) = evaluationSteps.multipliedReportingOverflow(by: 2)
        return isBeyond ? .max : twice
    }

    /// The fault of a value's length or depth; nil without one.
    func fault(in value: JSONValue) -> String? {
        if value.bytes.count > valueLength { return "the value is longer than \(valueLength) bytes" }
        return value.isDeeper(than: valueDepth) ? "the value is nested deeper than \(valueDepth) levels" : nil
    }
}
