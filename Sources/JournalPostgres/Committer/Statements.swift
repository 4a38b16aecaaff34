/// The statements of a commit: one transaction of the statements that its units need.
enum Statements {
    /// Makes the transaction one of this server's, or shows no row where it has been fenced off.
    ///
    /// Parameters of this and of every statement with ``condition``: node, incarnation, unit.
    static let fence = Statement(
        "fence", [.int8, .int8, .int8],
        "UPDATE callboard.fences SET unit = $3 WHERE node = $1 AND incarnation = $2 RETURNING node")

    /// Holds where ``fence`` has had its row in the same transaction.
    static let condition = """
        EXISTS (SELECT FROM callboard.fences WHERE node = $1 AND incarnation = $2 AND unit = $3)
        """

    /// Begins lives, without a record yet; one whose name another life has is left out.
    static let begin = Statement(
        "begin", [.int8, .int8, .int8, .int8s, .texts, .texts, .int8s],
        """
        INSERT INTO callboard.lives (life, director, epoch, owner, term, head, ended, checksum)
        SELECT life, director, epoch, $1, 1, 0, false, checksum
        FROM unnest($4::bigint[], $5::text[], $6::text[], $7::bigint[]) AS given (life, director, epoch, checksum)
        WHERE \(condition) ON CONFLICT DO NOTHING
        """)

    /// Stores the records of many lives: of each life all of them, or none where its owner, term or head is another one.
    ///
    /// Shows the lives whose records are stored. The rows of `lives` are locked in the order of their numbers.
    static let append = append(isFenced: true)

    /// The same without looking at the term and the head, for the test that shows what they are for.
    static let appendWithoutFence = append(isFenced: false)

    /// The same for a pair of lives: the records of both, or none where one of the lives is another one.
    ///
    /// Shows the lives that are as they are given; the records are stored where both are. They are locked before they are
    /// counted, so that none is changed meanwhile.
    static let appendPair = append(
        "append-pair", "AND \(asGiven) AND (SELECT count(*) FROM held) = (SELECT count(*) FROM given)",
        locking: """
            , held AS (
                SELECT lives.life FROM callboard.lives JOIN given ON lives.life = given.life AND \(asGiven)
                ORDER BY lives.life FOR UPDATE OF lives
            )
            """, showing: "held")

    private static let asGiven = "lives.term = given.term AND lives.head = given.head AND NOT lives.ended"

    private static func append(isFenced: Bool) -> Statement {
        append(isFenced ? "append" : "append-without-fence", isFenced ? "AND \(asGiven)" : "")
    }

    private static func append(
        _ name: String, _ condition: String, locking: String = "", showing shown: String = "taken"
    ) -> Statement {
        Statement(
            name,
            [.int8, .int8s, .int8s, .int8s, .int8s, .int8s, .int8s, .int8s, .int8s, .byteStrings, .int8s],
            """
            WITH given AS (
                SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
                AS given (life, term, head, next, ends)
            )\(locking), taken AS (
                UPDATE callboard.lives SET head = given.next, ended = given.ends <> 0
                FROM given WHERE lives.life = given.life \(condition)
                RETURNING lives.life, lives.term
            ), stored AS (
                INSERT INTO callboard.records (life, number, term, unit, step, payload, checksum)
                SELECT record.life, record.number, given.term, $1, record.step, record.payload, record.checksum
                FROM unnest($7::bigint[], $8::bigint[], $9::bigint[], $10::bytea[], $11::bigint[])
                AS record (life, number, step, payload, checksum)
                JOIN given ON given.life = record.life JOIN taken ON taken.life = record.life
            )
            SELECT life FROM \(shown)
            """)
    }

    /// Keeps answers of lives whose records of this transaction are stored.
    static let answer = Statement(
        "answer", [.int8s, .int8s, .int8s, .int8s, .texts, .int8s, .byteStrings, .int8s, .int8s],
        """
        INSERT INTO callboard.answers (life, answer, key, fingerprint, body, expires, checksum)
        SELECT given.life, answer, key, fingerprint, body, expires, given.checksum
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::bytea[],
            $8::bigint[], $9::bigint[])
        AS given (life, term, head, answer, key, fingerprint, body, expires, checksum)
        JOIN callboard.lives ON lives.life = given.life AND lives.term = given.term AND lives.head = given.head
        """)

    static let removeDeliveries = Statement(
        "remove-deliveries", [.int8, .int8, .int8, .int8s],
        "DELETE FROM callboard.deliveries WHERE delivery = ANY ($4) AND \(condition)")

    static let putDeliveries = Statement(
        "put-deliveries",
        [
            .int8, .int8, .int8, .int8s, .int8s, .texts, .texts, .int8s, .int8s, .int8s, .int8s, .int8s, .texts,
            .byteStrings, .int8s,
        ],
        """
        INSERT INTO callboard.deliveries
        SELECT * FROM unnest($4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::bigint[], $9::bigint[],
            $10::bigint[], $11::bigint[], $12::bigint[], $13::text[], $14::bytea[], $15::bigint[])
        WHERE \(condition)
        """)

    static let removeTokens = Statement(
        "remove-tokens", [.int8, .int8, .int8, .texts],
        "DELETE FROM callboard.tokens WHERE id = ANY ($4) AND \(condition)")

