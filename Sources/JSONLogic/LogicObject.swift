import JSONValues
import Notation

/// An object of values that were not read from one document.
package final class LogicObject: Sendable {
    let names: LogicNames

    /// The members' values, in the order of the names.
    let values: [LogicValue]

    /// About how many bytes the object's text takes.
    let size: Int

    /// How deep arrays and objects are nested, those inside nodes not counted; 1 where there are none inside.
    let depth: Int

    /// Makes an object.
    ///
    /// - Complexity: O(*m*) in the number of members.
    package convenience init(_ members: [Name: LogicValue]) {
        let sorted = members.sorted { $0.key < $1.key }
        self.init(names: LogicNames(sorted.map(\.key.text)), values: sorted.map(\.value))
    }

    init(names: LogicNames, values: [LogicValue]) {
        self.names = names
        self.values = values
        var (size, depth) = (2, 0)
        for (place, value) in values.enumerated() {
            size += names.steps.length(at: place) + value.size + 4
            depth = max(depth, value.depth)
        }
        self.size = size
        self.depth = depth + 1
    }

    /// The value of the member that a step leads to.
    func value(at step: Int, of steps: JSONSteps) -> LogicValue? {
        names.place(of: step, in: steps).map { values[$0] }
    }
}
