import Foundation
import Journal

/// Distinguishes damage in the middle of a write-ahead log from a torn end.
///
/// SQLite silently takes the first invalid frame for the end of the log: what was committed behind it is gone. This
/// is correct for the last transaction, which a power cut may have torn. With `synchronous=FULL` each commit is on the
/// disk before the next one begins, so an invalid frame that whole transactions follow has been changed since (SQLite's
/// file format, section 4, "The Write-Ahead Log").
struct WriteAheadLog {
    /// The first invalid frame, from 1, and how many frames of whole transactions follow its own.
    struct Break: Equatable {
        let frame: Int
        let framesBehind: Int
    }

    private static let headerSize = 32
    private static let frameHeaderSize = 24

    private let bytes: Data
    private let pageSize: Int
    private let isBigEndian: Bool

    /// Reads a log; nil where there is none, or nothing in it.
    ///
    /// - Throws: `JournalDamage` for a header that was changed.
    init?(path: String) throws {
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count > Self.headerSize else { return nil }
        let header = bytes.prefix(Self.headerSize)
        guard header.contains(where: { $0 != 0 }) else { return nil }
        self.bytes = bytes
        let magic = Self.word(bytes, 0)
        pageSize = Int(Self.word(bytes, 8))
        isBigEndian = magic & 1 == 1
        var sum = Sum()
        sum.add(bytes, 0..<24, isBigEndian: isBigEndian)
        let isPageSize = (512...65_536).contains(pageSize) && pageSize & (pageSize - 1) == 0
        guard magic | 1 == 0x377f_0683, isPageSize, sum == Sum(Self.word(bytes, 24), Self.word(bytes, 28)) else {
            throw JournalDamage(
                director: nil, place: "the header of the log \((path as NSString).lastPathComponent)",
                detail: "its checksum does not match")
        }
    }

    /// Refuses a log with a break that no torn commit explains.
    ///
    /// - Complexity: One read of the log, which is a few MiB long unless a single change was larger.
    static func check(_ path: String) throws {
        guard let log = try WriteAheadLog(path: path), let found = log.firstBreak, found.framesBehind > 0 else {
            return
        }
        throw JournalDamage(
            director: nil, place: "frame \(found.frame) of the log \((path as NSString).lastPathComponent)",
            detail: "it was changed after later commits had been written: \(found.framesBehind) frames stand behind it")
    }

    /// The first invalid frame; nil where all are valid.
    var firstBreak: Break? {
        var sum = Sum(Self.word(bytes, 24), Self.word(bytes, 28))
        for frame in 0..<frameCount {
            let start = offset(frame)
            sum.add(bytes, start..<start + 8, isBigEndian: isBigEndian)
            sum.add(bytes, start + Self.frameHeaderSize..<start + size, isBigEndian: isBigEndian)
            let isWhole =
                isOfThisLog(frame) && Self.word(bytes, start) != 0
                && sum == Sum(Self.word(bytes, start + 16), Self.word(bytes, start + 20))
            guard !isWhole else { continue }
            // Up to its commit frame it is one transaction, which may have been torn; later frames came after its sync.
            // Frames without a commit may be older than the break: of a transaction that failed, and whose place in the log
            // the next one takes.
            guard let end = (frame..<frameCount).first(where: isCommit),
                let last = ((end + 1)..<frameCount).last(where: isCommit)
            else { return Break(frame: frame + 1, framesBehind: 0) }
            return Break(frame: frame + 1, framesBehind: ((end + 1)...last).count(where: isOfThisLog))
        }
        return nil
    }

    private var size: Int { Self.frameHeaderSize + pageSize }

    private var frameCount: Int { (bytes.count - Self.headerSize) / size }

    private func offset(_ frame: Int) -> Int { Self.headerSize + frame * size }

    /// Whether a frame was written since the log last began anew.
    private func isOfThisLog(_ frame: Int) -> Bool {
        Self.word(bytes, offset(frame) + 8) == Self.word(bytes, 16)
            && Self.word(bytes, offset(frame) + 12) == Self.word(bytes, 20)
    }

    /// Whether a frame ends a transaction that was written since the log last began anew.
    private func isCommit(_ frame: Int) -> Bool {
        isOfThisLog(frame) && Self.word(bytes, offset(frame) + 4) != 0
    }

    private static func word(_ bytes: Data, _ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The log's running checksum.
    private struct Sum: Equatable {
        var first: UInt32 = 0
        var second: UInt32 = 0

        init(_ first: UInt32 = 0, _ second: UInt32 = 0) {
            self.first = first
            self.second = second
        }

        /// Adds bytes, eight at a time; their number is a multiple of eight.
        mutating func add(_ bytes: Data, _ range: Range<Int>, isBigEndian: Bool) {
            bytes.withUnsafeBytes { buffer in
                var offset = range.lowerBound
                while offset < range.upperBound {
                    // SAFETY: the range lies in the data, its length is a multiple of eight, and any bits are an integer.
                    let one = unsafe buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                    let other = unsafe buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                    first &+= (isBigEndian ? UInt32(bigEndian: one) : UInt32(littleEndian: one)) &+ second
                    second &+= (isBigEndian ? UInt32(bigEndian: other) : UInt32(littleEndian: other)) &+ first
                    offset += 8
                }
            }
        }
    }
}
