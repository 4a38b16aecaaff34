import JSONValues
import ListDiff

/// An element of a section: a value, with the identifier that its adapter reads from it.
///
/// An element does not change; what changes one puts another in its place. So working and published states, and the
/// versions that are retained, share the elements that they have in common.
package final class Element: Sendable {
    /// The element's identity among those of its model; it need not be unique in a section.
    package let identifier: String

    /// The value as it came in.
    package let value: JSONValue

    /// The adapter that the element was made with.
    package let adapter: CellAdapter

    /// A hash of the identifier without the model: elements are addressed by their identifiers alone.
    package let identityHash: Int

    /// A hash of the parts that content equality compares; 0 if content equality compares the whole value, or the hash
    /// is unknown.
    private let contentHash: UInt32

    /// The memory that the element takes, up to 4 GiB; next to the hash it costs the object nothing.
    private let size: UInt32

    /// The name of the model; empty for the element of a constant row, which is of none.
    package var model: String {
        adapter.values.model
    }

    /// Makes an element of a draft.
    ///
    /// - Complexity: O(*n*) in the length of the value's text for each pointer of the adapter.
    init(_ draft: ElementDraft, adapter: CellAdapter) throws(ElementFault) {
        let root = draft.root
        let value = draft.value
        let identifier = try adapter.values.identifier.identifier(of: root).get()
        self.identifier = identifier
        self.value = value
        self.adapter = adapter
        identityHash = identifier.hashValue
        contentHash =
            adapter.contentPointers.map { pointers in
                var (hasher, finder) = (Hasher(), PointerFinder(root, count: pointers.count))
                for pointer in pointers { hasher.combine(finder.node(at: pointer)?.canonicalHash) }
                return max(UInt32(truncatingIfNeeded: hasher.finalize()), 1)
            } ?? 0
        size = Element.size(identifier, value)
    }

    /// Makes an element that was stored as its value and its identifier, without reading the value.
    ///
    /// - Parameters:
    ///   - value: The value that was stored.
    ///   - identifier: What the adapter read from it before it was stored.
    ///   - adapter: The adapter that the element was made with.
    /// - Complexity: O(1) in the length of the value's text.
    package init(
        restoring value: consuming JSONValue, identifier: consuming String, adapter: consuming CellAdapter
    ) {
        identityHash = identifier.hashValue
        contentHash = 0
        size = Element.size(identifier, value)
        self.identifier = identifier
        self.value = value
        self.adapter = adapter
    }

    /// The element as a row publishes it.
    ///
    /// - Parameter adapter: The element's adapter with what the row tells.
    init(showing element: Element, adapter: CellAdapter) {
        identifier = element.identifier
        value = element.value
        self.adapter = adapter
        identityHash = element.identityHash
        contentHash = element.contentHash
        size = element.size
    }

    private static func size(_ identifier: String, _ value: JSONValue) -> UInt32 {
        UInt32(
            clamping: MemoryEstimate.block(Element.objectSize) + MemoryEstimate.string(identifier)
                + MemoryEstimate.bytes(value.bytes))
    }

    /// The size of an object: its header, identifier, value, adapter and hashes.
    private static let objectSize = MemoryEstimate.objectHeader + 16 + 16 + 8 + 8 + 8

    /// The memory that the element takes, estimated: the object, its identifier and its value.
    ///
    /// The adapter is shared and not counted, and neither is the element's place in a list.
    package var bytes: Int {
        Int(size)
    }

    /// Tells whether the element can stand for another one in every respect: it was made with the same adapter of the
    /// same text, so that identifier and model are the same too.
    func isInterchangeable(with other: Element) -> Bool {
        self === other
            || adapter === other.adapter && !value.isKnownToDiffer(from: other.value)
                && value.bytes == other.value.bytes
    }

    /// Tells whether what the adapter looks at is equal in both values.
    private func hasEqualContent(_ source: Element, at pointers: [JSONPointer]) -> Bool {
        let root = value.document.root
        let sourceRoot = source.value.document.root
        var finders = (PointerFinder(root, count: pointers.count), PointerFinder(sourceRoot, count: pointers.count))
        return pointers.allSatisfy { pointer in
            switch (finders.0.node(at: pointer), finders.1.node(at: pointer)) {
            case (nil, nil): true
            case (let node?, let sourceNode?): node.isEqual(to: sourceNode)
            default: false
            }
        }
    }
}

extension Element: SizedListItem {
    /// Row, model and identifier together.
    package var differenceIdentifier: ElementIdentity {
        ElementIdentity(element: self)
    }

    /// The memory that the element takes.
    package var measure: ElementMeasure {
        ElementMeasure(bytes: bytes)
    }

    /// The memory of the element that a later one does not share: all, unless it is this one.
    package func bytesNotShared(with newer: Element) -> Int {
        self === newer ? 0 : bytes
    }

    /// Compares the values, wherever the adapters look, and what rows tell.
    package func isValueEqual(to source: Element) -> Bool {
        self === source || adapter.showsSameRow(as: source.adapter) && value == source.value
    }

    /// Tells whether a client that shows `source` shows this element already, by the adapter of this one.
    package func isContentEqual(to source: Element) -> Bool {
        guard self !== source else { return true }
        guard adapter.showsSameRow(as: source.adapter) else { return false }
        guard let pointers = adapter.contentPointers else { return value == source.value }
        if contentHash != source.contentHash, contentHash != 0, source.contentHash != 0,
            source.adapter.contentPointers == pointers
        {
            return false
        }
        return hasEqualContent(source, at: pointers)
    }
}

extension Element: Equatable {
    /// Compares model, identifier, value and what a row tells.
    package static func == (left: Element, right: Element) -> Bool {
        left === right || left.differenceIdentifier == right.differenceIdentifier && left.isValueEqual(to: right)
    }
}

/// The identity of an element: row, model and identifier, scalar by scalar.
package struct ElementIdentity: Hashable, Sendable {
    fileprivate let element: Element

    /// Compares without making strings.
    package static func == (left: ElementIdentity, right: ElementIdentity) -> Bool {
        let (one, other) = (left.element, right.element)
        return one === other
            || one.identityHash == other.identityHash
                && one.identifier.utf8.elementsEqual(other.identifier.utf8)
                && (one.adapter === other.adapter
                    || one.model.utf8.elementsEqual(other.model.utf8) && one.adapter.isOfSameRow(as: other.adapter))
    }

    /// Feeds the identifier's hash, which was made with the element.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(element.identityHash)
    }
}

extension Element {
    /// Makes an element of a draft, or says why that cannot be.
    static func make(_ draft: ElementDraft, adapter: CellAdapter) -> Result<Element, ElementFault> {
        do {
            return .success(try Element(draft, adapter: adapter))
        } catch {
            return .failure(error)
        }
    }
}
