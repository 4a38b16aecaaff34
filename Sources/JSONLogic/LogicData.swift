import JSONValues

/// The data that an expression is evaluated on: one value, or members that are held apart.
///
/// Members can be exchanged one by one, so that an expression is evaluated on many elements without building an object
/// for each.
package struct LogicData: Sendable {
    /// The names of the members; none where the data is one value.
    let names: LogicNames

    /// The members' values in the order of their names, or the one value.
    private(set) var values: [LogicValue]

    /// Takes one value of any kind as the data.
    package init(_ value: LogicValue) {
        names = LogicNames([])
        values = [value]
    }

    /// Makes an object of members as the data; each name counts once, and a later one is left out.
    package init(members: KeyValuePairs<String, LogicValue>) {
        var (names, values): ([String], [LogicValue]) = ([], [])
        for (name, value) in members where !names.contains(name) {
            names.append(name)
            values.append(value)
        }
        self.names = LogicNames(names)
        self.values = values
    }

    /// The place of a member, to exchange its value often; nil where there is none of this name.
    ///
    /// - Complexity: O(1).
    package func place(of name: String) -> Int? {
        var steps = JSONSteps()
        return names.place(of: steps.append(name), in: steps)
    }

    /// The value of the member at a place that ``place(of:)`` gave.
    package subscript(place: Int) -> LogicValue {
        get { values[place] }
        set { values[place] = newValue }
    }

    /// Whether the data is one value.
    var isOneValue: Bool {
        names.steps.steps.isEmpty && !values.isEmpty
    }

    /// The whole as one value.
    ///
    /// - Complexity: O(*m*) in the number of members.
    var whole: LogicValue {
        isOneValue ? values[0] : .object(LogicObject(names: names, values: values))
    }
}
