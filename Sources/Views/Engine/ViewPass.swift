import Directors
import HashTreeCollections
import JSONValues
import Notation

/// The state of a pass over the changes of a source.
struct ViewPass {
    var evaluation: ElementEvaluation
    /// Whether every element is evaluated again.
    var evaluatesAll = false
    /// The changes that still have to find their places.
    var changes: [MemberChange] = []

    init(_ plan: ViewPlan, variables: TreeDictionary<Name, JSONValue>) {
        evaluation = ElementEvaluation(plan, variables: variables)
    }
}

/// A member that comes, goes, or takes the place of its earlier state, whose serial it then has.
struct MemberChange {
    let old: Member?
    let new: Member?
}
