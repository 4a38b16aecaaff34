import JSONValues

/// An item as edits bring it in.
package protocol ListDraft: Equatable, Sendable {
    /// The place of an item that a put adds; `Never` where that is always the end.
    associatedtype NewPlace: Equatable & Sendable
    /// Another list that an item can be moved to; `Never` where there is no other.
    associatedtype Destination: Equatable & Sendable
}

/// The list that an element is moved to: a section's or a model row's.
///
/// Without a section, the row is one of the same section; without a row, the section is one of elements.
package struct ElementDestination: Equatable, Sendable {
    /// The section; nil for the element's own.
    package let section: Address?
    /// The row.
    package let row: Address?

    /// Names a section, a row, or a row of a section; nil where nothing is named.
    package init?(section: Address? = nil, row: Address? = nil) {
        guard section != nil || row != nil else { return nil }
        self.section = section
        self.row = row
    }
}

/// A draft that may come without an identifier.
protocol IdentifiedDraft: ListDraft {
    /// The draft with random identifiers where it, or a row in it, has none.
    var resolved: Self { get }
    /// The same for a draft that is put in the place of an item; nil where it needs no identifier.
    var resolvedWhenPut: Self? { get }
    /// The same for a merge patch; nil where it needs none.
    static func resolved(_ patch: JSONValue) -> JSONValue?
}

extension ListEdit where Draft: IdentifiedDraft {
    /// The edit with random identifiers for its new drafts without one; nil if there are none.
    var resolved: ListEdit? {
        switch self {
        case .set(let drafts): .set(drafts.map(\.resolved))
        case .add(let drafts, let place): .add(drafts.map(\.resolved), at: place)
        case .put(let item, let draft, let place): draft.resolvedWhenPut.map { .put(item, $0, at: place) }
        case .patch(let item, let patch): Draft.resolved(patch.value).map { .patch(item, ValueDraft($0)) }
        case .remove, .removeSeveral, .removeAll, .move, .swap: nil
        }
    }
}

/// The words and the members that edits of one kind of list have of their own.
protocol DraftForm: ListDraft, ListedValue {
    /// The operations' names, in the order of ``ListVerb``.
    static var verbNames: [String] { get }
    /// The member that names an item.
    static var item: OperationMember<Address> { get }
    /// The member with several items.
    static var items: OperationMember<[Self]> { get }
    /// The schema of a merge patch.
    static var patchSchema: JSONSchema { get }

    static func readPlace(_ reader: inout OperationReader, _ faults: inout FaultList) -> NewPlace?
    static func address(of place: NewPlace) -> Address
    static func readDestination(_ reader: inout OperationReader, _ faults: inout FaultList) -> Destination?
    static func write(destination: Destination, to writer: inout JSONWriter)

    /// About how many bytes the draft's text has, rather too many than too few.
    ///
    /// - Complexity: O(*e*) in the number of elements.
    var textEstimate: Int { get }
}

extension DraftForm where NewPlace == Address {
    static func readPlace(_ reader: inout OperationReader, _ faults: inout FaultList) -> Address? {
        reader.optional(.insertionPlace, &faults)
    }

    static func address(of place: Address) -> Address { place }
}

extension SectionDraft: DraftForm {
    /// A section that is not there is added at the end.
    package typealias NewPlace = Never
    /// There is one list of sections.
    package typealias Destination = Never

    static let verbNames = ListVerb.allCases.map { $0.name(of: "Section") }
    static var item: OperationMember<Address> { .section }
    static var items: OperationMember<[SectionDraft]> { OperationMember("sections", "The sections in order.") }
    static var schema: JSONSchema { .reference("SectionInput") }
    static var patchSchema: JSONSchema { schema }

    static func readPlace(_: inout OperationReader, _: inout FaultList) -> Never? { nil }
    static func address(of _: Never) -> Address {}
    static func readDestination(_: inout OperationReader, _: inout FaultList) -> Never? { nil }
    static func write(destination _: Never, to _: inout JSONWriter) {}

    var textEstimate: Int {
        elements.reduce(256) { $0 + $1.textEstimate } + (rows ?? []).reduce(0) { $0 + $1.textEstimate }
    }
}

extension RowDraft: DraftForm {
    /// A row that is not there is added anywhere.
    package typealias NewPlace = Address
    /// Another section of rows.
    package typealias Destination = Address

    static let verbNames = ListVerb.allCases.map { $0.name(of: "Row") }
    static var item: OperationMember<Address> { OperationMember("row", "The row.") }
    static var items: OperationMember<[RowDraft]> { OperationMember("rows", "The rows in order.") }
    static var schema: JSONSchema { .reference("RowInput") }
    static var patchSchema: JSONSchema { .reference("RowPatch") }

    static func readDestination(_ reader: inout OperationReader, _ faults: inout FaultList) -> Address? {
        reader.optional(.toSection, &faults)
    }

    static func write(destination: Address, to writer: inout JSONWriter) { writer.member(.toSection, destination) }

    var textEstimate: Int {
        let texts = [
            values.value, values.hideWhen?.source, values.height?.source, values.estimatedHeight?.source,
            values.additionalConfig?.source,
        ]
        return elements.reduce(256) { $0 + $1.textEstimate } + texts.reduce(0) { $0 + ($1?.bytes.count ?? 0) }
    }
}

extension ElementDraft: DraftForm {
    /// An element that is not there is added anywhere.
    package typealias NewPlace = Address
    /// Another section or row.
    package typealias Destination = ElementDestination

    static let verbNames = ListVerb.allCases.map { $0.name(of: "Element") }
    static var item: OperationMember<Address> { OperationMember("element", "The element.") }
    static var items: OperationMember<[ElementDraft]> { OperationMember("elements", "The elements in order.") }
    static var schema: JSONSchema { .reference("ElementInput") }
    static var patchSchema: JSONSchema { .any }

    static func readDestination(_ reader: inout OperationReader, _ faults: inout FaultList) -> ElementDestination? {
        let (section, row) = (reader.optional(.toSection, &faults), reader.optional(.toRow, &faults))
        return ElementDestination(section: section, row: row)
    }

    static func write(destination: ElementDestination, to writer: inout JSONWriter) {
        writer.member(.toSection, destination.section)
        writer.member(.toRow, destination.row)
    }

    var textEstimate: Int { value.bytes.count + (model?.utf8.count ?? 0) + 24 }
}
