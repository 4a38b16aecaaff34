import DirectorLife
import Directors
import Foundation
import GRDB
import Journal

extension Database {
    /// Reads the rows of a statement, which is prepared once, each while SQLite stands at it.
    ///
    /// A row that GRDB has copied, as `fetchOne` and `fetchAll` do, has its texts cut at their first zero.
    func read<Value>(
        _ sql: String, _ arguments: StatementArguments = StatementArguments(), _ read: (GRDB.Row) throws -> Value
    ) throws -> [Value] {
        let rows = try GRDB.Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
        var values: [Value] = []
        while let row = try rows.next() { values.append(try read(row)) }
        return values
    }
}

/// Reads columns that may hold anything, since the file comes from outside.
extension GRDB.Row {
    /// Reads an integer; throws ``JournalDamage`` for anything else.
    func integer(_ column: Int, _ place: @autoclosure () -> String) throws -> Int {
        guard column < count, case .int64(let value) = (self[column] as DatabaseValue).storage else {
            throw JournalDamage(director: nil, place: place(), detail: "column \(column + 1) is not an integer")
        }
        return Int(value)
    }

    /// Reads a counter, such as a row's number; throws for a number that was never assigned.
    ///
    /// Counting goes on from it, and two of them are added: it is far enough from the largest integer for both.
    func key(_ column: Int, _ place: @autoclosure () -> String) throws -> Int {
        let key = try integer(column, place())
        guard 0..<(1 << 62) ~= key else {
            throw JournalDamage(director: nil, place: place(), detail: "column \(column + 1) has the number \(key)")
        }
        return key
    }

    /// Reads a time in a unit of which there are so many in a second; throws for one before 1970 or after the year 9999.
    func time(_ column: Int, perSecond unit: Int, _ place: @autoclosure () -> String) throws -> Int {
        let time = try integer(column, place())
        guard 0...(WallTime.distantFuture.milliseconds * unit / 1000) ~= time else {
            throw JournalDamage(director: nil, place: place(), detail: "column \(column + 1) is no time")
        }
        return time
    }

    /// Whether a column is null.
    func isNull(_ column: Int) -> Bool {
        column < count && (self[column] as DatabaseValue).isNull
    }

    /// Reads a text; throws ``JournalDamage`` for anything else.
    func text(_ column: Int, _ place: @autoclosure () -> String) throws -> String {
        // By its length, not up to the first zero. Another type becomes a text, which the checksum finds out.
        let text = column < count ? try? withUnsafeData(atIndex: column, { $0.flatMap(Self.text) }) : nil
        guard let text = text ?? nil else {
            throw JournalDamage(director: nil, place: place(), detail: "column \(column + 1) is not a text")
        }
        return text
    }

    private static func text(_ bytes: Data) -> String? {
        String(validating: bytes, as: UTF8.self)
    }

    /// Reads bytes; throws ``JournalDamage`` where there are none.
    func bytes(_ column: Int, _ place: @autoclosure () -> String) throws -> [UInt8] {
        // Copied once, from SQLite's memory. SQLite converts another type to a blob, which the checksum finds out, or
        // fails, which is reported here.
        guard column < count, let bytes = try? withUnsafeData(atIndex: column, { $0.map { [UInt8]($0) } }) else {
            throw JournalDamage(director: nil, place: place(), detail: "column \(column + 1) holds no bytes")
        }
        return bytes
    }
}

extension String {
    /// The text as a parameter of `CAST(? AS TEXT)`, by which SQLite takes all of it.
    ///
    /// GRDB passes a text without its length, so that SQLite would end it at its first zero.
    var stored: Data { Data(utf8) }
}

/// The checksums of rows, over all columns and the row's number, so that no row can be taken for another; one column of
/// tokens is left out.
enum Checksum {
    /// The checksums of rows that both databases store alike; the other rows are hashed with its `sum`.
    static let rows = RowChecksums(seed: 0x4342_4A31, holder: "file")

    static func life(_ life: Int, director: String, epoch: String, ended: Int) -> Int {
        rows.sum(1, life, ended) { hash in
            hash.combine(director)
            hash.combine(epoch)
        }
    }

    static func record(_ sequence: Int, life: Int, number: Int, step: Int, payload: [UInt8]) -> Int {
        // Without a closure: this one is computed for each record.
        var hash = StableHash(seed: rows.seed)
        hash.combine(2)
        hash.combine(sequence)
        hash.combine(life)
        hash.combine(number)
        hash.combine(step)
        hash.combine(payload)
        return Int(truncatingIfNeeded: hash.value)
    }

    static func snapshot(_ snapshot: Int, life: Int, number: Int, first: Int, chunks: Int, bytes: Int) -> Int {
        rows.sum(3, snapshot, life, number, first, chunks, bytes) { _ in }
    }

    static func chunk(_ chunk: Int, payload: [UInt8]) -> Int {
        rows.sum(4, chunk) { $0.combine(payload) }
    }

    static func answer(_ answer: Int, life: Int, _ value: StoredAnswer) -> Int {
        rows.sum(5, answer, life, Int(truncatingIfNeeded: value.fingerprint), value.expires) { hash in
            hash.combine(value.key)
            hash.combine(value.body)
        }
    }
}

extension JournalError {
    /// Makes a journal's error of an error of SQLite, GRDB or reading.
    init(_ error: any Error) {
        switch error {
        case let error as DatabaseError:
            let what = error.message ?? error.resultCode.description
            switch error.resultCode {
            case .SQLITE_FULL: self = .full("\(what) (SQLite \(error.extendedResultCode.rawValue))")
            case .SQLITE_NOTADB:
                self = .damaged(JournalDamage(director: nil, place: "the header of the database file", detail: what))
            case .SQLITE_ERROR where what == "unsupported file format":
                // SQLite's message for an unknown schema format in the header.
                self = .damaged(JournalDamage(director: nil, place: "the header of the database file", detail: what))
            case .SQLITE_CORRUPT:
                self = .damaged(JournalDamage(director: nil, place: "the database file", detail: what))
            default: self = .unavailable("\(what) (SQLite \(error.extendedResultCode.rawValue))")
            }
        case let error as RowDecodingError:
            self = .damaged(JournalDamage(director: nil, place: "the database file", detail: "\(error)"))
        default: self.init(wrapping: error)
        }
    }
}

extension DatabaseError {
    /// Whether a commit that ended with this error may have reached the disk all the same.
    var leavesDoubt: Bool { resultCode == .SQLITE_IOERR }
}
