/// The properties of a director, which depend on its kind.
package enum DirectorProperties: Hashable, Sendable {
    /// Those of a table.
    case table(TableProperties)
    /// Those of a collection.
    case collection(CollectionProperties)
    /// Those of a flow layout.
    case flow(FlowProperties)

    /// The properties that a director of a kind begins with.
    package init(defaultsOf kind: DirectorKind) {
        switch kind {
        case .table: self = .table(TableProperties())
        case .collection: self = .collection(CollectionProperties())
        case .flow: self = .flow(FlowProperties())
        }
    }

    /// The kind that these belong to.
    package var kind: DirectorKind {
        switch self {
        case .table: .table
        case .collection: .collection
        case .flow: .flow
        }
    }
}

/// The properties of a table director.
package struct TableProperties: Hashable, Sendable {
    /// How high rows are.
    package var rowHeight = SizePolicy<Double>.default
    /// How high section headers are.
    package var headerHeight = SizePolicy<Double>.default
    /// How high section footers are.
    package var footerHeight = SizePolicy<Double>.default

    /// Makes the defaults.
    package init() {}
}

/// The properties of a collection director.
package struct CollectionProperties: Hashable, Sendable {
    /// How large items are.
    package var itemSize = SizePolicy<LayoutSize>.default

    /// Makes the defaults.
    package init() {}
}

/// The properties of a flow director; the defaults are those of UIKit's `UICollectionViewFlowLayout`.
package struct FlowProperties: Hashable, Sendable {
    /// What a section's insets are measured from.
    package enum SectionInsetReference: String, Hashable, Sendable, CaseIterable {
        /// The collection view's content inset.
        case fromContentInset
        /// The safe area.
        case fromSafeArea
        /// The layout margins.
        case fromLayoutMargins
    }

    /// How large items are.
    package var itemSize = SizePolicy<LayoutSize>.default
    /// The margins around a section's content.
    package var sectionInsets = EdgeInsets.zero
    /// The least distance between items of one line, in points.
    package var minimumInteritemSpacing = 10.0
    /// The least distance between lines, in points.
    package var minimumLineSpacing = 10.0
    /// Whether headers stay in sight while their section is.
    package var stickyHeaders = false
    /// Whether footers stay in sight while their section is.
    package var stickyFooters = false
    /// What the insets are measured from.
    package var sectionInsetReference = SectionInsetReference.fromContentInset

    /// Makes the defaults.
    package init() {}
}
