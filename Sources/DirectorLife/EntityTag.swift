/// Entity tags of a director's states (RFC 9110, section 8.8.3), with their quotes; all are strong.
///
/// They name the director's life: one that is deleted and created again counts revisions and versions from the beginning,
/// and a tag of the earlier life must not match.
package enum EntityTag {
    /// The tag of a working state, `"<epoch>-r<revision>"`.
    package static func text(epoch: String, revision: Int) -> String { "\"\(epoch)-r\(revision)\"" }

    /// The tag of a published state, `"<epoch>-v<version>"`.
    package static func text(epoch: String, version: Int) -> String { "\"\(epoch)-v\(version)\"" }

    /// The tag of a director as it is read, `"<epoch>-r<revision>-v<version>"`, since its representation names both.
    package static func text(epoch: String, revision: Int, version: Int) -> String {
        "\"\(epoch)-r\(revision)-v\(version)\""
    }
}
