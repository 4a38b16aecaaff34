/// The versions of what a journal holds, as programs have to know them.
///
/// A database tells the version that is written. Each version reads what earlier ones have written. A new kind of content
/// gets the next number, and is written once no node is left that does not know it. The declaration of a field or an
/// event says since which version it is known.
package enum ContentVersion {
    /// Everything up to version 0.2.0.
    package static let plain = 2
    /// Views, previews of adapters, and the members and events that came with them.
    package static let views = 3
    /// The newest that this program writes.
    package static let newest = views
}
