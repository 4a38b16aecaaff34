import Foundation
import ListDiff

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

/// A stage's places in the form that UIKit takes them.
struct StageIndexes {
    let sectionDeleted: IndexSet
    let sectionInserted: IndexSet
    let sectionUpdated: IndexSet
    let elementDeleted: [IndexPath]
    let elementInserted: [IndexPath]
    let elementUpdated: [IndexPath]

    init<Section>(_ stage: Changeset<Section>) {
        sectionDeleted = IndexSet(stage.sectionDeleted)
        sectionInserted = IndexSet(stage.sectionInserted.map(\.at))
        sectionUpdated = IndexSet(stage.sectionUpdated.map(\.at))
        elementDeleted = stage.elementDeleted.map(\.indexPath)
        elementInserted = stage.elementInserted.map(\.at.indexPath)
        elementUpdated = stage.elementUpdated.map(\.at.indexPath)
    }
}

extension ElementPath {
    /// Takes over UIKit's path.
    public init(_ indexPath: IndexPath) { self.init(section: indexPath.section, element: indexPath.row) }

    /// The path as UIKit has it.
    public var indexPath: IndexPath { IndexPath(row: element, section: section) }
}
