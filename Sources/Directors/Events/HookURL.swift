/// The address of a hook's target as it was registered: a text that begins with `http://` or `https://`.
///
/// The component that calls the address decides where it leads and whether it may be called. No other code reads hosts
/// and ports: two readers of one address could find different hosts in it.
package struct HookURL: Hashable, Sendable {
    /// The longest address, in bytes.
    package static let maximumLength = 2048

    /// The address as it was written.
    package let text: String

    /// Takes an address.
    ///
    /// - Throws: The fault, in words.
    package init(parsing text: String) throws(HookURLFault) {
        guard text.utf8.count <= HookURL.maximumLength else {
            throw HookURLFault("an address has at most \(HookURL.maximumLength) bytes")
        }
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw HookURLFault("an address has no spaces and no letters beyond ASCII; encode them")
        }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard ["http", "https"].contains(scheme), text.dropFirst(scheme.count).hasPrefix("://") else {
            throw HookURLFault("expected an absolute address that begins with http:// or https://")
        }
        self.text = text
    }

    /// The text before the path, in lower case. Equal ones lead to one server; different ones may do so too.
    var origin: String {
        let scheme = text.prefix { $0 != ":" }
        return text.prefix(scheme.count + 3).lowercased()
            + text.dropFirst(scheme.count + 3).prefix { !"/?#\\".contains($0) }.lowercased()
    }
}

/// The fault of an address.
package struct HookURLFault: Error, Hashable, Sendable {
    /// The fault in words.
    package let detail: String

    init(_ detail: String) {
        self.detail = detail
    }
}

extension HookURL: CustomStringConvertible {
    /// The address as it was written.
    package var description: String {
        text
    }
}
