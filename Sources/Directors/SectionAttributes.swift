/// What a section says of itself besides its identifier and elements.
@dynamicMemberLookup
package final class SectionAttributes: Sendable {
    /// The attributes; ``fields`` says what each means.
    package struct Values: Equatable, Sendable {
        @Verbatim package var headerTitle: String?
        @Verbatim package var footerTitle: String?
        @Verbatim package var headerView: String?
        @Verbatim package var footerView: String?
        package var isCollapsed = false
        @Verbatim package var indexTitle: String?
        package var sectionInsets: EdgeInsets?
        package var minimumInteritemSpacing: Double?
        package var minimumLineSpacing: Double?
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
            "headerView", get: { $0.headerView }, set: { $0.headerView = $1 }, .optional(.name),
            "The view above the section, which overrides the title.")
        Field(
            "footerView", get: { $0.footerView }, set: { $0.footerView = $1 }, .optional(.name),
            "The view below the section, which overrides the title.")
        Field(
            "isCollapsed", get: { $0.isCollapsed }, set: { $0.isCollapsed = $1 }, .nullable(.boolean),
            after: "indexTitle", "Whether the section is shown without its elements.")
        Field(
            "indexTitle", get: { $0.indexTitle }, set: { $0.indexTitle = $1 }, .optional(.text), only: .table,
            "The section's entry in a table's index.")
        Field(
            "sectionInsets", get: { $0.sectionInsets }, set: { $0.sectionInsets = $1 }, .optional(.insets),
            only: .flow, "The margins around the section's content.")
        Field(
            "minimumInteritemSpacing", get: { $0.minimumInteritemSpacing },
            set: { $0.minimumInteritemSpacing = $1 }, .optional(.length), only: .flow,
            "The least distance between items of one line, in points.")
        Field(
            "minimumLineSpacing", get: { $0.minimumLineSpacing }, set: { $0.minimumLineSpacing = $1 },
            .optional(.length), only: .flow, "The least distance between lines, in points.")
    }
}

extension SectionAttributes: Equatable {
    /// Compares all of them.
    package static func == (left: SectionAttributes, right: SectionAttributes) -> Bool {
        left === right || left.values == right.values
    }
}

/// A text that is compared scalar by scalar.
///
/// One that is normalised in another way is shown in the same way, but it is not what the caller sent.
@propertyWrapper
package struct Verbatim: Equatable, Sendable {
    /// The text, if there is one.
    package var wrappedValue: String?

    /// Wraps a text.
    package init(wrappedValue: String? = nil) {
        self.wrappedValue = wrappedValue
    }

    /// Whether the bytes of two texts are equal; nil for texts that do not lie in memory as they are. One text in two places
    /// is not looked at.
    private static func isSame(_ left: String, _ right: String) -> Bool? {
        guard left.utf8.count == right.utf8.count else { return false }
        let isSame = left.utf8.withContiguousStorageIfAvailable { one in
            right.utf8.withContiguousStorageIfAvailable { other in
                one.baseAddress == other.baseAddress || one.elementsEqual(other)
            }
        }
        return isSame ?? nil
    }

    /// Compares the bytes.
    package static func == (left: Verbatim, right: Verbatim) -> Bool {
        switch (left.wrappedValue, right.wrappedValue) {
        case (nil, nil): true
        case (let left?, let right?): isSame(left, right) ?? left.utf8.elementsEqual(right.utf8)
        default: false
        }
    }
}
