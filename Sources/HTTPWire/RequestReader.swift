import Notation

/// What a connection reads a request with: the parser, and the request whose content is not complete.
///
/// A connection has one while a request is incomplete, and is without its memory for the rest of the time.
final class RequestReader {
    /// A request whose content is not complete.
    struct Incoming {
        let head: RequestHead
        var content: [UInt8] = []
        /// Bytes since the body's deadline was last put off.
        var progress = 0
        var owesContinue: Bool
    }

    // SAFETY: both are values that know no reader and call nobody.
    @exclusivity(unchecked) var parser: RequestParser
    @exclusivity(unchecked) var incoming: Incoming?

    init(limits: WireLimits) {
        parser = RequestParser(limits: limits)
    }

    /// Gathers content from the bytes from `cursor` on, until something is to be done about it.
    func readContent(_ bytes: Span<UInt8>, _ cursor: inout Int) throws(WireError) -> ContentStep {
        while true {
            switch try parser.next(in: bytes, cursor: &cursor) {
            case .body(let range):
                if incoming?.take(bytes, range) == true { return .progressed }
            case .end:
                return .complete
            case .needMore, .head:
                return .needMore
            }
        }
    }

    /// What reading content has come to.
    enum ContentStep {
        /// The bytes are used up.
        case needMore
        /// The body's deadline is to be put off.
        case progressed
        /// All of it is there.
        case complete
    }
}

extension RequestReader.Incoming {
    /// Content makes progress in steps of so many bytes: a byte now and then is none.
    private static var progressStep: Int { 16 * 1024 }

    /// Takes over a part of the content; returns whether that makes another step of progress.
    fileprivate mutating func take(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        content.makeRoom(forContentOf: head.bodyFraming, adding: range.count)
        content.append(span: bytes.extracting(range))
        progress += range.count
        guard progress >= Self.progressStep else { return false }
        progress = 0
        return true
    }
}

/// The readers of the connections of one thread: one that has read a request to its end reads another connection's next.
package final class RequestReaders {
    private let limits: WireLimits
    private var spare: RequestReader?

    /// Makes readers that hold every request to these limits.
    package init(limits: WireLimits = WireLimits()) {
        self.limits = limits
    }

    /// A reader that has not begun.
    func take() -> RequestReader { spare.take() ?? RequestReader(limits: limits) }

    /// Takes a reader back; false, and it is its connection's still, where it is within a request or reads no other.
    func giveBack(_ reader: RequestReader) -> Bool {
        // What the parser knew of a request went with its head.
        guard reader.parser.isFresh else { return false }
        spare = reader
        return true
    }
}
