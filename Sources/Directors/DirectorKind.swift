/// What kind of view shows a director's list.
package enum DirectorKind: String, Hashable, Sendable, CaseIterable {
    /// A table view (FlowKit's `TableDirector`).
    case table
    /// A collection view with a layout of the client's own (`CollectionDirector`).
    case collection
    /// A collection view with a flow layout (`FlowCollectionDirector`).
    case flow
}
