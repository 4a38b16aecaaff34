extension LogicProgram {
    /// `merge`: the arguments in one array, those that are arrays element by element.
    func merge(
        _ instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        var merged: [LogicValue] = []
        try forEachArgument(instruction, place, data, &state) { value, state throws(LogicFailure) in
            guard value.kind == .array else {
                merged.append(value)
                return
            }
            try forEachElement(value, place, &state) { element, _ throws(LogicFailure) in merged.append(element) }
        }
        return try state.array(merged, at: place)
    }
}
