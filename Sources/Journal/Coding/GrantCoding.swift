import Access
import JSONValues

/// The stored form of grants, the same in every implementation: the JSON array that the API has too.
package enum GrantCoding {
    /// Writes grants as JSON.
    package static func encode(_ grants: Grants) -> String {
        var writer = JSONWriter()
        grants.encode(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Reads what ``encode(_:)`` has written.
    ///
    /// - Returns: The grants; nil for anything else.
    package static func decode(_ text: String) -> Grants? {
        guard let document = try? JSONDocument(text) else { return nil }
        return try? Grants(decoding: document.root)
    }
}
