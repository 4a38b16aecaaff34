extension JSONWriter {
    /// Writes an object with the members that the closure writes.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        beginObject()
        members(&self)
        endObject()
    }

    /// Writes an array with the elements that the closure writes.
    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        beginArray()
        elements(&self)
        endArray()
    }

    /// Writes a member whose value is a string.
    package mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    /// Writes a member whose value is an integer.
    package mutating func member(_ name: String, _ value: Int) {
        key(name)
        int(value)
    }

    /// Writes a member whose value is a truth value.
    package mutating func member(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }

    /// Writes a string, or null for none.
    package mutating func text(_ text: String?) {
        if let text { string(text) } else { null() }
    }
}
