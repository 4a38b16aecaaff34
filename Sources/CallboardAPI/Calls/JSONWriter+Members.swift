import JSONValues

extension JSONWriter {
    /// Writes a member whose value is a string.
    mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    /// Writes a member whose value is an integer.
    mutating func member(_ name: String, _ value: Int) {
        key(name)
        int(value)
    }

    /// Writes a member whose value is a truth value.
    mutating func member(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }
}
