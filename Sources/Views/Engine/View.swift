import Directors
import HashTreeCollections
import JSONValues
import ListDiff
import Notation

/// A list that follows from another one: a plan's view of the latest version of its source that it was given.
///
/// A value: a copy shares its memory with the original until one of them takes another version. Equal plans make equal
/// lists of equal versions, whatever versions came in between.
package struct View: Sendable {
    /// The definition with bound parameters and claims.
    package let plan: ViewPlan
    /// The number of the source's version.
    package private(set) var version = 0
    /// The number of the latest version that has changed the view.
    package private(set) var changedVersion = 0
    /// How many elements have been evaluated since the view was made.
    package internal(set) var evaluations = 0

    /// The source's sections at that version.
    var source: PersistentList<Section> = []
    /// The source's variables at that version.
    var variables: TreeDictionary<Name, JSONValue> = [:]
    /// The same sections, each with the elements that belong.
    var sources: PersistentList<SourceSection> = []
    /// The view's sections: one for each of the source's, or one for each key.
    var buckets: PersistentList<Bucket> = []
    /// The shown sections.
    var content: PersistentList<Section> = []
    /// The totals.
    var totals: ViewTotals
    private var serials = 0

    /// Makes the view of a version of its source.
    ///
    /// - Complexity: O(*n* log *n*) in the number of the source's elements, and what evaluating them costs.
    package init(_ plan: ViewPlan, of source: PublishedState, variables: TreeDictionary<Name, JSONValue> = [:]) {
        self.plan = plan
        totals = ViewTotals(plan.definition)
        if plan.definition.sectioning == .single {
            let header = Section(
                identifier: ViewSectioning.singleIdentifier, attributes: .none, list: [])
            let bucket = Bucket(serial: makeSerial(), header: header, keepsEmpty: true, cap: plan.definition.limit)
            put([bucket], in: 0..<0)
        }
        update(to: source.list.content, variables)
        _ = totals.settle()
        version = source.version
        changedVersion = source.version
    }

    /// The list as readers get it.
    package var list: ListState { ListState(content: content) }

    /// The totals as one object by name; nil if the definition has none.
    package var totalsText: JSONValue? { totals.isEmpty ? nil : totals.json }

    /// The memory that the view takes beside its source and the values it shows, estimated: a member with its places for each
    /// element that belongs, also beyond a limit; a place alone in a filter, and nothing where all elements of a section belong.
    ///
    /// - Complexity: O(1).
    package var memory: Int { 256 * sources.measure.members + 48 * sources.measure.listed }

    /// The list with the number of the source's version.
    package var published: PublishedState { PublishedState(version: version, list: list) }

    /// The name of the source.
    package var sourceName: String { plan.definition.source }

    /// Takes a version of the source, however many versions lie in between.
    ///
    /// The view's changeset leads from its earlier list to the new one, as a reload's does.
    ///
    /// - Parameters:
    ///   - source: The version.
    ///   - variables: The source's variables at that version.
    /// - Returns: What has changed; nil if the view is as it was.
    /// - Complexity: For *k* elements that differ from the earlier version's, out of *n*, O(*k* log *n*) without an
    ///   order or sections of the view's own, else O(*k* log² *n*); the nodes that both versions share are not looked
    ///   at. With a limit for the whole view O(*s*) more for the *s* sections that it shows. All elements are evaluated
    ///   where a variable that expressions read has changed, and all of a section where its title has and is read.
    package mutating func apply(
        _ source: PublishedState, variables: TreeDictionary<Name, JSONValue> = [:]
    ) -> ViewChange? {
        let (before, earlier) = (content, changedVersion)
        update(to: source.list.content, variables)
        version = source.version
        let changeset = StagedChangeset(from: before, to: content)
        let hasNewTotals = totals.settle()
        guard !changeset.isEmpty || hasNewTotals else { return nil }
        changedVersion = source.version
        return ViewChange(
            from: earlier, version: source.version, changeset: changeset, counts: list.counts,
            totals: hasNewTotals ? totals : nil)
    }

    /// A number that no other entry of the view has.
    mutating func makeSerial() -> Int {
        serials += 1
        return serials
    }
}

/// The way from one list of a view to the next.
package struct ViewChange: Sendable {
    /// The source's version that the change starts from: the latest that has changed the view.
    package let from: Int
    /// The source's version that it leads to.
    package let version: Int
    /// The stages, and what is replaced after them; empty where totals alone have changed.
    package let changeset: StagedChangeset<Section>
    /// The numbers of sections and elements at the new version.
    package let counts: ListCounts
    /// The totals; nil where they are as they were.
    package let totals: ViewTotals?

    /// The change as a director of a name announces it.
    ///
    /// - Parameters:
    ///   - director: The view's name.
    ///   - epoch: Which life of the view.
    ///   - animations: Those of the source's change.
    ///   - causes: The mutations that the source's change is the first to show.
    package func published(
        as director: String, epoch: String, animations: Animations?, causes: CauseList
    ) -> PublishedChange {
        PublishedChange(
            director: director, epoch: epoch, from: from, version: version, animations: animations, causes: causes,
            changeset: changeset, counts: counts, totals: totals?.json)
    }
}
