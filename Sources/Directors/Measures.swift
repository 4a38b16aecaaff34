import ListDiff

/// The sums over a list of elements.
package struct ElementMeasure: ListMeasure {
    /// The memory that the elements take, as `Element.bytes` estimates it.
    package var bytes: Int

    /// The measure of no element.
    package init() {
        bytes = 0
    }

    init(bytes: Int) {
        self.bytes = bytes
    }

    /// Adds the memory.
    package static func += (left: inout ElementMeasure, right: ElementMeasure) {
        left.bytes += right.bytes
    }

    /// Takes the memory away.
    package static func -= (left: inout ElementMeasure, right: ElementMeasure) {
        left.bytes -= right.bytes
    }
}

/// The sums over a list of sections.
package struct SectionMeasure: ListMeasure {
    /// The number of elements; where a section has rows, of the cells that these have where none is hidden.
    package var elements: Int
    /// The number of elements that are not in a collapsed section.
    package var visible: Int
    /// The memory that the sections and their elements take; that of the lists themselves is left out.
    package var bytes: Int
    /// The number of sections of rows, which may be without any.
    package var rowSections: Int
    /// The number of rows.
    package var rows: Int
    /// How many of the elements are those of rows.
    package var rowElements: Int

    /// The measure of no section.
    package init() {
        self.init(elements: 0, visible: 0, bytes: 0)
    }

    init(elements: Int, visible: Int, bytes: Int, rowSections: Int = 0, rows: Int = 0, rowElements: Int = 0) {
        self.elements = elements
        self.visible = visible
        self.bytes = bytes
        self.rowSections = rowSections
        self.rows = rows
        self.rowElements = rowElements
    }

    /// Adds what a part of the list holds.
    package static func += (left: inout SectionMeasure, right: SectionMeasure) {
        left.elements += right.elements
        left.visible += right.visible
        left.bytes += right.bytes
        left.rowSections += right.rowSections
        left.rows += right.rows
        left.rowElements += right.rowElements
    }

    /// Takes away what a part of the list held.
    package static func -= (left: inout SectionMeasure, right: SectionMeasure) {
        left.elements -= right.elements
        left.visible -= right.visible
        left.bytes -= right.bytes
        left.rowSections -= right.rowSections
        left.rows -= right.rows
        left.rowElements -= right.rowElements
    }
}
