import Journal
import JournalPostgres
import JournalSQLite
import Logging

extension CallboardService {
    /// Opens the database, reads what is stored there and makes a server of it that does not listen yet.
    ///
    /// - Throws: As ``open(_:logger:)`` does.
    static func openDatabase(_ configuration: CallboardConfiguration, logger: Logger) throws -> CallboardService {
        let storage = configuration.storage
        let address = try DatabaseAddress(storage.url)
        logger.info("opening the database", metadata: ["database": "\(address)"])
        var settings = storage.database
        settings.willWait = { logger.notice("\($0)") }
        let journal = try PostgresJournal(address, settings: settings)
        for warning in journal.warnings { logger.warning("\(warning)") }
        do {
            let recovery = try recover(journal, configuration, logger, place: ("database", address.description))
            let service = try CallboardService(
                configuration: configuration, journal: journal, recovered: recovery.directors, logger: logger)
            let losses = service.noteLoss
            journal.whenTaken { losses.yield("another server has taken the database over") }
            // The first token has to be left somewhere: where a server without a database has its content.
            try service.prepareAccess(storage.data == "memory" ? nil : DataFolder(path: storage.data))
            return service
        } catch {
            journal.close()
            throw error
        }
    }
}
