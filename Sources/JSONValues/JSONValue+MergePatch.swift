extension JSONValue {
    /// The value with a merge patch applied (RFC 7396).
    ///
    /// Members that stay keep their order and their text, new ones follow in the patch's order, a member that the patch
    /// has as null goes. A patch that is not an object replaces the value.
    ///
    /// - Complexity: O(*n*) in the length of the value's and the patch's texts.
    package func merging(_ patch: JSONValue) -> JSONValue {
        merging(patch.document.root)
    }

    /// The value with a merge patch applied that is part of a document.
    package func merging(_ patch: JSONNode) -> JSONValue {
        patched(with: patch).value
    }

    /// The value with a merge patch applied, to look into it; its value is the root's.
    ///
    /// - Complexity: O(*n*) in the length of the value's and the patch's texts.
    package func patched(with patch: JSONNode) -> JSONNode {
        guard patch.kind == .object else { return patch }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(self.bytes.count + patch.text.count)
        Tape(checked: self.bytes).appendValue(at: 0, patchedWith: patch.tape, patch.index, to: &bytes)
        return JSONDocument(checked: bytes).root
    }
}

// The procedure of RFC 7396, section 2, which writes its result as it goes, by places in the two tapes: a node for each member
// would count references. Its recursion is at most as deep as the patch, whose depth the parser bounds.
extension Tape {
    /// Appends a value with a patch applied.
    fileprivate func appendValue(at place: Int, patchedWith patch: Tape, _ change: Int, to bytes: inout [UInt8]) {
        guard patch.isObject(at: change) else { return patch.appendMinified(at: change, to: &bytes) }
        guard isObject(at: place) else { return patch.appendAsPatch(at: change, to: &bytes) }
        bytes.append(UInt8(ascii: "{"))
        let start = bytes.count
        // How many of the patch's members are new, at most.
        var left = patch.memberCount(of: change) - appendKept(at: place, patch, change, start, &bytes)
        lazy var existing = MemberSearch(in: self, place)
        var name = change + 1
        while left > 0, name < patch.end(of: change) {
            if !patch.isNull(at: name + 1), existing.value(named: patch, name) == nil {
                patch.appendName(at: name, start, &bytes)
                patch.appendAsPatch(at: name + 1, to: &bytes)
                left -= 1
            }
            name = patch.end(of: name + 1)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends a patch that is applied to nothing: without the members that are null in it.
    private func appendAsPatch(at place: Int, to bytes: inout [UInt8]) {
        guard isObject(at: place) else { return appendMinified(at: place, to: &bytes) }
        bytes.append(UInt8(ascii: "{"))
        let start = bytes.count
        var name = place + 1
        while name < end(of: place) {
            if !isNull(at: name + 1) {
                appendName(at: name, start, &bytes)
                appendAsPatch(at: name + 1, to: &bytes)
            }
            name = end(of: name + 1)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends an object's members, except those that the patch removes. Neighbours that do not change are copied in one
    /// piece where the text has no white space.
    ///
    /// - Returns: How many of the patch's members the object has.
    private func appendKept(
        at object: Int, _ patch: Tape, _ change: Int, _ start: Int, _ bytes: inout [UInt8]
    ) -> Int {
        var found = 0
        let changes = MemberSearch(in: patch, change)
        let isMinified = isMinified(at: object)
        var name = object + 1
        while name < end(of: object) {
            var last = name
            name = end(of: name + 1)
            guard let new = changes.value(named: self, last) else {
                let first = last
                while isMinified, name < end(of: object), changes.value(named: self, name) == nil {
                    last = name
                    name = end(of: name + 1)
                }
                if bytes.count > start { bytes.append(UInt8(ascii: ",")) }
                appendMembers(first, through: last, to: &bytes)
                continue
            }
            found += 1
            if patch.isNull(at: new) { continue }
            appendName(at: last, start, &bytes)
            appendValue(at: last + 1, patchedWith: patch, new, to: &bytes)
        }
        return found
    }

    private func memberCount(of object: Int) -> Int {
        var (count, name) = (0, object + 1)
        while name < end(of: object) { (count, name) = (count + 1, end(of: name + 1)) }
        return count
    }

    /// Appends members that stand side by side, or one that is written with white space.
    private func appendMembers(_ first: Int, through last: Int, to bytes: inout [UInt8]) {
        if first == last {
            append(text(at: first), to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            appendMinified(at: first + 1, to: &bytes)
        } else {
            append(text(at: first).lowerBound..<text(at: last + 1).upperBound, to: &bytes)
        }
    }

    private func appendName(at place: Int, _ start: Int, _ bytes: inout [UInt8]) {
        if bytes.count > start { bytes.append(UInt8(ascii: ",")) }
        append(text(at: place), to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }
}

/// Finds the members of an object by names of another document: one after the other while they are few, by hash where they
/// are many.
private struct MemberSearch {
    private let tape: Tape
    private let object: Int
    private let index: MemberIndex?

    init(in tape: Tape, _ object: Int) {
        self.tape = tape
        self.object = object
        // Each member has two entries at least.
        let isLong = tape.end(of: object) - object > 2 * MemberIndex.few
        index = isLong ? MemberIndex(JSONNode(tape: tape, index: object)) : nil
    }

    /// The place of the value of the member that is named as one of another document.
    func value(named other: Tape, _ name: Int) -> Int? {
        if let index { return index[JSONNode(tape: other, index: name).contentBytes]?.index }
        var place = object + 1
        while place < tape.end(of: object) {
            if tape.isSameName(place, as: other, name) { return place + 1 }
            place = tape.end(of: place + 1)
        }
        return nil
    }
}
