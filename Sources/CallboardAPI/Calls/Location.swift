import Notation

/// Writes the path of a resource for the `Location` field.
enum Location {
    /// A path of these segments, percent-encoded one by one (RFC 3986, section 3.3).
    static func path(_ segments: String...) -> String {
        segments.map { "/" + PercentEncoding.encode($0, keeping: "@") }.joined()
    }
}
