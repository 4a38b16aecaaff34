import CallboardAPI
import CallboardClient
import HTTPServer
import JournalSQLite
import Logging
import TLSEngine

extension Setting {
    /// Every setting there is, in the order of the example file.
    static let all: [Setting] =
        server + limits + deadlines + tls + http2 + access + feed + views + hooks + cors + console + bounds + program
        + cluster

    /// The setting of that key.
    static func named(_ key: String) -> Setting? { byKey[key] }

    private static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })

    private static let server = [
        Setting(
            key: "server.host", kind: .text, unit: "",
            summary: "The address to listen on: a number or a name; \"*\" is every address of the machine.",
            read: { .string($0.configuration.server.host) },
            write: { $0.configuration.server.host = $1.text }),
        Setting(
            key: "server.port", kind: .integer(0...65535), unit: "",
            summary: "The TCP port; 0 takes a free one.",
            read: { .number(JSONNumber($0.configuration.server.port ?? 0)) },
            write: { $0.configuration.server.port = UInt16(clamping: $1.integer) }),
        Setting(
            key: "server.unixSocket", kind: .text, unit: "",
            summary: "The path of a Unix-domain socket to listen on beside the port; empty for none.",
            read: { .string($0.configuration.server.unixSocketPath ?? "") },
            write: { $0.configuration.server.unixSocketPath = $1.text.isEmpty ? nil : $1.text }),
        Setting(
            key: "server.unixSocketAccess", kind: .choice(UnixSocketAccess.allCases.map(\.rawValue)), unit: "",
            summary:
                "The users who may connect to that socket, whatever the umask: the server's own, its group, or all.",
            read: { .string($0.configuration.server.unixSocketAccess.rawValue) },
            write: {
                $0.configuration.server.unixSocketAccess =
                    UnixSocketAccess(rawValue: $1.text) ?? $0.configuration.server.unixSocketAccess
            }),
        Setting(
            key: "server.allowedHosts", kind: .texts, unit: "",
            summary: "Hosts that requests may name besides localhost and loopback numbers; \"*\" is any. \"auto\" is "
                + "no other host on a loopback address, and any host elsewhere. Other requests are answered 421.",
            read: { .array($0.configuration.allowedHosts.map { .string($0) }) },
            write: { $0.configuration.allowedHosts = $1.texts }),
        integer(
            "server.loops", \.configuration.loops, 0...1024, unit: "threads",
            "Event loops, each with a thread of its own; 0 is one for each core."),
        integer(
            "server.maxConnections", \.configuration.server.maxConnections, 1...10_000_000, unit: "connections",
            "Connections open at the same time; one more is answered 503 and closed."),
        Setting(
            key: "server.backlog", kind: .integer(1...65535), unit: "connections",
            summary: "Connections that may wait to be accepted, for each listener.",
            read: { .number(JSONNumber($0.configuration.server.backlog)) },
            write: { $0.configuration.server.backlog = Int32(clamping: $1.integer) }),
    ]

    private static let tls = [
        text(
            "tls.certificate", \.configuration.tls.certificate,
            "The file of a certificate with its chain, PEM: the port speaks TLS then. Empty for cleartext."),
        text("tls.key", \.configuration.tls.key, "The file of its private key, PEM, closed to other users."),
        text(
            "tls.passphraseFile", \.configuration.tls.passphraseFile,
            "The file of the key's passphrase; empty for a key that is not encrypted."),
        Setting(
            key: "tls.certificates", kind: .objects, unit: "",
            summary: "Certificates for other names, as {\"certificate\": …, \"key\": …, \"passphraseFile\": …}. "
                + "A client gets the one whose names include the one that it asks for.",
            read: { (try? JSON(parsing: Array($0.certificates.utf8))) ?? .array([]) },
            write: { $0.certificates = $1.objects }),
        text(
            "tls.clientCA", \.configuration.tls.clientAuthority,
            "The file of the authorities that vouch for clients' certificates, PEM; empty asks clients for none."),
        Setting(
            key: "tls.clientCertificates",
            kind: .choice(TLSConfiguration.ClientCertificates.allCases.map(\.rawValue)), unit: "",
            summary: "required refuses clients without a certificate; auth.certificates says what each one allows.",
            read: { .string($0.configuration.tls.clientCertificates.rawValue) },
            write: {
                $0.configuration.tls.clientCertificates =
                    TLSConfiguration.ClientCertificates(rawValue: $1.text) ?? $0.configuration.tls.clientCertificates
            }),
    ]

    private static let http2 = [
        Setting(
            key: "http2.cleartext", kind: .flag, unit: "",
            summary: "true lets clients begin with HTTP/2 without TLS, as proxies do; over TLS they agree upon it.",
            read: { .bool($0.configuration.server.allowsCleartextHTTP2) },
            write: { $0.configuration.server.allowsCleartextHTTP2 = $1.flag }),
        integer(
            "http2.maxStreams", \.configuration.server.http2.maxStreams, 1...100_000, unit: "streams",
            "Streams open at the same time on one connection; one more is refused, to be begun again later."),
        integer(
            "http2.maxRequests", \.configuration.server.http2.maxInFlight, 1...100_000, unit: "requests",
            "Requests of one connection that are worked on at the same time; others wait."),
    ]

    private static let limits = [
        integer(
            "server.maxTarget", \.configuration.server.limits.maxTarget, 256...1_048_576, unit: "bytes",
            "The longest request target; a longer one is answered 414."),
        integer(
            "server.maxHead", \.configuration.server.limits.maxHead, 1024...16_777_216, unit: "bytes",
            "The largest head of a request; a larger one is answered 431."),
        integer(
            "server.maxFields", \.configuration.server.limits.maxFields, 8...10_000, unit: "header fields",
            "The most header fields of a request; more are answered 431."),
        integer(
            "server.maxBody", \.configuration.server.limits.maxBody, 1024...1_073_741_824, unit: "bytes",
            "The largest body of a request; a larger one is answered 413."),
        integer(
            "server.maxContent", \.configuration.maxContent, 1024...1_073_741_824, unit: "bytes",
            "The largest list that PUT …/content takes in one request, as callboard load sends it, and at most "
                + "server.maxBufferedBytes; a larger one is answered 413."),
        integer(
            "server.maxBufferedBytes", \.configuration.server.maxBufferedBytes, 1_048_576...1_099_511_627_776,
            unit: "bytes",
            "Unfinished requests and unsent answers of all connections together, never less than server.maxBody; beyond "
                + "it requests are answered 503 and streams that lag are ended."),
        integer(
            "server.maxIgnoredDuringStream", \.configuration.server.maxIgnoredDuringStream, 0...16_777_216,
            unit: "bytes", "The most that a client may send while it follows a stream; with more, it is cut off."),
    ]

    private static let deadlines = [
        seconds(
            "server.headTimeout", \.configuration.server.headTimeout, 0.1...3600,
            "How long a request's head may take; then 408."),
        seconds(
            "server.bodyTimeout", \.configuration.server.bodyTimeout, 0.1...3600,
            "How long a request's body may make no progress; then 408."),
        seconds(
            "server.keepAliveTimeout", \.configuration.server.keepAliveTimeout, 0.1...86400,
            "How long a connection may wait for its next request before it is closed."),
        seconds(
            "server.writeStallTimeout", \.configuration.server.writeStallTimeout, 0.1...3600,
            "How long a client may take nothing of its answer before it is cut off."),
        seconds(
            "server.lingerTimeout", \.configuration.server.lingerTimeout, 0...60,
            "How long a closing connection waits for its last answer to be read."),
        seconds(
            "server.shutdownDeadline", \.configuration.server.shutdownDeadline, 0...3600,
            "How long requests and streams may take to end when the server stops."),
        milliseconds(
            "server.acceptPause", \.configuration.server.acceptPause, 1...60_000,
            "How long a listener rests when the machine has no descriptor left."),
    ]

    private static let access = [
        Setting(
            key: "auth.mode", kind: .choice(AccessConfiguration.Mode.allCases.map(\.rawValue)), unit: "",
            summary: "required refuses what no grant allows; none lets everybody who reaches the server do everything.",
            read: { .string($0.configuration.access.mode.rawValue) },
            write: {
                $0.configuration.access.mode =
                    AccessConfiguration.Mode(rawValue: $1.text) ?? $0.configuration.access.mode
            }),
        Setting(
            key: "auth.openToAll", kind: .flag, unit: "",
            summary: "true lets a server with auth.mode none listen beyond the loopback address; otherwise it does not "
                + "start.",
            read: { .bool($0.configuration.access.isOpenToAll) },
            write: { $0.configuration.access.isOpenToAll = $1.flag }),
        Setting(
            key: "auth.anonymous", kind: .objects, unit: "",
            summary:
                "Grants of requests without a credential, as {\"actions\": [\"read\"], \"directors\": [\"menu-*\"]}.",
            read: { (try? JSON(parsing: Array($0.anonymous.utf8))) ?? .array([]) },
            write: { $0.anonymous = $1.objects }),
        Setting(
            key: "auth.issuers", kind: .objects, unit: "",
            summary:
                "The issuers whose JSON Web Tokens are accepted, as {\"issuer\": …, \"audience\": …, \"algorithms\": "
                + "[\"ES256\"], \"jwksURL\" or \"keysFile\": …}.",
            read: { (try? JSON(parsing: Array($0.issuers.utf8))) ?? .array([]) },
            write: { $0.issuers = $1.objects }),
        Setting(
            key: "auth.certificates", kind: .objects, unit: "",
            summary: "The rights of clients' certificates, by their subject alternative names, as {\"name\": "
                + "\"till-*\", \"grants\": [{\"actions\": …, \"directors\": …}]}.",
            read: { (try? JSON(parsing: Array($0.clientGrants.utf8))) ?? .array([]) },
            write: { $0.clientGrants = $1.objects }),
        Setting(
            key: "limits.requestsPerSecond", kind: .number(0...1_000_000), unit: "requests a second",
            summary: "The most that each token and each address may ask for; more is answered 429. 0 is no bound.",
            read: { JSONNumber($0.configuration.limits.requestsPerSecond).map { .number($0) } ?? .null },
            write: { $0.configuration.limits.requestsPerSecond = $1.number }),
        integer(
            "limits.burst", \.configuration.limits.burst, 1...1_000_000, unit: "requests",
            "Requests of a token or an address that may come at once after a pause."),
        integer(
            "limits.streams", \.configuration.limits.streams, 0...10_000_000, unit: "streams",
            "Streams of each token and each address at the same time; one more is answered 429. 0 is no bound."),
        Setting(
            key: "audit.file", kind: .text, unit: "",
            summary:
                "The file that notes changes and refusals, a JSON line each; \"-\" is standard error, empty no file.",
            read: { .string($0.configuration.access.auditFile ?? "") },
            write: { $0.configuration.access.auditFile = $1.text.isEmpty ? nil : $1.text }),
    ]

    private static let feed = [
        integer(
            "feed.retainedVersions", \.configuration.feed.retainedVersions, 1...100_000, unit: "versions",
            "Versions of a director that a subscriber can resume from."),
        integer(
            "feed.retainedBytes", \.configuration.feed.retainedBytes, 1024...68_719_476_736, unit: "bytes",
            "Changesets kept for each director, and content that only older versions hold; the oldest go first."),
        integer(
            "feed.window", \.configuration.feed.window, 1...100_000, unit: "events",
            "Events that a slow stream may lag behind; further behind, it gets one changeset from its version to now."),
        integer(
            "feed.windowBytes", \.configuration.feed.windowBytes, 1024...68_719_476_736, unit: "bytes",
            "Bytes of events that a slow stream may lag behind."),
        seconds(
            "feed.heartbeat", \.configuration.feed.heartbeat, 0.1...3600,
            "Silence after which a stream sends a heartbeat."),
        milliseconds(
            "feed.retryMin", \.configuration.feed.retryMin, 0...600_000,
            "The shortest wait before a reconnection that clients are told."),
        milliseconds(
            "feed.retryMax", \.configuration.feed.retryMax, 0...600_000,
            "The longest wait before a reconnection that clients are told."),
        integer(
            "feed.maxDirectorsPerStream", \.configuration.feed.maxDirectorsPerStream, 1...10_000, unit: "directors",
            "Directors that one stream may carry."),
    ]

    private static let views = [
        integer(
            "views.instances", \.configuration.views.instances, 1...1_000_000, unit: "instances",
            "Instances of views that are kept up: one for each view and each set of bound values that somebody reads. One "
                + "more is answered 503."),
        integer(
            "views.instancesPerPrincipal", \.configuration.views.instancesPerPrincipal, 1...1_000_000,
            unit: "instances", "Instances of views that one credential has begun; one more is answered 429."),
        integer(
            "views.bytes", \.configuration.views.bytes, 1024...68_719_476_736, unit: "bytes",
            "The estimated memory of all instances of views at which the server begins no more and answers 503."),
    ]

    private static let hooks = [
        Setting(
            key: "hooks.allow", kind: .texts, unit: "",
            summary: "Hosts, \"*.example\", ranges (10.1.0.0/16) or \"loopback\" that hooks may call inside the "
                + "network; \"auto\" is loopback while the server listens there only and lists no allowedHosts.",
            read: { .array($0.configuration.hooks.allow.map { .string($0) }) },
            write: { $0.configuration.hooks.allow = $1.texts }),
        seconds(
            "hooks.questionTimeout", \.configuration.hooks.questionTimeout, 0.05...60,
            "How long a target may take to answer a question; then the default is the answer."),
        seconds(
            "hooks.notificationTimeout", \.configuration.hooks.notificationTimeout, 0.05...300,
            "How long a target may take to accept a notification; then it is tried again later."),
        integer(
            "hooks.concurrency", \.configuration.hooks.concurrency, 1...1024, unit: "calls",
            "Calls of one target (scheme, host and port) at the same time; others wait."),
        integer(
            "hooks.maxAnswerBytes", \.configuration.hooks.maxAnswerBytes, 1024...67_108_864, unit: "bytes",
            "The longest answer of a target; a longer one counts as none."),
        integer(
            "hooks.maxPending", \.configuration.hooks.maxPending, 1...10_000_000, unit: "notifications",
            "Notifications that may wait for one hook; one more is answered 429."),
        integer(
            "hooks.maxPendingTotal", \.configuration.hooks.maxPendingTotal, 1...100_000_000, unit: "notifications",
            "Notifications that may wait for all hooks together; one more is answered 429."),
        Setting(
            key: "hooks.retryDelays", kind: .numbers(0...604_800), unit: "seconds",
            summary: "The wait after each failed attempt at a notification; after one more failure it is given up.",
            read: { settings in
                .array(
                    settings.configuration.hooks.retryDelays.map { delay in
                        JSONNumber(delay / .seconds(1)).map { .number($0) } ?? .null
                    })
            },
            write: { $0.configuration.hooks.retryDelays = $1.numbers.map { .seconds($0) } }),
        integer(
            "hooks.retainedDead", \.configuration.hooks.retainedDead, 0...10_000_000, unit: "notifications",
            "Notifications that were given up and are kept to be retried, a twentieth of them of one hook."),
    ]

    private static let cors = [
        Setting(
            key: "cors.origins", kind: .texts, unit: "",
            summary: "Web origins that may call the API from a browser, such as https://app.example; \"*\" is any.",
            read: { .array($0.configuration.cors.origins.map { .string($0) }) },
            write: { $0.configuration.cors.origins = $1.texts }),
        seconds(
            "cors.maxAge", \.configuration.cors.maxAge, 0...86400,
            "How long a browser may remember that it may call."),
    ]

    private static let console = [
        Setting(
            key: "console.enabled", kind: .choice(ConsoleSetting.allCases.map(\.rawValue)), unit: "",
            summary:
                "Whether browsers get the console at /console/; auto: where a credential is asked for, or on loopback.",
            read: { .string($0.configuration.console.rawValue) },
            write: { $0.configuration.console = ConsoleSetting(rawValue: $1.text) ?? $0.configuration.console })
    ]

    private static let bounds = [
        integer(
            "bounds.directors", \.configuration.bounds.directors, 1...10_000_000, unit: "directors",
            "Directors on this server; one more is answered 507."),
        integer(
            "bounds.sections", \.configuration.bounds.sections, 1...1_000_000_000, unit: "sections",
            "Sections in one director; more are answered 507."),
        integer(
            "bounds.elements", \.configuration.bounds.elements, 1...1_000_000_000, unit: "elements",
            "Elements in one director; more are answered 507."),
    ]

    private static let cluster = [
        text(
            "cluster.listen", \.configuration.cluster.listen,
            "HOST:PORT of the internal listener, for the other nodes that share journal.url; it belongs into a private "
                + "network. Empty for a server that has its database for itself."),
        text(
            "cluster.url", \.configuration.cluster.url,
            "Where the other nodes reach that listener, such as http://10.0.0.5:8090, or https://… with "
                + "cluster.tlsCertificate; empty is the listener's address."),
        text(
            "cluster.secretFile", \.configuration.cluster.secretFile,
            "The file of the secret that all nodes share: at least 32 characters, closed to other users."),
        text(
            "cluster.tlsCertificate", \.configuration.cluster.tlsCertificate,
            "The file of the node's certificate with its chain, PEM: nodes speak TLS to each other then. It is for servers "
                + "and clients, and for the host of cluster.url. Empty for cleartext."),
        text(
            "cluster.tlsKey", \.configuration.cluster.tlsKey,
            "The file of its private key, PEM, closed to other users."),
        text(
            "cluster.tlsTrust", \.configuration.cluster.tlsTrust,
            "The file of the authorities that all nodes' certificates have to come from, PEM."),
        text(
            "cluster.name", \.configuration.cluster.name,
            "The node's name in logs and in GET /v1/nodes; empty is the machine's name and the process."),
        seconds(
            "cluster.unloadAfter", \.configuration.cluster.unloadAfter, 1...86_400,
            "The time without requests after which another node's director leaves this node's memory; it may take "
                + "twice as long."),
    ]

    private static let program = [
        Setting(
            key: "data", kind: .text, unit: "",
            summary: "The folder that content is kept in; \"memory\" forgets it when the server stops.",
            read: { .string($0.configuration.storage.data) }, write: { $0.configuration.storage.data = $1.text }),
        text(
            "journal.url", \.configuration.storage.url,
            "A PostgreSQL database that keeps content in place of the data folder: postgresql://user@host/database. "
                + "Empty for none."),
        Setting(
            key: "journal.requireSynchronousStandby", kind: .flag, unit: "",
            summary: "true refuses to start on a database whose commits wait for no standby.",
            read: { .bool($0.configuration.storage.requiresSynchronousStandby) },
            write: { $0.configuration.storage.requiresSynchronousStandby = $1.flag }),
        seconds(
            "journal.patience", \.configuration.storage.patience, 0...3600,
            "How long changes wait for a database that is away; then they are answered 503."),
        Setting(
            key: "journal.durability", kind: .choice(Durability.allCases.map(\.rawValue)), unit: "",
            summary: "full loses nothing that was acknowledged; normal may lose the last commits at a power cut.",
            read: { .string($0.configuration.storage.durability.rawValue) },
            write: {
                $0.configuration.storage.durability =
                    Durability(rawValue: $1.text) ?? $0.configuration.storage.durability
            }),
        integer(
            "journal.snapshotBytes", \.configuration.storage.snapshotBytes, 65_536...68_719_476_736, unit: "bytes",
            "A director's log may grow to this, and to the size of its last snapshot, before a snapshot replaces it."),
        integer(
            "journal.maxBytes", \.configuration.storage.maxBytes, 0...(1 << 50), unit: "bytes",
            "The size that the database may grow to; more is answered 507. 0 is no bound."),
        Setting(
            key: "log.level", kind: .choice(Logger.Level.allCases.map(\.rawValue)), unit: "",
            summary: "The least severe entries to log.",
            read: { .string($0.logLevel.rawValue) },
            write: { $0.logLevel = Logger.Level(rawValue: $1.text) ?? $0.logLevel }),
        Setting(
            key: "log.format", kind: .choice(ServeSettings.LogFormat.allCases.map(\.rawValue)), unit: "",
            summary: "How entries are written to standard error.",
            read: { .string($0.logFormat.rawValue) },
            write: { $0.logFormat = ServeSettings.LogFormat(rawValue: $1.text) ?? $0.logFormat }),
    ]
}
