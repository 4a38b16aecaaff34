/// The parameters of a statement in PostgreSQL's binary form, in one buffer.
///
/// The buffer begins with a byte that belongs to none, so that each of them has an address, also an empty one.
struct Parameters: Sendable {
    private(set) var bytes: [UInt8] = [0]
    /// Each parameter's place in the buffer; nil for NULL.
    private(set) var places: [Range<Int>?] = []

    /// Makes an empty list.
    init() {}

    /// Makes a list of integers of eight bytes.
    init(_ numbers: Int...) {
        for number in numbers { add(number) }
    }

    /// Adds an integer of eight bytes.
    mutating func add(_ number: Int) {
        add { bytes in bytes.append(bigEndian: Int64(number)) }
    }

    /// Adds bytes.
    mutating func add(_ content: [UInt8]) {
        add { bytes in bytes += content }
    }

    /// Adds a text.
    mutating func add(_ text: String) {
        add { bytes in StoredText.append(text, to: &bytes) }
    }

    /// Adds an array of integers of eight bytes, some of which may be NULL.
    mutating func add(_ numbers: [Int?]) {
        addArray(of: .int8, numbers) { bytes, number in bytes.append(bigEndian: Int64(number)) }
    }

    /// Adds an array of byte strings.
    mutating func add(_ contents: [[UInt8]]) {
        bytes.reserveCapacity(bytes.count + contents.reduce(20) { $0 + 4 + $1.count })
        addArray(of: .bytes, contents.map(Optional.some)) { bytes, content in bytes += content }
    }

    /// Adds an array of texts, some of which may be NULL.
    mutating func add(_ texts: [String?]) {
        addArray(of: .text, texts) { bytes, text in StoredText.append(text, to: &bytes) }
    }

    private mutating func add(_ write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        write(&bytes)
        places.append(start..<bytes.count)
    }

    /// Writes an array of one dimension: its header, and each element behind its length.
    private mutating func addArray<Element>(
        of type: ValueType, _ elements: [Element?], _ write: (inout [UInt8], Element) -> Void
    ) {
        add { bytes in
            bytes.append(bigEndian: Int32(elements.isEmpty ? 0 : 1))
            bytes.append(bigEndian: Int32(elements.contains { $0 == nil } ? 1 : 0))
            bytes.append(bigEndian: Int32(type.element))
            guard !elements.isEmpty else { return }
            bytes.append(bigEndian: Int32(elements.count))
            bytes.append(bigEndian: Int32(1))
            for element in elements {
                guard let element else {
                    bytes.append(bigEndian: Int32(-1))
                    continue
                }
                let place = bytes.count
                bytes.append(bigEndian: Int32(0))
                write(&bytes, element)
                bytes.replace(bigEndian: Int32(bytes.count - place - 4), at: place)
            }
        }
    }
}

/// A type of values, by the numbers that PostgreSQL's catalogue has for it.
enum ValueType: Sendable {
    case int8
    case text
    case bytes
    case int8s
    case texts
    case byteStrings

    /// The number of the type.
    var number: UInt32 {
        switch self {
        case .bytes: 17
        case .int8: 20
        case .text: 25
        case .byteStrings: 1001
        case .texts: 1009
        case .int8s: 1016
        }
    }

    /// The number of the type of an array's elements, or of the type itself.
    fileprivate var element: UInt32 { number }
}

extension [UInt8] {
    /// Appends an integer, the most significant byte first.
    mutating func append(bigEndian number: some FixedWidthInteger) {
        var shift = number.bitWidth
        while shift > 0 {
            shift -= 8
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Replaces four bytes by an integer.
    fileprivate mutating func replace(bigEndian number: Int32, at place: Int) {
        for index in 0..<4 { self[place + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * Int32(index))) }
    }
}
