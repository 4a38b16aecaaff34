import Directors
import Dispatch
import JSONValues
import Synchronization

/// Elements that are to be made of stored values, many at a time, on all processors.
///
/// Reading values and finding their identifiers is most of what a start costs; reading the file is little beside it.
struct ElementBatch {
    /// How many values are gathered before elements are made of them.
    static let capacity = 16_384

    private var values: [(bytes: [UInt8], adapter: CellAdapter)] = []

    var isFull: Bool { values.count >= Self.capacity }

    mutating func append(_ bytes: [UInt8], _ adapter: CellAdapter) {
        values.append((bytes, adapter))
    }

    /// Makes the elements and is empty again.
    ///
    /// - Throws: The first value that cannot be read.
    mutating func makeElements() throws -> [Element] {
        defer { values.removeAll(keepingCapacity: true) }
        let values = values
        let parts = Self.parts(of: values.count)
        guard parts.count > 1 else { return try values.map(Self.make) }
        let made = Mutex([Result<[Element], any Error>?](repeating: nil, count: parts.count))
        DispatchQueue.concurrentPerform(iterations: parts.count) { index in
            let result = Result { try values[parts[index]].map(Self.make) }
            made.withLock { $0[index] = result }
        }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for result in made.withLock({ $0 }) { elements += try result?.get() ?? [] }
        return elements
    }

    private static func parts(of count: Int) -> [Range<Int>] {
        // More parts than processors: one that is held up does not hold up all.
        let size = max(512, count / 16 + 1)
        return stride(from: 0, to: count, by: size).map { $0..<min($0 + size, count) }
    }

    private static func make(_ value: (bytes: [UInt8], adapter: CellAdapter)) throws -> Element {
        let json = try JSONValue(parsing: value.bytes, maximumDepth: JSONDocument.ceilingDepth)
        return try Element(restoring: json, adapter: value.adapter)
    }
}
