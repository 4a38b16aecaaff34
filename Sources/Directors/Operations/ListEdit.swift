/// An edit of one list: of sections, of a section's rows, or of the elements of a section or row.
///
/// A place is an `Address` on the list after the edit before. As the target of an insert a position goes from zero to the
/// count, an identifier stands for the place before the one it names, and `last` for the end; as the target of a move it
/// is the place that the item has afterwards.
///
/// Each verb is also a case of ``ListVerb``; every `switch` over one of the two has all cases, so that the compiler names
/// the places that a new verb needs.
package enum ListEdit<Draft: ListDraft>: Equatable, Sendable {
    /// Puts these items in place of all that the list has (`set(sections:)`, `set(elements:)`).
    case set([Draft])
    /// Inserts items, at the end where no place is said (`add(elements:at:)`).
    case add([Draft], at: Address? = nil)
    /// Replaces an item (`set(element:at:)`). If the address is an identifier that no item has, and the draft has it, the
    /// item is added at the place, or at the end without one. The place of an item that is there stays.
    case put(Address, Draft, at: Draft.NewPlace? = nil)
    /// Applies a merge patch to an item: to an element's value, or to the JSON form of a section or row, whose elements
    /// stay unless the patch has them.
    case patch(Address, ValueDraft)
    /// Removes an item (`remove(at:)`).
    case remove(Address)
    /// Removes several items (`remove(atIndexes:)`).
    case removeSeveral([Address])
    /// Removes every item (`removeAll`).
    case removeAll
    /// Moves an item in its list or, where a destination is said, into that list (`move(from:to:)`).
    case move(from: Address, to: Address, into: Draft.Destination? = nil)
    /// Exchanges two items (`move(swappingAt:with:)`).
    case swap(Address, with: Address)

    /// The kind of edit.
    package var verb: ListVerb {
        switch self {
        case .set: .set
        case .add: .add
        case .put: .put
        case .patch: .patch
        case .remove: .remove
        case .removeSeveral: .removeSeveral
        case .removeAll: .removeAll
        case .move: .move
        case .swap: .swap
        }
    }
}

/// The kinds of edits, each named as its case of ``ListEdit``.
package enum ListVerb: Int, CaseIterable, Sendable {
    case set, add, put, patch, remove, removeSeveral, removeAll, move, swap

    /// The name of the operation that has the verb.
    ///
    /// - Parameter item: The list's kind of item, capitalised: `Section`.
    func name(of item: String) -> String {
        switch self {
        case .set: "set\(item)s"
        case .add: "add\(item)s"
        case .put: "set\(item)"
        case .patch: "patch\(item)"
        case .remove: "remove\(item)"
        case .removeSeveral: "remove\(item)s"
        case .removeAll: "removeAll\(item)s"
        case .move: "move\(item)"
        case .swap: "swap\(item)s"
        }
    }
}

extension ListEdit {
    /// The content that an edit brings in, by the member that has it.
    enum Incoming {
        /// Several items, in the member of the list's name.
        case items([Draft])
        /// One item in the member `value`.
        case item(Draft)
        /// A merge patch of an item, in the member `patch`.
        case patch(ValueDraft, of: Address)
        /// Nothing: items are removed, or put elsewhere.
        case nothing
    }

    /// The content that the edit brings in. The edit's cost, its text's length and the identifiers that have to be
    /// unique follow from that.
    var incoming: Incoming {
        switch self {
        case .set(let drafts), .add(let drafts, _): .items(drafts)
        case .put(_, let draft, _): .item(draft)
        case .patch(let address, let patch): .patch(patch, of: address)
        case .remove, .removeSeveral, .removeAll, .move, .swap: .nothing
        }
    }
}
