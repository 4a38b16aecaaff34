/// One connection's session, as far as a pooler between may change it.
///
/// The first transaction asks for the number of the database's process. If libpq was told another number at the start, a pooler
/// has made that number up. From then on each transaction begins with a statement that divides by zero in any other session, so
/// that the transaction is undone as a whole. The session is known by its process and by a setting that is the
/// connection's own, so that another client of the same process is found as well.
struct PooledSession {
    /// The database's process; nil until the first transaction has asked for it.
    var backend: Int?
    private let told: Int
    private let watch: PoolerWatch
    /// The watch's generation when the connection was made.
    private let generation: Int
    private let token = String(UInt64.random(in: .min ... .max), radix: 36)
    private var isMarked = false

    /// Knows nothing yet.
    ///
    /// - Parameter told: The process, as libpq was told it.
    init(_ watch: PoolerWatch, told: Int) {
        (self.watch, self.told) = (watch, told)
        generation = watch.generation
    }

    /// Whether a pooler is between.
    var isPooled: Bool { backend.map { $0 != told } ?? false }

    /// Whether a pooler has been found not to keep sessions since the connection was made.
    var isRefused: Bool { isPooled && generation != watch.generation }

    /// Whether the pooler has been tried since something was found last.
    var isTried: Bool { watch.isTried(generation) }

    /// Takes note that the pooler was tried, and nothing was found.
    func noteTried() { watch.noteTried(generation) }

    /// The statement that a transaction begins with; nil for none.
    var check: String? {
        // With the first transaction, or not at all: what it sets in the session is nobody else's from then on.
        let mark = "set_config('callboard.session', '\(token)', false)"
        guard let backend else { return "SELECT pg_backend_pid()::bigint, \(mark)" }
        guard isPooled else { return nil }
        guard isMarked else { return "SELECT 1 / (pg_backend_pid() = \(backend))::integer, \(mark)" }
        return """
            SELECT 1 / (pg_backend_pid() = \(backend)
                AND current_setting('callboard.session', true) IS NOT DISTINCT FROM '\(token)')::integer
            """
    }

    /// Takes note that a transaction with its check is done; one that marks the session has done so.
    ///
    /// - Parameter check: The statement that it has begun with.
    mutating func isCommitted(_ check: String) {
        if check.contains("set_config") { isMarked = true }
    }

    /// Takes note that the session holds nothing any more.
    mutating func isDiscarded() { isMarked = false }

    /// The fault of a check that has failed; nil where it is about something else. All earlier connections are refused then.
    func fault(of fault: DatabaseFault) -> DatabaseFault? {
        guard isPooled, fault.state == "22012" else { return nil }
        watch.note()
        return PoolerWatch.fault
    }
}
