import CSQLiteFaults
import DirectorLife
import JournalTesting

@testable import Journal
@testable import JournalSQLite

/// A disk that fails when it is told to.
struct FaultyDisk {
    private let number: Int32

    /// The name of its VFS.
    var vfs: String { "callboard-faults-\(number)" }

    init() throws {
        number = callboard_faults_make()
        guard number >= 0 else { throw TooManyDisks() }
    }

    struct TooManyDisks: Error {}

    /// What goes wrong, with SQLite's code for it.
    enum Fault: CaseIterable {
        /// There is no room (`SQLITE_FULL`).
        case full
        /// A write fails (`SQLITE_IOERR_WRITE`).
        case write
        /// A sync fails; what was written may be there (`SQLITE_IOERR_FSYNC`).
        case sync
        /// A file cannot be opened (`SQLITE_CANTOPEN`).
        case open
    }

    /// Lets calls succeed and then so many fail.
    func fail(_ fault: Fault, after: Int = 0, times: Int = 1) {
        let (kind, code): (callboard_fault, Int32) =
            switch fault {
            case .full: (CALLBOARD_FAULT_WRITE, 13)
            case .write: (CALLBOARD_FAULT_WRITE, 778)
            case .sync: (CALLBOARD_FAULT_SYNC, 1034)
            case .open: (CALLBOARD_FAULT_OPEN, 14)
            }
        callboard_faults_fail(number, kind, Int32(after), Int32(times), code)
    }

    /// Nothing fails from now on.
    func mend() {
        for fault in Fault.allCases { fail(fault, times: 0) }
    }

    /// Lets syncs wait, or lets them go.
    func holdSyncs(_ hold: Bool) {
        callboard_faults_hold_syncs(number, hold ? 1 : 0)
    }

    /// Whether a sync waits: all writes before it are done.
    var holdsSync: Bool { callboard_faults_held_syncs(number) > 0 }

    /// How many syncs there were.
    var syncs: Int { Int(callboard_faults_calls(number, CALLBOARD_FAULT_SYNC)) }

    /// Opens a journal on this disk.
    func open(_ folder: TemporaryFolder, _ settings: SQLiteSettings = SQLiteSettings()) throws -> SQLiteJournal {
        var settings = settings
        settings.retryDelay = .milliseconds(5)
        return try SQLiteJournal(path: folder.file, settings: settings, vfs: vfs)
    }
}
