import CallboardAPI
import DirectorLife
import Directors
import Hosting
import Journal
import JournalSQLite
import Logging

extension CallboardService {
    /// Opens the data folder, reads what is stored there and makes a server of it that does not listen yet.
    ///
    /// - Parameters:
    ///   - configuration: The settings; `storage` says where directors are kept.
    ///   - logger: The log: it says what was recovered, how long it took and how much is on disk.
    /// - Complexity: One sequential read of what is stored.
    /// - Throws: `JournalError` where the folder cannot be used or what is stored is damaged, and then nothing of it is
    ///   served; `SystemError` as ``init(configuration:journal:recovered:secret:sharing:logger:)``.
    package static func open(_ configuration: CallboardConfiguration, logger: Logger) throws -> CallboardService {
        if configuration.storage.isDatabase { return try openDatabase(configuration, logger: logger) }
        guard !configuration.storage.isMemory else {
            logger.notice("directors are kept in memory only: they are gone when the server stops")
            let service = try CallboardService(configuration: configuration, logger: logger)
            try service.prepareAccess(nil)
            return service
        }
        let place = DataFolder(path: configuration.storage.data)
        let folder = try place.open(configuration.storage.journal)
        logger.report(folder.access, of: configuration.storage.data)
        for warning in folder.journal.warnings { logger.warning("\(warning)") }
        do {
            let recovery = try recover(folder.journal, configuration, logger, place: ("folder", place.path))
            let service = try CallboardService(
                configuration: configuration, journal: folder.journal, recovered: recovery.directors,
                logger: logger)
            service.note(setAside: folder.journal.setAside)
            try service.prepareAccess(place)
            return service
        } catch {
            folder.journal.close()
            throw error
        }
    }

    /// Reads what a journal holds, and says so in the log with the place of the journal.
    static func recover(
        _ journal: some RecoverableJournal, _ configuration: CallboardConfiguration, _ logger: Logger,
        place: (key: String, value: String)
    ) throws(JournalError) -> Recovery {
        let bounds = configuration.bounds
        let feed = configuration.feed
        var told = ContinuousClock.now
        let recovery = try Recovery(
            of: journal, limits: DirectorLimits(sections: bounds.sections, elements: bounds.elements),
            retention: VersionRetention(count: feed.retainedVersions, bytes: feed.retainedBytes)
        ) { progress in
            guard told.duration(to: .now) > .seconds(2) else { return }
            told = .now
            logger.info(
                "reading what is stored",
                metadata: [
                    "records": .stringConvertible(LogQuantity.count(progress.records)),
                    "snapshots": .stringConvertible(LogQuantity.count(progress.snapshots)),
                ])
        }
        let report = recovery.report
        let quantities: [String: LogQuantity] = [
            "directors": .count(report.directors), "elements": .count(report.elements),
            "versions": .count(report.versions), "answers": .count(report.answers),
            "snapshots": .count(report.snapshots), "records": .count(report.records),
            "took": .duration(report.duration), "size": .bytes(report.bytesOnDisk),
        ]
        var metadata: Logger.Metadata = quantities.mapValues { .stringConvertible($0) }
        metadata[place.key] = "\(place.value)"
        logger.info("recovered", metadata: metadata)
        return recovery
    }
}

extension CallboardService {
    /// Says in the log and in the audit which damaged rows were moved out of the way.
    func note(setAside rows: [JournalDamage]) {
        for row in rows {
            logger.warning(
                "a damaged row was set aside: the server goes on without it",
                metadata: ["row": "\(row.place)", "damage": "\(row.detail)"])
            application.audit?.note(.setAside(row))
        }
    }
}

extension Logger {
    /// Says where others than its owner could reach a data folder, which holds the secrets of hooks.
    fileprivate func report(_ access: FolderAccess, of folder: String) {
        for file in access.files {
            let metadata: Metadata = ["file": "\(file.path)", "mode": "\(FolderAccess.text(file.mode))"]
            if file.isNarrowed {
                warning(
                    "other users of this machine could reach this file; it is its owner's alone now", metadata: metadata
                )
            } else {
                warning(
                    "other users of this machine can reach this file, which holds secrets; its owner can change that",
                    metadata: metadata.merging(["command": "chmod 600 \(Self.quoted(file.path))"]) { $1 })
            }
        }
        guard let mode = access.folderMode else { return }
        warning(
            "the data folder is open to other users of this machine",
            metadata: [
                "folder": "\(folder)", "mode": "\(FolderAccess.text(mode))",
                "command": "chmod 700 \(Self.quoted(folder))",
            ])
    }

    /// A path as a shell takes it.
    private static func quoted(_ path: String) -> String {
        "'" + path.replacing("'", with: "'\\''") + "'"
    }
}
