import CallboardClient
import Foundation
import ListDiff
import ListDiffUIKit

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

/// Shows a followed list in a collection with a flow layout, and answers how large its parts are.
public final class RemoteFlowDirector: RemoteCollectionDirector, UICollectionViewDelegateFlowLayout {
    /// Answers `itemSize`; by itself, the layout's.
    public func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        sizeForItemAt indexPath: IndexPath
    ) -> CGSize {
        delegate.answer(\CollectionCellEvents.itemSize, at: ElementPath(indexPath)) ?? flow?.itemSize ?? .zero
    }

    /// The section's `sectionInsets`, else the director's; by itself, the layout's.
    public func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        insetForSectionAt section: Int
    ) -> UIEdgeInsets {
        published("sectionInsets", section).flatMap(UIEdgeInsets.init(callboard:)) ?? flow?.sectionInset
            ?? UIEdgeInsets()
    }

    /// The section's `minimumLineSpacing`, else the director's; by itself, the layout's.
    public func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        minimumLineSpacingForSectionAt section: Int
    ) -> CGFloat {
        published("minimumLineSpacing", section).flatMap(CGFloat.init(answer:)) ?? flow?.minimumLineSpacing ?? 0
    }

    /// The section's `minimumInteritemSpacing`, else the director's; by itself, the layout's.
    public func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        minimumInteritemSpacingForSectionAt section: Int
    ) -> CGFloat {
        published("minimumInteritemSpacing", section).flatMap(CGFloat.init(answer:))
            ?? flow?.minimumInteritemSpacing ?? 0
    }

    /// Answers `referenceSize` of a header; by itself, the layout's.
    public func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        referenceSizeForHeaderInSection section: Int
    ) -> CGSize {
        delegate.answer(\.referenceSize, ofSection: section, isHeader: true) ?? flow?.headerReferenceSize ?? .zero
    }

    /// Answers `referenceSize` of a footer; by itself, the layout's.
    public func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        referenceSizeForFooterInSection section: Int
    ) -> CGSize {
        delegate.answer(\.referenceSize, ofSection: section, isHeader: false) ?? flow?.footerReferenceSize ?? .zero
    }

    override func apply(_ definition: ListDefinition?) {
        super.apply(definition)
        guard let flow, let properties = definition?.properties else { return }
        flow.sectionHeadersPinToVisibleBounds = properties["stickyHeaders"]?.boolValue ?? false
        flow.sectionFootersPinToVisibleBounds = properties["stickyFooters"]?.boolValue ?? false
    }

    private var flow: UICollectionViewFlowLayout? { collection?.collectionViewLayout as? UICollectionViewFlowLayout }

    private func published(_ member: String, _ section: Int) -> JSON? {
        let own = delegate.sections.indices.contains(section) ? delegate.sections[section].attributes[member] : nil
        return own ?? list.definition?.properties[member]
    }
}

extension UIEdgeInsets {
    /// Insets as a section or a director has them; a side that is not named is 0.
    init?(callboard value: JSON) {
        guard value.objectValue != nil else { return nil }
        let sides = ["top", "left", "bottom", "right"].map { CGFloat(value[$0]?.doubleValue ?? 0) }
        self.init(top: sides[0], left: sides[1], bottom: sides[2], right: sides[3])
    }
}
