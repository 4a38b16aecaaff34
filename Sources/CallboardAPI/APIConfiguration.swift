import Feed
import HTTPServer
import Hosting

/// The settings that requests are answered by, each with its default.
///
/// The names are those of the settings file (`server.host`, `feed.retainedVersions`, …): one nested type for each group of
/// keys.
package struct APIConfiguration: Sendable {
    /// The hosts that requests may name (`server.allowedHosts`; default `auto`), without ports.
    ///
    /// `auto` is loopback numbers and `localhost`, with the names under it, where the server listens on a loopback address,
    /// and any host elsewhere. A list names what is served besides the loopback names; `*` is any.
    package var allowedHosts = [APIConfiguration.automaticHosts]
    /// Listeners, connections, limits and deadlines of the HTTP server.
    package var server = ServerConfiguration()
    /// The largest list that `PUT …/content` takes (`server.maxContent`, bytes; default 256 MiB).
    package var maxContent = 256 << 20
    /// The retention of versions for subscribers, and the settings of streams.
    package var feed = FeedConfiguration()
    /// How many instances of views are kept up.
    package var views = ViewLimits()
    /// Who may use the server.
    package var access = AccessConfiguration()
    /// How much a token or an address may ask for.
    package var limits = LimitsConfiguration()
    /// Which other web origins may call the API from a browser.
    package var cors = CORSConfiguration()
    /// Whether there is a console (`console.enabled`; default `auto`).
    package var console = ConsoleSetting.auto
    /// How much one server takes on before it refuses more.
    package var bounds = DirectorBounds()
    /// The event after which storing works again, for messages. No setting: it follows from the journal.
    package var storageRemedy = "there is room again"

    /// Makes a configuration with the documented defaults.
    package init() {}

    /// The content that a request with a whole list may have: never more than may be buffered at all.
    package var maxList: Int { min(maxContent, server.maxBufferedBytes) }
}

/// Cross-origin access from browsers (`cors.*`).
package struct CORSConfiguration: Sendable {
    /// Origins allowed to read answers, such as `https://app.example` (`cors.origins`; default none, `*` is any).
    package var origins: [String] = []
    /// How long a browser may keep a preflight's answer (`cors.maxAge`, seconds; default 600).
    package var maxAge = Duration.seconds(600)

    /// Makes the defaults: no other origin.
    package init() {}
}

/// Bounds on what the server holds (`bounds.*`); a request that would pass one answers 507.
package struct DirectorBounds: Sendable {
    /// Directors on one server (`bounds.directors`; default 10,000).
    package var directors = 10_000
    /// Elements in one director (`bounds.elements`; default 5,000,000).
    package var elements = 5_000_000
    /// Sections in one director (`bounds.sections`; default 1,000,000).
    package var sections = 1_000_000

    /// Makes the defaults.
    package init() {}
}
