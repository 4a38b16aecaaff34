import Directors
import JSONLogic
import JSONValues
import Notation

/// The rule by which a list follows from another one: the elements that belong, their sections, their order, and the
/// part of them that is shown.
///
/// A definition is a value without any content. ``fields`` says what each member means.
package struct ViewDefinition: Equatable, Sendable {
    /// The name of the source, a director.
    @Verbatim package var source = ""
    /// The parameters that readers bind, in the order of the definition.
    package var parameters: [ViewParameter] = []
    /// The condition by which an element belongs; nil if all do.
    package var condition: LogicExpression?
    /// The sections; nil for those of the source.
    package var sectioning: ViewSectioning?
    /// Whether sections of the source without elements are shown.
    package var keepsEmpty = false
    /// The keys of the order, the first one deciding first; none for the order of the source.
    package var sort: [ViewSortRule] = []
    /// The largest number of shown elements; nil for no limit.
    package var limit: Int?
    /// The list that the limit counts; nil for the view.
    package var limitBy: ViewScope?
    /// The shown parts of an element's value; nil for the whole value.
    package var shownFields: [JSONPointer]?
    /// The totals, in the order of the definition.
    package var totals: [ViewTotal] = []

    /// The list that the limit counts.
    package var limitScope: ViewScope { limitBy ?? .view }

    /// Makes a definition with every member at its default.
    package init() {}

    /// The largest number of parameters.
    package static let maximumParameters = 32
    /// The largest number of sort keys.
    package static let maximumSortKeys = 8
    /// The largest number of shown fields, and of totals.
    package static let maximumFields = 64
    /// The largest number of totals.
    package static let maximumTotals = 16
}

/// The list that a limit or a total is about.
package enum ViewScope: String, CaseIterable, Hashable, Sendable {
    /// The view as a whole.
    case view
    /// Each of its sections.
    case section
}

/// The direction of an order.
package enum ViewDirection: String, CaseIterable, Hashable, Sendable {
    /// The least key is first.
    case ascending
    /// The greatest key is first.
    case descending
}

extension ViewDefinition {
    /// The members of a view's definition.
    package static let fields = Fields<ViewDefinition>("a view") {
        Field("from", \.source, .name, isRequired: true, "The director that the list follows from.")
        Field("parameters", \.parameters, .viewParameters, "The parameters that readers bind, by name.")
        Field(
            "where", \.condition, .optional(.expression),
            "Which published elements belong: an expression over `value`, `model`, `id`, `section`, `variables`, "
                + "`parameters` and `claims`. Left out, all belong.")
        Field(
            "sectionBy", \.sectioning, .optional(.sectioning, keepingNull: true),
            "The sections: left out, those of the source; null, one section; else a section for each value of `key`.")
        Field(
            "keepEmpty", \.keepsEmpty, .nullable(.boolean),
            "Whether sections of the source are shown without elements; only where `sectionBy` is left out.")
        Field("sortBy", \.sort, .sortRules, "The keys of the order; left out, the order of the source.")
        Field("limit", \.limit, .optional(.count), "The largest number of elements.")
        Field("limitBy", \.limitBy, .optional(.choice), "The list that `limit` counts; left out, the view.")
        Field(
            "fields", \.shownFields, .optional(.viewFields),
            "JSON pointers to the parts of a value that readers get; a change outside them publishes nothing.")
        Field("totals", \.totals, .totals, "Numbers over the elements that belong, before `limit`, by name.")
    }
}
