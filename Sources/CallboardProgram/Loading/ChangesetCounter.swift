import ListDiff

/// What a reload has published.
struct PublishedCounts: Sendable, Equatable {
    /// The version.
    let version: Int
    /// What led to it.
    let changes: ChangeCounts

    /// Whether nothing has changed, so that the version is the one before.
    var isEmpty: Bool { changes.counts.isEmpty && changes.replaced == 0 }
}

/// Counts the operations of a changeset from its JSON text, piece by piece.
///
/// The answer to the first reload of a list holds the whole list. Nothing of it is kept, so that it may be of any length;
/// what the server sends is taken to be JSON.
struct ChangesetCounter {
    private var version: [UInt8] = []
    private var numbers: [[UInt8]: Int] = [:]
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The name that is being read, or was read last: those of the changeset (depth 1), and of its stages (depth 3).
    private var name: [UInt8] = []
    private var isName = false
    private var expectsName = false
    /// The member of the changeset that is being read.
    private var member: [UInt8] = []
    /// Whether the next value is an entry to be counted.
    private var expectsEntry = false

    private static let stages = Array("stages".utf8)
    private static let replaced = Array("replaced".utf8)
    private static let versionName = Array("version".utf8)

    /// What was counted; nil where no version was found.
    var counts: PublishedCounts? {
        guard let version = Int(String(decoding: version, as: UTF8.self)) else { return nil }
        return PublishedCounts(
            version: version,
            changes: ChangeCounts(replaced: numbers[Self.replaced] ?? 0) { numbers[Array($0.rawValue.utf8)] ?? 0 })
    }

    /// Reads the next piece of the text.
    mutating func read(_ piece: [UInt8]) {
        var position = 0
        while position < piece.count {
            if isInString {
                position = readString(piece, from: position)
            } else {
                read(piece[position])
                position += 1
            }
        }
    }

    /// Goes on to the string's end, or the piece's.
    private mutating func readString(_ piece: [UInt8], from start: Int) -> Int {
        var position = start
        while position < piece.count {
            let byte = piece[position]
            position += 1
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
                return position
            }
            if isName { name.append(byte) }
        }
        return position
    }

    private mutating func read(_ byte: UInt8) {
        switch byte {
        case 0x20, 0x0A, 0x0D, 0x09: return
        case UInt8(ascii: "{"):
            count()
            depth += 1
            expectsName = depth == 1 || depth == 3 && member == Self.stages
        case UInt8(ascii: "["):
            count()
            depth += 1
            expectsEntry = depth == 4 && member == Self.stages || depth == 2 && member == Self.replaced
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            (expectsName, expectsEntry) = (false, false)
        case UInt8(ascii: ","):
            expectsName = depth == 1 || depth == 3 && member == Self.stages
            expectsEntry = depth == 4 && member == Self.stages || depth == 2 && member == Self.replaced
        case UInt8(ascii: "\""):
            count()
            isInString = true
            isName = expectsName
            if isName { name.removeAll(keepingCapacity: true) }
        case UInt8(ascii: ":"):
            if isName, depth == 1 { member = name }
            (isName, expectsName) = (false, false)
        default:
            count()
            if depth == 1, member == Self.versionName { version.append(byte) }
        }
    }

    /// Counts the value that begins, where it is an entry.
    private mutating func count() {
        guard expectsEntry else { return }
        expectsEntry = false
        numbers[depth == 2 ? Self.replaced : name, default: 0] += 1
    }
}
