import CPostgres
import Directors
import Journal

/// The result of one statement, in binary form; freed with the value.
///
/// A column's content is checked when it is read: the database is an outside source.
final class DatabaseResult {
    private let result: OpaquePointer

    /// Takes a result of libpq's over.
    init(owning result: OpaquePointer) {
        self.result = result
    }

    deinit {
        PQclear(result)
    }

    /// The rows.
    var count: Int { Int(PQntuples(result)) }

    /// The rows that a statement has changed.
    var changed: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// Each row.
    var rows: [DatabaseRow] { (0..<count).map { DatabaseRow(result: self, row: Int32($0)) } }

    /// The first row.
    var first: DatabaseRow? { count > 0 ? DatabaseRow(result: self, row: 0) : nil }

    var status: ExecStatusType { PQresultStatus(result) }

    /// Why the statement has failed, and whether the server has ended the connection with it.
    var failure: (fault: DatabaseFault, isFatal: Bool) {
        func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
        let state = text(cpostgres_sqlstate(result)) ?? ""
        let message = text(cpostgres_message(result)) ?? text(PQresultErrorMessage(result)) ?? "unknown"
        let severity = text(cpostgres_severity(result)) ?? "FATAL"
        guard severity == "ERROR" else { return (.lost(message.oneLine), true) }
        return (.refused(state: state, message: message.oneLine), false)
    }

    fileprivate func bytes(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer? {
        guard column < PQnfields(result), PQgetisnull(result, row, column) == 0 else { return nil }
        // SAFETY: the row and the column are there, and the bytes live as long as the result, which the caller holds.
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }
}

/// A row of a result.
struct DatabaseRow {
    fileprivate let result: DatabaseResult
    fileprivate let row: Int32

    /// Whether a column is NULL.
    func isNull(_ column: Int) -> Bool { result.bytes(row, Int32(column)) == nil }

    /// Reads an integer of eight bytes; throws `JournalDamage` for anything else.
    func integer(_ column: Int, _ place: @autoclosure () -> String) throws -> Int {
        guard let bytes = result.bytes(row, Int32(column)), bytes.count == 8 else {
            throw JournalDamage(director: nil, place: place(), detail: "column \(column + 1) is not an integer")
        }
        // SAFETY: eight bytes are there, and every pattern of bits is an integer.
        return Int(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
    }

    /// Reads a truth value; throws `JournalDamage` for anything else.
    func flag(_ column: Int, _ place: @autoclosure () -> String) throws -> Bool {
        guard let bytes = result.bytes(row, Int32(column)), bytes.count == 1 else {
            throw JournalDamage(director: nil, place: place(), detail: "column \(column + 1) is not true or false")
        }
        return bytes[0] != 0
    }

    /// Reads bytes; throws `JournalDamage` for NULL.
    func bytes(_ column: Int, _ place: @autoclosure () -> String) throws -> [UInt8] {
        guard let bytes = result.bytes(row, Int32(column)) else {
            throw JournalDamage(director: nil, place: place(), detail: "column \(column + 1) holds no bytes")
        }
        return [UInt8](bytes)
    }

    /// Reads a text; throws `JournalDamage` for NULL, and for what is not UTF-8.
    func text(_ column: Int, _ place: @autoclosure () -> String) throws -> String {
        guard let text = StoredText.read(try bytes(column, place())) else {
            throw JournalDamage(director: nil, place: place(), detail: "column \(column + 1) is not a text")
        }
        return text
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
}

extension String {
    /// The text on one line, without spaces around it: libpq's messages have several lines.
    var oneLine: String {
        split(whereSeparator: \.isNewline).map { $0.drop { $0 == "\t" || $0 == " " } }.joined(separator: "; ")
    }
}
