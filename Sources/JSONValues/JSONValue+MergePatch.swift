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
        MergePatch.append(document.root, patchedWith: patch, to: &bytes)
        return JSONDocument(checked: bytes).root
    }
}

/// The procedure of RFC 7396, section 2, that writes its result as it goes.
///
/// Its recursion is at most as deep as the patch, whose depth the parser bounds.
private enum MergePatch {
    static func append(_ target: JSONNode?, patchedWith patch: JSONNode, to bytes: inout [UInt8]) {
        guard patch.kind == .object else {
            patch.appendMinified(to: &bytes)
            return
        }
        bytes.append(UInt8(ascii: "{"))
        let start = bytes.count
        if let target, target.kind == .object {
            appendKept(target, patch, start, &bytes)
            let existing = MemberIndex(target)
            for member in patch.members where !member.value.isNull && existing[member] == nil {
                append(name: member, start, &bytes)
                append(nil, patchedWith: member.value, to: &bytes)
            }
        } else {
            for member in patch.members where !member.value.isNull {
                append(name: member, start, &bytes)
                append(nil, patchedWith: member.value, to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private static func appendKept(_ target: JSONNode, _ patch: JSONNode, _ start: Int, _ bytes: inout [UInt8]) {
        let changes = MemberIndex(patch)
        for member in target.members {
            let change = changes[member]
            if let change, change.isNull { continue }
            append(name: member, start, &bytes)
            if let change {
                append(member.value, patchedWith: change, to: &bytes)
            } else {
                member.value.appendMinified(to: &bytes)
            }
        }
    }

    private static func append(name member: JSONNode.Member, _ start: Int, _ bytes: inout [UInt8]) {
        if bytes.count > start { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: member.nameNode.text)
        bytes.append(UInt8(ascii: ":"))
    }
}
