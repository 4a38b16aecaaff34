/// What a section says of itself besides its identifier and elements.
package final class SectionAttributes: Sendable {
    /// The text above the section.
    package let headerTitle: String?
    /// The text below the section.
    package let footerTitle: String?
    /// The view above the section, which overrides the title.
    package let headerView: String?
    /// The view below the section, which overrides the title.
    package let footerView: String?
    /// Whether the section is shown without its elements.
    package let isCollapsed: Bool
    /// The section's entry in a table's index.
    package let indexTitle: String?
    /// The margins around the section's content; in a flow director only.
    package let sectionInsets: EdgeInsets?
    /// The least distance between items of one line, in points; in a flow director only.
    package let minimumInteritemSpacing: Double?
    /// The least distance between lines, in points; in a flow director only.
    package let minimumLineSpacing: Double?

    /// The memory that the attributes take, estimated.
    let bytes: Int

    /// Nothing said.
    package static let none = SectionAttributes()

    /// Makes attributes; what is left out is not there.
    package init(
        headerTitle: String? = nil,
        footerTitle: String? = nil,
        headerView: String? = nil,
        footerView: String? = nil,
        isCollapsed: Bool = false,
        indexTitle: String? = nil,
        sectionInsets: EdgeInsets? = nil,
        minimumInteritemSpacing: Double? = nil,
        minimumLineSpacing: Double? = nil
    ) {
        self.headerTitle = headerTitle
        self.footerTitle = footerTitle
        self.headerView = headerView
        self.footerView = footerView
        self.isCollapsed = isCollapsed
        self.indexTitle = indexTitle
        self.sectionInsets = sectionInsets
        self.minimumInteritemSpacing = minimumInteritemSpacing
        self.minimumLineSpacing = minimumLineSpacing
        let texts = [headerTitle, footerTitle, headerView, footerView, indexTitle]
        bytes = texts.reduce(MemoryEstimate.block(SectionAttributes.objectSize)) { $0 + MemoryEstimate.string($1) }
    }

    /// The size of an object: five texts, a truth value, insets, two lengths and the estimate.
    private static let objectSize = MemoryEstimate.objectHeader + 5 * 16 + 8 + 40 + 2 * 16 + 8
}

extension SectionAttributes: Equatable {
    /// Compares all of them, texts scalar by scalar.
    package static func == (left: SectionAttributes, right: SectionAttributes) -> Bool {
        left === right
            || isSame(left.headerTitle, right.headerTitle) && isSame(left.footerTitle, right.footerTitle)
                && isSame(left.headerView, right.headerView) && isSame(left.footerView, right.footerView)
                && left.isCollapsed == right.isCollapsed && isSame(left.indexTitle, right.indexTitle)
                && left.sectionInsets == right.sectionInsets
                && left.minimumInteritemSpacing == right.minimumInteritemSpacing
                && left.minimumLineSpacing == right.minimumLineSpacing
    }

    /// A text that is normalised in another way is shown in the same way, but it is not what the caller sent.
    private static func isSame(_ left: String?, _ right: String?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): left.utf8.elementsEqual(right.utf8)
        default: false
        }
    }
}
