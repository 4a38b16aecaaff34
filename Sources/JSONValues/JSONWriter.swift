import Notation

/// Writes JSON text, appending to one buffer as it goes.
///
/// The caller says what comes in the order of the text; commas are set by the writer. It does not check that names and
/// values alternate or that brackets match: that is the caller's part.
package struct JSONWriter: Sendable {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8]

    /// Whether the next name, or value of an array, follows another one.
    private var needsComma = false

    /// Starts with an empty buffer.
    package init(reservingCapacity capacity: Int = 0) {
        bytes = []
        if capacity > 0 { bytes.reserveCapacity(capacity) }
    }

    /// Goes on in a buffer that holds something else already, for example the beginning of a frame.
    package init(appendingTo bytes: consuming [UInt8]) {
        self.bytes = bytes
    }

    /// Takes out what has been written so far. The next value is appended, with a comma if one is due.
    ///
    /// - Parameter capacity: Room that the next bytes are given ahead.
    package mutating func takeBytes(reservingCapacity capacity: Int = 0) -> [UInt8] {
        var taken: [UInt8] = []
        if capacity > 0 { taken.reserveCapacity(capacity) }
        swap(&taken, &bytes)
        return taken
    }

    /// Opens an object.
    package mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    /// Closes the object that was opened last.
    package mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Opens an array.
    package mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Closes the array that was opened last.
    package mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Writes the name of the member whose value comes next.
    package mutating func key(_ name: String) {
        separate()
        JSONText.appendQuoted(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes the name of the member whose value comes next, quoted and followed by a colon already.
    package mutating func key(quoted name: String) {
        separate()
        bytes.append(text: name)
        needsComma = false
    }

    /// Writes a string.
    package mutating func string(_ string: String) {
        separate()
        JSONText.appendQuoted(string, to: &bytes)
        needsComma = true
    }

    /// Writes an integer.
    package mutating func int(_ int: Int) {
        separate()
        bytes.append(decimal: int)
        needsComma = true
    }

    /// Writes the shortest number that reads back as the same double, whole numbers without a point, and null for
    /// infinities and NaN, which JSON does not have.
    package mutating func double(_ double: Double) {
        guard double.isFinite else {
            null()
            return
        }
        if double.magnitude < 0x1p53, Double(Int(double)) == double {
            int(Int(double))
            return
        }
        separate()
        bytes.append(text: double.description)
        needsComma = true
    }

    /// Writes a truth value.
    package mutating func bool(_ bool: Bool) {
        separate()
        bytes.append(text: bool ? "true" : "false")
        needsComma = true
    }

    /// Writes null.
    package mutating func null() {
        separate()
        bytes.append(text: "null")
        needsComma = true
    }

    /// Writes a value as it is kept.
    ///
    /// - Complexity: one copy of its text.
    package mutating func value(_ value: JSONValue) {
        separate()
        bytes.append(contentsOf: value.bytes)
        needsComma = true
    }

    /// Writes a value that has already been encoded; the caller vouches that it is one JSON value.
    package mutating func raw(_ encoded: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: encoded)
        needsComma = true
    }

    /// Writes a constant part of an object, such as `{"id":`, unchanged.
    ///
    /// The caller vouches that a value can follow.
    package mutating func prefix(_ text: String) {
        bytes.append(text: text)
        needsComma = false
    }

    /// Writes an encoded beginning, such as `{"sections":[`, unchanged.
    ///
    /// The caller vouches that a value can follow.
    package mutating func prefix(_ encoded: [UInt8]) {
        bytes.append(contentsOf: encoded)
        needsComma = false
    }

    /// Writes members that were encoded before, such as `,"height":44`, as they are, or none.
    ///
    /// The caller vouches that they follow a member, and that another one or the object's end can follow.
    package mutating func members(_ encoded: [UInt8]) {
        bytes.append(contentsOf: encoded)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }
}
