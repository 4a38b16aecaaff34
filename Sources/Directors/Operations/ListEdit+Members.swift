import JSONValues

/// The table of verbs: which members each has, with their types. Names and sentences are the members' own.
///
/// `read` is asked in the order in which faults name members, and by ``OperationReader/describing(_:)`` for the API's
/// description; `write` gives the bytes of the journal.
extension ListEdit where Draft: DraftForm {
    /// Reads the members of an edit, besides those that name the list.
    static func read(_ verb: ListVerb, _ reader: inout OperationReader, _ faults: inout FaultList) -> ListEdit? {
        switch verb {
        case .set:
            return reader.required(Draft.items, &faults).map { .set($0) }
        case .add:
            let place = reader.optional(.insertionPlace, &faults)
            return reader.required(Draft.items, &faults).map { .add($0, at: place) }
        case .put:
            let item = reader.required(Draft.item, &faults)
            let draft = reader.required(OperationMember<Draft>.value, &faults)
            let place = Draft.readPlace(&reader, &faults)
            return both(item, draft).map { .put($0, $1, at: place) }
        case .patch:
            let item = reader.required(Draft.item, &faults)
            return both(item, reader.required(.patch, as: Draft.patchSchema, &faults)).map { .patch($0, $1) }
        case .remove:
            return reader.required(Draft.item, &faults).map { .remove($0) }
        case .removeSeveral:
            return reader.required(.places, &faults).map { .removeSeveral($0) }
        case .removeAll:
            return .removeAll
        case .move:
            let (from, to) = (reader.required(.from, &faults), reader.required(.to, &faults))
            let destination = Draft.readDestination(&reader, &faults)
            return both(from, to).map { .move(from: $0, to: $1, into: destination) }
        case .swap:
            let at = reader.required(.at, &faults)
            return both(at, reader.required(.with, &faults)).map { .swap($0, with: $1) }
        }
    }

    /// Appends the members.
    func write(to writer: inout JSONWriter) {
        switch self {
        case .set(let drafts):
            writer.member(Draft.items, drafts)
        case .add(let drafts, let place):
            writer.member(Draft.items, drafts)
            writer.member(.insertionPlace, place)
        case .put(let item, let draft, let place):
            writer.member(Draft.item, item)
            writer.member(.value, draft)
            writer.member(.insertionPlace, place.map(Draft.address))
        case .patch(let item, let patch):
            writer.member(Draft.item, item)
            writer.member(.patch, patch)
        case .remove(let item):
            writer.member(Draft.item, item)
        case .removeSeveral(let places):
            writer.member(.places, places)
        case .removeAll:
            break
        case .move(let from, let to, let destination):
            writer.member(.from, from)
            writer.member(.to, to)
            if let destination { Draft.write(destination: destination, to: &writer) }
        case .swap(let one, let other):
            writer.member(.at, one)
            writer.member(.with, other)
        }
    }

    /// About how many bytes the edit's text has, rather too many than too few where items come in.
    var textEstimate: Int {
        switch incoming {
        case .items(let drafts): 128 + drafts.reduce(0) { $0 + $1.textEstimate }
        case .item(let draft): 128 + draft.textEstimate
        case .patch(let patch, _): 128 + patch.value.bytes.count
        case .nothing: 160
        }
    }
}

/// Two values where both are there.
func both<First, Second>(_ first: First?, _ second: Second?) -> (First, Second)? {
    if let first, let second { (first, second) } else { nil }
}
