/// The properties of a stack director; ``fields`` says what each means.
package struct StackProperties: Hashable, Sendable {
    /// The direction in which the rows of a stack follow each other.
    package enum Axis: String, Hashable, Sendable, CaseIterable {
        /// From top to bottom.
        case vertical
        /// From one side to the other, as the language is read.
        case horizontal
    }

    package var axis = Axis.vertical
    package var style: RowStyle?

    /// Makes the defaults.
    package init() {}
}

extension StackProperties {
    /// The members of the properties.
    package static let fields = Fields<StackProperties>("a stack director", form: "properties") {
        Field("axis", \.axis, .choice, "The direction in which the rows follow each other.")
        RowStyle.fields(get: { $0.style }, set: { $0.style = $1 })
    }
}
