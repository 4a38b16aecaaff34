import ListDiff

/// A section of the source, with its elements that belong and its elements on which an expression has failed.
struct SourceSection: ListItem {
    /// The section's number, unique in the view.
    let serial: Int
    /// The elements that belong, with what their expressions give; left empty where the view is a filter alone.
    var members = SparseList<Member>()
    /// Which elements belong, where the view is a filter alone.
    var inclusion = InclusionRuns()
    /// The elements that an expression has failed on.
    var faulty = SparseList<FaultyElement>()

    var differenceIdentifier: Int { serial }
    var identityHash: Int { hash(ofSerial: serial) }
    var measure: Counts {
        let listed = inclusion.isWhole ? 0 : inclusion.count
        return Counts(members: members.count, listed: listed, faulty: faulty.count)
    }
    func isContentEqual(to source: SourceSection) -> Bool {
        members.items.isIdentical(to: source.members.items) && inclusion.isIdentical(to: source.inclusion)
            && faulty.items.isIdentical(to: source.faulty.items)
    }

    /// Numbers of elements.
    struct Counts: ListMeasure {
        var members = 0
        /// The elements that belong to a filter and are in a list of its own.
        var listed = 0
        var faulty = 0

        static func += (left: inout Counts, right: Counts) {
            left.members += right.members
            left.listed += right.listed
            left.faulty += right.faulty
        }

        static func -= (left: inout Counts, right: Counts) {
            left.members -= right.members
            left.listed -= right.listed
            left.faulty -= right.faulty
        }
    }
}
