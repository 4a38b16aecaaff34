import Access
import CallboardAPI
import DirectorLife
import Directors
import Hosting
import Journal
import JournalPostgres
import JournalSQLite
import Logging
import Notation

extension CallboardService {
    /// Opens the database, reads what is stored there and makes a server of it that does not listen yet.
    ///
    /// - Throws: As ``open(_:logger:)`` does.
    static func openDatabase(_ configuration: CallboardConfiguration, logger: Logger) throws -> CallboardService {
        let storage = configuration.storage
        // Before the database, which may have to be waited for.
        if configuration.cluster.isOn { try configuration.cluster.checkCertificates() }
        let address = try DatabaseAddress(storage.url)
        logger.info("opening the database", metadata: ["database": "\(address)"])
        var settings = storage.database
        settings.program = Application.version
        settings.willWait = { logger.notice("\($0)") }
        let secret = configuration.cluster.isOn ? try configuration.cluster.secret() : nil
        if configuration.cluster.isOn {
            settings.sharing = configuration.sharing(secret)
            if !configuration.cluster.name.isEmpty { settings.name = configuration.cluster.name }
        }
        let journal = try PostgresJournal(address, settings: settings)
        for warning in journal.warnings { logger.warning("\(warning)") }
        do {
            if let secret { return try openNode(configuration, journal, secret, logger: logger) }
            let recovery = try recover(journal, configuration, logger, place: ("database", address.description))
            let service = try CallboardService(
                configuration: configuration, journal: journal, recovered: recovery.directors, logger: logger)
            service.note(setAside: journal.setAside)
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

    /// Makes a node that follows the others, and does not listen yet.
    private static func openNode(
        _ configuration: CallboardConfiguration, _ journal: PostgresJournal, _ secret: SharedSecret, logger: Logger
    ) throws -> CallboardService {
        let service = try CallboardService(
            configuration: configuration, journal: journal, secret: secret, sharing: journal.sharing, logger: logger)
        service.note(setAside: journal.setAside)
        let start = ContinuousClock.now
        do {
            try service.follow()
        } catch {
            service.abandon()
            throw error
        }
        logger.info(
            "following",
            metadata: [
                "directors": .stringConvertible(LogQuantity.count(service.directorCounts.all)),
                "loaded": .stringConvertible(LogQuantity.count(service.directorCounts.loaded)),
                "took": .stringConvertible(LogQuantity.duration(start.duration(to: .now))),
                "node": .number(journal.sharing?.node ?? 0),
            ])
        try service.prepareAccess(
            configuration.storage.data == "memory" ? nil : DataFolder(path: configuration.storage.data))
        return service
    }
}

extension CallboardConfiguration {
    /// How the journal is shared with other nodes.
    fileprivate func sharing(_ secret: SharedSecret?) -> SharingSettings {
        var settings = SharingSettings(
            fingerprint: secret.map { Base64URL.encode(Array($0.key(for: "fingerprint").prefix(12))) } ?? "",
            retention: VersionRetention(count: api.feed.retainedVersions, bytes: api.feed.retainedBytes),
            limits: limitsOfDirectors)
        settings.idle = cluster.unloadAfter
        return settings
    }

    /// What a director may hold.
    var limitsOfDirectors: DirectorLimits {
        DirectorLimits(sections: api.bounds.sections, elements: api.bounds.elements)
    }
}
