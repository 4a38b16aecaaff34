import JSONValues
import Synchronization

/// A page of the list of directors while their loops fill it in.
final class DirectorPage: Sendable {
    private struct Parts {
        var bodies: [[UInt8]?]
        var missing: Int
    }

    private let parts: Mutex<Parts>
    private let offset: Int
    private let limit: Int
    private let total: Int

    /// Makes a page that waits for `count` directors.
    init(count: Int, offset: Int, limit: Int, total: Int) {
        parts = Mutex(Parts(bodies: Array(repeating: nil, count: count), missing: count))
        self.offset = offset
        self.limit = limit
        self.total = total
    }

    /// Puts a director in its place, or nothing where it is gone; once for each place, from any thread.
    ///
    /// - Returns: whether it was the last one that was missing.
    func put(_ body: [UInt8]?, at index: Int) -> Bool {
        parts.withLock { parts in
            parts.bodies[index] = body
            parts.missing -= 1
            return parts.missing == 0
        }
    }

    /// The answer's content, once nothing is missing.
    var body: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("directors")
        writer.beginArray()
        for body in parts.withLock({ $0.bodies }) {
            if let body { writer.raw(body) }
        }
        writer.endArray()
        writer.member("offset", offset)
        writer.member("limit", limit)
        writer.member("total", total)
        writer.endObject()
        return writer.bytes
    }
}
