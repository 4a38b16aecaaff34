import DirectorLife
import Directors

/// The result of verifying what is stored.
package struct JournalCheck: Sendable {
    /// The damage that was found, at most ``limit`` places; none where everything is as it was written.
    package let problems: [JournalDamage]
    /// Rows that were read.
    package let rows: Int
    /// Static tokens that were read, whole ones only.
    package let tokens: Int
    /// The faults of the rows that a server has set aside; they are no damage any more.
    package let setAside: [JournalDamage]
    /// The report of reading the journal as a start does; nil if the check of the rows has found damage.
    package let report: RecoveryReport?

    /// The most problems that are reported.
    package static let limit = 100

    /// What is being done.
    package enum Step: Sendable, Hashable {
        /// SQLite's own check of the file's structure.
        case structure
        /// The checksums, after so many rows.
        case rows(Int)
        /// The directors are restored, after so many records.
        case replay(Int)
    }

    /// The findings in the rows.
    package struct Rows {
        /// The damage, in the order in which it was found.
        package private(set) var problems: [JournalDamage] = []
        /// Rows that were read.
        package var count = 0
        /// Whole tokens among them.
        package var tokens = 0
        /// The faults of the rows that were set aside.
        package var setAside: [JournalDamage] = []
        private let limit: Int

        /// Makes findings of nothing, for so many problems.
        package init(limit: Int = JournalCheck.limit) {
            self.limit = limit
        }

        /// Whether no more problems are looked for.
        package var isFull: Bool { problems.count >= limit }

        /// Adds a problem, where there is room.
        package mutating func add(_ damage: JournalDamage) {
            if !isFull { problems.append(damage) }
        }
    }

    /// Makes a result of what the rows show, and of restoring every director where they are whole.
    ///
    /// - Parameters:
    ///   - rows: Reads all rows; damage that it throws ends the check.
    ///   - restoring: Restores every director, and throws `JournalError.damaged(_:)` where that cannot be done.
    package init(
        rows: () throws(JournalError) -> Rows, restoring: () throws(JournalError) -> RecoveryReport
    ) throws(JournalError) {
        var found: Rows
        do throws(JournalError) {
            found = try rows()
        } catch {
            guard case .damaged(let damage) = error else { throw error }
            found = Rows()
            found.add(damage)
        }
        var report: RecoveryReport?
        if found.problems.isEmpty {
            do throws(JournalError) {
                report = try restoring()
            } catch {
                guard case .damaged(let damage) = error else { throw error }
                found.add(damage)
            }
        }
        (problems, self.rows, tokens, setAside) = (found.problems, found.count, found.tokens, found.setAside)
        self.report = report
    }

    /// Restores every director from a journal, as a start does, with each value parsed again.
    package static func restore(
        _ journal: some LifeSource, _ progress: (Step) -> Void
    ) throws(JournalError) -> RecoveryReport {
        try Recovery(
            of: journal, limits: DirectorLimits(), retention: VersionRetention(count: 1, bytes: .max),
            isVerifying: true
        ) { progress(.replay($0.records)) }.report
    }
}
