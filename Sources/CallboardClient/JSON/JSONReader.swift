/// The fault of an answer or event that the client cannot read.
public struct RepresentationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A JSON pointer (RFC 6901) to the place.
    public let pointer: String
    /// The expected form, as a sentence without a full stop.
    public let reason: String

    /// The reason with its place.
    public var description: String { pointer.isEmpty ? reason : "\(reason) at \(pointer)" }
}

/// A value together with the pointer that leads to it, so that a fault can name its place.
struct JSONReader {
    let value: JSON
    let pointer: String

    init(_ value: JSON, pointer: String = "") {
        self.value = value
        self.pointer = pointer
    }

    func fault(_ reason: String) -> RepresentationError { RepresentationError(pointer: pointer, reason: reason) }

    /// The member of that name, or nil where it is missing or `null`.
    func optional(_ name: String) -> JSONReader? {
        guard let member = value[name], !member.isNull else { return nil }
        return JSONReader(member, pointer: "\(pointer)/\(name)")
    }

    func member(_ name: String) throws(RepresentationError) -> JSONReader {
        guard let member = optional(name) else { throw fault("Expected an object with a member \"\(name)\"") }
        return member
    }

    /// The member of that name, which may be `null` but has to be there.
    func present(_ name: String) throws(RepresentationError) -> JSON {
        guard let member = value[name] else { throw fault("Expected a member \"\(name)\"") }
        return member
    }

    func string() throws(RepresentationError) -> String {
        guard let string = value.stringValue else { throw fault("Expected a string") }
        return string
    }

    func int() throws(RepresentationError) -> Int {
        guard let int = value.intValue else { throw fault("Expected a whole number") }
        return int
    }

    func number() throws(RepresentationError) -> Double {
        guard let double = value.doubleValue, double.isFinite else { throw fault("Expected a number") }
        return double
    }

    /// A position or a count.
    func position() throws(RepresentationError) -> Int {
        guard let int = value.intValue, int >= 0 else { throw fault("Expected a whole number, zero or more") }
        return int
    }

    func object() throws(RepresentationError) -> JSONObject {
        guard let object = value.objectValue else { throw fault("Expected an object") }
        return object
    }

    func elements() throws(RepresentationError) -> [JSONReader] {
        guard let elements = value.arrayValue else { throw fault("Expected an array") }
        return elements.enumerated().map { JSONReader($1, pointer: "\(pointer)/\($0)") }
    }

    func map<Value>(
        _ read: (JSONReader) throws(RepresentationError) -> Value
    ) throws(RepresentationError) -> [Value] {
        var values: [Value] = []
        for element in try elements() { values.append(try read(element)) }
        return values
    }
}
