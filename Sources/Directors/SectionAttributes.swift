import Notation

/// A section's attributes besides its identifier and elements.
@dynamicMemberLookup
package final class SectionAttributes: Sendable {
    /// The attributes; ``fields`` says what each means.
    package struct Values: Equatable, Sendable {
        @Verbatim package var headerTitle: String? = nil
        @Verbatim package var footerTitle: String? = nil
        @Verbatim package var headerView: String? = nil
        @Verbatim package var footerView: String? = nil
        package var isCollapsed = false
        @Verbatim package var indexTitle: String? = nil
        package var sectionInsets: EdgeInsets?
        package var minimumInteritemSpacing: Double?
        package var minimumLineSpacing: Double?
        package var headerHeight: Double?
        package var footerHeight: Double?
        package var headerSize: LayoutSize?
        package var footerSize: LayoutSize?
    }

    let values: Values

    /// The memory that the attributes take, estimated.
    let bytes: Int

    /// Nothing said.
    package static let none = SectionAttributes(Values())

    /// Makes attributes; what the closure does not set is not there.
    package convenience init(_ set: (inout Values) -> Void) {
        var values = Values()
        set(&values)
        self.init(values)
    }

    init(_ values: Values) {
        self.values = values
        bytes =
            MemoryEstimate.block(SectionAttributes.objectSize)
            + SectionAttributes.fields.sum(ofTextsIn: values) { MemoryEstimate.string($0) }
    }

    /// The size of an object: the attributes and the estimate.
    private static let objectSize = MemoryEstimate.objectHeader + MemoryLayout<Values>.stride + 8

    /// One of the attributes.
    package subscript<Value>(dynamicMember path: KeyPath<Values, Value>) -> Value {
        values[keyPath: path]
    }

    /// The bytes of the texts.
    package var textLength: Int {
        SectionAttributes.fields.sum(ofTextsIn: values) { $0.utf8.count }
    }
}

extension SectionAttributes {
    /// The members that a section has besides its `id` and `elements`.
    package static let fields = Fields<Values>("a section") {
        Field(
            "headerTitle", get: { $0.headerTitle }, set: { $0.headerTitle = $1 }, .optional(.text),
            "The text above the section.")
        Field(
            "footerTitle", get: { $0.footerTitle }, set: { $0.footerTitle = $1 }, .optional(.text),
            "The text below the section.")
        Field(
            "headerView", get: { $0.headerView }, set: { $0.headerView = $1 }, .optional(.registeredName),
            "The view above the section, which overrides the title.")
        Field(
            "footerView", get: { $0.footerView }, set: { $0.footerView = $1 }, .optional(.registeredName),
            "The view below the section, which overrides the title.")
        Field(
            "isCollapsed", get: { $0.isCollapsed }, set: { $0.isCollapsed = $1 }, .nullable(.boolean),
            after: "indexTitle", "Whether the section is shown without its elements.")
        Field(
            "indexTitle", get: { $0.indexTitle }, set: { $0.indexTitle = $1 }, .optional(.text), only: [.table],
            "The section's entry in a table's index.")
        Field(
            "sectionInsets", get: { $0.sectionInsets }, set: { $0.sectionInsets = $1 }, .optional(.insets),
            only: [.flow], "The margins around the section's content.")
        Field(
            "minimumInteritemSpacing", get: { $0.minimumInteritemSpacing },
            set: { $0.minimumInteritemSpacing = $1 }, .optional(.length), only: [.flow],
            "The least distance between items of one line, in points.")
        Field(
            "minimumLineSpacing", get: { $0.minimumLineSpacing }, set: { $0.minimumLineSpacing = $1 },
            .optional(.length), only: [.flow], "The least distance between lines, in points.")
        Field(
            "headerHeight", get: { $0.headerHeight }, set: { $0.headerHeight = $1 }, .optional(.height), only: [.table],
            since: ContentVersion.views, "How high the section's header is; -1 for an automatic height.")
        Field(
            "footerHeight", get: { $0.footerHeight }, set: { $0.footerHeight = $1 }, .optional(.height), only: [.table],
            since: ContentVersion.views, "How high the section's footer is; -1 for an automatic height.")
        Field(
            "headerSize", get: { $0.headerSize }, set: { $0.headerSize = $1 }, .optional(.size),
            only: [.collection, .flow], since: ContentVersion.views, "How large the section's header is.")
        Field(
            "footerSize", get: { $0.footerSize }, set: { $0.footerSize = $1 }, .optional(.size),
            only: [.collection, .flow], since: ContentVersion.views, "How large the section's footer is.")
    }
}

extension SectionAttributes: Equatable {
    /// Compares all of them.
    package static func == (left: SectionAttributes, right: SectionAttributes) -> Bool {
        left === right || left.values == right.values
    }
}
