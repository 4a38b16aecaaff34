import Foundation
import Notation

/// The file of a ``ReportQueue``: a line for each report, and one for each that has been settled.
///
/// A line is written whole before a report counts as added. Lines that cannot be read are put aside and named: one was being
/// written when the app ended, or the disk has changed it.
struct ReportFile {
    private static let header = #"{"callboard":"reports","version":1}"#
    /// How many settled reports the file holds before it is written anew.
    private static let settledLimit = 1_000

    private let url: URL
    private var handle: FileHandle
    private var settled = 0

    /// Opens a file, or makes it.
    ///
    /// - Returns: The file, the reports that wait, in their order, and what could not be read.
    static func open(_ url: URL) throws(ReportQueueError) -> (ReportFile, [QueuedReport], faults: [String]) {
        let bytes: [UInt8]
        let handle: FileHandle
        do {
            if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
            handle = try FileHandle(forUpdating: url)
        } catch {
            throw .file(path: url.path, reason: error.localizedDescription)
        }
        guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else { throw .inUse(path: url.path) }
        do {
            bytes = try handle.readToEnd().map { Array($0) } ?? []
        } catch {
            throw .file(path: url.path, reason: error.localizedDescription)
        }
        let content = ReportFileContent(bytes, header: header)
        var file = ReportFile(url: url, handle: handle)
        if !content.damaged.isEmpty { try file.putAside(content.damaged) }
        try file.write(content.reports[...])
        return (file, content.reports, content.faults)
    }

    private init(url: URL, handle: FileHandle) { (self.url, self.handle) = (url, handle) }

    /// Adds a report, which is on the disk when this returns.
    mutating func add(_ report: QueuedReport) throws(ReportQueueError) { try append(report.line) }

    /// Notes that reports have been settled.
    ///
    /// - Parameter rest: The reports that still wait.
    mutating func settle(
        _ keys: [String], leaving rest: ArraySlice<QueuedReport>
    ) throws(ReportQueueError) {
        settled += keys.count
        if settled > ReportFile.settledLimit || rest.isEmpty { return try write(rest) }
        try append(keys.flatMap { JSON.object(["settled": .string($0)]).utf8 + [UInt8(ascii: "\n")] })
    }

    private func append(_ line: [UInt8]) throws(ReportQueueError) {
        var end: UInt64?
        do {
            end = try handle.seekToEnd()
            try handle.write(contentsOf: Data(line))
            try handle.synchronize()
        } catch {
            // A part of a line would make the next one unreadable.
            if let end { try? handle.truncate(atOffset: end) }
            throw .file(path: url.path, reason: error.localizedDescription)
        }
    }

    /// Writes the file anew, in place of the earlier one.
    private mutating func write(_ reports: ArraySlice<QueuedReport>) throws(ReportQueueError) {
        let bytes = Array("\(ReportFile.header)\n".utf8) + reports.flatMap(\.line)
        let other = url.appendingPathExtension("new")
        do {
            try Data(bytes).write(to: other)
            let handle = try FileHandle(forUpdating: other)
            try handle.synchronize()
            // The lock is taken before the file has its name: no other queue can come between.
            guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0, rename(other.path, url.path) == 0 else {
                throw CocoaError(.fileWriteUnknown)
            }
            try? self.handle.close()
            self.handle = handle
            settled = 0
        } catch {
            throw .file(path: url.path, reason: error.localizedDescription)
        }
    }

    private func putAside(_ lines: [[UInt8]]) throws(ReportQueueError) {
        do {
            let other = url.appendingPathExtension("damaged")
            let earlier = (try? Data(contentsOf: other)) ?? Data()
            try (earlier + Data(lines.joined(separator: [UInt8(ascii: "\n")])) + Data("\n".utf8))
                .write(to: other, options: .atomic)
        } catch {
            throw .file(path: url.path, reason: error.localizedDescription)
        }
    }
}

/// The content of a file of reports.
struct ReportFileContent {
    /// The reports that wait, in their order.
    private(set) var reports: [QueuedReport] = []
    /// The lines that cannot be read.
    private(set) var damaged: [[UInt8]] = []
    /// The fault of each of these lines, with its number.
    private(set) var faults: [String] = []

    init(_ bytes: [UInt8], header: String) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
        var settled: Set<Name> = []
        for (number, line) in lines.enumerated() where !line.isEmpty && line != Array(header.utf8) {
            do {
                let reader = JSONReader(try JSON(parsing: line))
                if let key = reader.optional("settled") {
                    settled.insert(Name(try key.string()))
                } else {
                    reports.append(try QueuedReport(reader))
                }
            } catch {
                damaged.append(line)
                faults.append("line \(number + 1) is no report: \(error)")
            }
        }
        reports.removeAll { settled.contains(Name($0.key)) }
    }
}