    static let putTokens = Statement(
        "put-tokens", [.int8, .int8, .int8, .texts, .texts, .byteStrings, .texts, .int8s, .int8s, .int8s, .int8s],
        """
        INSERT INTO callboard.tokens
        SELECT * FROM unnest($4::text[], $5::text[], $6::bytea[], $7::text[], $8::bigint[], $9::bigint[],
            $10::bigint[], $11::bigint[])
        WHERE \(condition)
        """)

    static let useTokens = Statement(
        "use-tokens", [.int8, .int8, .int8, .texts, .int8s],
        """
        UPDATE callboard.tokens SET last_used = given.used
        FROM unnest($4::text[], $5::bigint[]) AS given (id, used) WHERE tokens.id = given.id AND \(condition)
        """)

    // MARK: Storing

    /// Stores a record of no life and takes it back, so that a transaction does everything that a commit does: extending the
    /// table, running its triggers, writing the log, waiting for the standby. Triggers alone see the record.
    static func probe(node: Int) -> [StatementCall] { [putProbe(Parameters(node)), removeProbe(Parameters(node))] }

    private static let putProbe = Statement(
        "put-probe", [.int8],
        "INSERT INTO callboard.records VALUES (-1, $1, 0, 0, 0, '', 0)")
    private static let removeProbe = Statement(
        "remove-probe", [.int8], "DELETE FROM callboard.records WHERE life = -1 AND number = $1")

    // MARK: Nodes

    /// Has the next statements of the transaction wait for no lock for long, and for no standby: what says who owns what
    /// stands before the records of the new owner in the log, so what is acknowledged to the owner keeps it.
    static let boundWaiting = Statement(
        "bound-waiting",
        "SELECT set_config('lock_timeout', '500ms', true), set_config('synchronous_commit', 'local', true)")

    // MARK: Doubt

    /// Bounds how long the next statements of the transaction wait for the locks of a transaction that is in doubt.
    static let boundLocks = Statement("bound-locks", "SELECT set_config('lock_timeout', '5s', true)")

    /// Fences off what the server has sent before, and shows the last unit that was stored.
    ///
    /// An attempt that was given up may still wait for the row. Its incarnation is lower than those of later attempts:
    /// it changes nothing once a later attempt has changed something.
    static let raiseIncarnation = Statement(
        "raise-incarnation", [.int8, .int8],
        "UPDATE callboard.fences SET incarnation = $2 WHERE node = $1 AND incarnation < $2 RETURNING unit")

    /// Takes lives from oneself: their row locks wait for the transaction in doubt, and their terms fence it off.
    ///
    /// Nothing where a later attempt has raised the incarnation. The terms alone fence the transaction off where the
    /// server's fence is gone.
    static let raiseTerms = Statement(
        "raise-terms", [.int8, .int8, .int8s],
        """
        UPDATE callboard.lives SET term = term + 1 WHERE owner = $1 AND life = ANY ($3)
            AND NOT EXISTS (SELECT FROM callboard.fences WHERE node = $1 AND incarnation <> $2)
        RETURNING life, term
        """)

    /// The lives whose record of one unit and term, or whose answer, is there.
    static let findStored = Statement(
        "find-stored", [.int8, .int8s, .int8s, .int8s, .int8s, .int8s, .int8s],
        """
        SELECT life FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS given (life, number, term)
        JOIN callboard.records USING (life, number, term) WHERE unit = $1
        UNION ALL
        SELECT life FROM unnest($5::bigint[], $6::bigint[], $7::bigint[]) AS given (life, answer, checksum)
        JOIN callboard.answers USING (life, answer, checksum)
        """)

    /// The lives of which a record may have been there: a snapshot of another server's stands for that number, or the life
    /// is over.
    static let findCovered = Statement(
        "find-covered", [.int8s, .int8s],
        """
        SELECT life FROM unnest($1::bigint[], $2::bigint[]) AS given (life, number)
        WHERE EXISTS (
            SELECT FROM callboard.snapshots
            WHERE snapshots.life = given.life AND snapshots.number >= given.number AND checksum IS NOT NULL)
        OR NOT EXISTS (SELECT FROM callboard.lives WHERE lives.life = given.life AND NOT ended)
        """)

    /// The states of a server's lives.
    static let heads = Statement(
        "heads", [.int8], "SELECT life, head FROM callboard.lives WHERE owner = $1 AND NOT ended")

    /// Numbers for lives that begin: the first of a block.
    static let takeNumbers = Statement("take-numbers", "SELECT nextval('callboard.life_numbers')")

    /// Prepares the connection that writes.
    ///
    /// A commit waits for the disk, and for the standbys where there are synchronous ones, whatever the role's settings
    /// are; nothing is cancelled by a time limit of theirs. Plans are made once: rows of tables are found by their keys. A
    /// small table without a fitting index then counts as dear, and must not be compiled for (`jit`) at each look.
    static let session = Statement(
        "session",
        """
        SELECT set_config('synchronous_commit',
                CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false),
            set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false),
            set_config('idle_in_transaction_session_timeout', '0', false),
            set_config('plan_cache_mode', 'force_generic_plan', false), set_config('jit', 'off', false),
            set_config('enable_seqscan', 'off', false),
            set_config('enable_mergejoin', 'off', false)
        """)
}
