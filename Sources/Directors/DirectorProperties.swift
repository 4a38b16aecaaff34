/// The properties of a director, which depend on its kind.
package enum DirectorProperties: Hashable, Sendable {
    /// Those of a table.
    case table(TableProperties)
    /// Those of a collection.
    case collection(CollectionProperties)
    /// Those of a flow layout.
    case flow(FlowProperties)
    /// Those of a stack.
    case stack(StackProperties)

    /// The properties that a director of a kind begins with.
    package init(defaultsOf kind: DirectorKind) {
        switch kind {
        case .table: self = .table(TableProperties())
        case .collection: self = .collection(CollectionProperties())
        case .flow: self = .flow(FlowProperties())
        case .stack: self = .stack(StackProperties())
        }
    }

    /// The kind that these belong to.
    package var kind: DirectorKind {
        switch self {
        case .table: .table
        case .collection: .collection
        case .flow: .flow
        case .stack: .stack
        }
    }
}

/// The properties of a table director; ``fields`` says what each means.
package struct TableProperties: Hashable, Sendable {
    package var rowHeight = SizePolicy<Double>.default
    package var headerHeight = SizePolicy<Double>.default
    package var footerHeight = SizePolicy<Double>.default
    package var isPrefetchingEnabled = true
    package var dragDropEnabled = false

    /// Makes the defaults.
    package init() {}
}

/// The properties of a collection director; ``fields`` says what each means.
package struct CollectionProperties: Hashable, Sendable {
    package var itemSize = SizePolicy<LayoutSize>.default
    package var isPrefetchingEnabled = true
    package var dragDropEnabled = false
    package var layout: CollectionLayout?

    /// Makes the defaults.
    package init() {}
}

/// The properties of a flow director; ``fields`` says what each means. The defaults are those of UIKit's
/// `UICollectionViewFlowLayout`.
package struct FlowProperties: Hashable, Sendable {
    /// The bounds that a section's insets are measured from.
    package enum SectionInsetReference: String, Hashable, Sendable, CaseIterable {
        /// The collection view's content inset.
        case fromContentInset
        /// The safe area.
        case fromSafeArea
        /// The layout margins.
        case fromLayoutMargins
    }

    package var itemSize = SizePolicy<LayoutSize>.default
    package var sectionInsets = EdgeInsets.zero
    package var minimumInteritemSpacing = 10.0
    package var minimumLineSpacing = 10.0
    package var stickyHeaders = false
    package var stickyFooters = false
    package var sectionInsetReference = SectionInsetReference.fromContentInset
    package var isPrefetchingEnabled = true
    package var dragDropEnabled = false

    /// Makes the defaults.
    package init() {}
}

extension TableProperties {
    /// The members of the properties.
    package static let fields = Fields<TableProperties>("a table director", form: "properties") {
        Field("rowHeight", \.rowHeight, .heightPolicy, "How high rows are.")
        Field("headerHeight", \.headerHeight, .heightPolicy, "How high section headers are.")
        Field("footerHeight", \.footerHeight, .heightPolicy, "How high section footers are.")
        Field.prefetching(\.isPrefetchingEnabled)
        Field.dragAndDrop(\.dragDropEnabled)
    }
}

extension CollectionProperties {
    /// The members of the properties.
    package static let fields = Fields<CollectionProperties>("a collection director", form: "properties") {
        Field("itemSize", \.itemSize, .sizePolicy, "How large items are.")
        Field.prefetching(\.isPrefetchingEnabled)
        Field.dragAndDrop(\.dragDropEnabled)
        Field(
            "layout", \.layout, .optional(.layout), since: ContentVersion.views,
            "The layout that shows the items, by its name; the client's own choice unless given.")
    }
}

extension FlowProperties {
    /// The members of the properties.
    package static let fields = Fields<FlowProperties>("a flow director", form: "properties") {
        Field("itemSize", \.itemSize, .sizePolicy, "How large items are.")
        Field("sectionInsets", \.sectionInsets, .insets, "The margins around a section's content.")
        Field(
            "minimumInteritemSpacing", \.minimumInteritemSpacing, .length,
            "The least distance between items of one line, in points.")
        Field("minimumLineSpacing", \.minimumLineSpacing, .length, "The least distance between lines, in points.")
        Field("stickyHeaders", \.stickyHeaders, .boolean, "Whether headers stay in sight while their section is.")
        Field("stickyFooters", \.stickyFooters, .boolean, "Whether footers stay in sight while their section is.")
        Field(
            "sectionInsetReference", \.sectionInsetReference, .choice, "The edges from which the insets are measured.")
        Field.prefetching(\.isPrefetchingEnabled)
        Field.dragAndDrop(\.dragDropEnabled)
    }
}

// The fields that directors of every kind have.
extension Field {
    fileprivate static func prefetching(_ path: any WritableKeyPath<Root, Bool> & Sendable) -> Field {
        Field(
            "isPrefetchingEnabled", path, .unless(true, .boolean), since: ContentVersion.views,
            "Whether clients fetch ahead what may soon come into sight; true, and then left out, unless given.")
    }

    fileprivate static func dragAndDrop(_ path: any WritableKeyPath<Root, Bool> & Sendable) -> Field {
        Field(
            "dragDropEnabled", path, .unless(false, .boolean), since: ContentVersion.views,
            "Whether clients let users drag and drop; false, and then left out, unless given.")
    }
}

/// The kind of view for a director's list.
package enum DirectorKind: String, Hashable, Sendable, CaseIterable {
    /// A table view (FlowKit's `TableDirector`).
    case table
    /// A collection view with a layout of the client's own (`CollectionDirector`).
    case collection
    /// A collection view with a flow layout (`FlowCollectionDirector`).
    case flow
    /// A scroll view with rows one behind the other (ScrollStackController's `ScrollStack`).
    case stack
}
