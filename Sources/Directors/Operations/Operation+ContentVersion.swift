import JSONValues

// The version that a program has to know in order to read an operation of a journal; see `ContentVersion`.

/// A draft with fields that some earlier version does not know.
private protocol VersionedDraft: ListDraft {
    /// The version that a program has to know in order to read the draft.
    var contentVersion: Int { get }
    /// The version that a program has to know in order to read a merge patch of an item.
    static func contentVersion(ofPatch patch: JSONNode) -> Int
}

extension SectionDraft: VersionedDraft {
    var contentVersion: Int {
        (rows ?? []).reduce(SectionAttributes.fields.contentVersion(of: attributes.values)) {
            max($0, $1.contentVersion)
        }
    }

    static func contentVersion(ofPatch patch: JSONNode) -> Int {
        let rows = patch["rows"].map { $0.kind == .array ? Array($0.elements) : [] } ?? []
        return rows.reduce(SectionAttributes.fields.contentVersion(ofPatch: patch)) {
            max($0, RowDraft.contentVersion(ofPatch: $1))
        }
    }
}

extension RowDraft: VersionedDraft {
    var contentVersion: Int { RowSettings.fields.contentVersion(of: values) }

    static func contentVersion(ofPatch patch: JSONNode) -> Int { RowSettings.fields.contentVersion(ofPatch: patch) }
}

extension ListEdit where Draft: VersionedDraft {
    fileprivate var contentVersion: Int {
        switch incoming {
        case .items(let drafts): drafts.reduce(ContentVersion.plain) { max($0, $1.contentVersion) }
        case .item(let draft): draft.contentVersion
        case .patch(let patch, _): Draft.contentVersion(ofPatch: patch.root)
        case .nothing: ContentVersion.plain
        }
    }
}

extension Operation {
    /// The version that a program has to know in order to read the operation, but for an adapter: that is for the
    /// definition to say which the operation leads to.
    ///
    /// - Complexity: O(sections and rows) that it brings in.
    package var contentVersion: Int {
        switch self {
        case .sections(let edit): edit.contentVersion
        case .rows(_, let edit): edit.contentVersion
        case .elements, .newSection, .setVariable, .removeVariable, .setAdapter, .removeAdapter: ContentVersion.plain
        }
    }
}
