import Journal

extension Schema {
    /// The migrations from each version to the next. A released migration is never changed; another is added.
    ///
    /// From the third on, a migration adds tables, columns with defaults, indexes and triggers, and nothing else: programs
    /// of earlier versions go on beside it. No locks are held for long, since registrations are renewed meanwhile.
    ///
    /// All names are in a schema of their own, beside other content of the database. Statements write them with the
    /// schema: no session setting changes their meaning. Payloads are not compressed: most are short, and the others
    /// would cost each commit more than the disk.
    static let migrations: [[String]] = [
        [
            "CREATE TABLE callboard.version (version bigint NOT NULL)",
            "INSERT INTO callboard.version VALUES (0)",
            // A server that has the database open, until its lease runs out. `incarnation` rises when a commit is in
            // doubt, `unit` with each commit that no life's term fences.
            """
            CREATE TABLE callboard.nodes (
                node bigint PRIMARY KEY, incarnation bigint NOT NULL, unit bigint NOT NULL, name text NOT NULL,
                url text NOT NULL, expires timestamptz NOT NULL
            )
            """,
            "CREATE SEQUENCE callboard.node_numbers",
            // Each life of a director. Whoever raises `term` has taken it: what an earlier owner sends matches no row.
            """
            CREATE TABLE callboard.lives (
                life bigint PRIMARY KEY, director text NOT NULL, epoch text NOT NULL, owner bigint NOT NULL,
                term bigint NOT NULL, head bigint NOT NULL, ended boolean NOT NULL, checksum bigint NOT NULL
            ) WITH (fillfactor = 50)
            """,
            "CREATE UNIQUE INDEX lives_going_on ON callboard.lives (director) WHERE NOT ended",
            // Each server takes some numbers at a time.
            "CREATE SEQUENCE callboard.life_numbers INCREMENT BY \(LifeNumbers.block)",
            """
            CREATE TABLE callboard.records (
                life bigint, number bigint, term bigint NOT NULL, unit bigint NOT NULL, step bigint NOT NULL,
                payload bytea NOT NULL, checksum bigint NOT NULL, PRIMARY KEY (life, number)
            )
            """,
            "ALTER TABLE callboard.records ALTER COLUMN payload SET STORAGE EXTERNAL",
            """
            CREATE TABLE callboard.snapshots (
                life bigint, number bigint, chunks bigint NOT NULL, bytes bigint NOT NULL, checksum bigint,
                PRIMARY KEY (life, number)
            )
            """,
            """
            CREATE TABLE callboard.chunks (
                life bigint, number bigint, chunk bigint, payload bytea NOT NULL, checksum bigint NOT NULL,
                PRIMARY KEY (life, number, chunk)
            )
            """,
            "ALTER TABLE callboard.chunks ALTER COLUMN payload SET STORAGE EXTERNAL",
            """
            CREATE TABLE callboard.answers (
                life bigint, answer bigint, key text NOT NULL, fingerprint bigint NOT NULL, body bytea NOT NULL,
                expires bigint NOT NULL, checksum bigint NOT NULL, PRIMARY KEY (life, answer)
            )
            """,
            // `life` is null for a notification of a life that is not stored. Times are in milliseconds since 1970.
            """
            CREATE TABLE callboard.deliveries (
                delivery bigint PRIMARY KEY, life bigint, id text NOT NULL, hook text NOT NULL, created bigint NOT NULL,
                state bigint NOT NULL, attempts bigint NOT NULL, next_attempt bigint NOT NULL, last_attempt bigint,
                last_error text, body bytea NOT NULL, checksum bigint NOT NULL
            )
            """,
            // Static tokens: all but their texts. Times are in seconds since 1970; `last_used` is not in the checksum.
            """
            CREATE TABLE callboard.tokens (
                id text PRIMARY KEY, name text NOT NULL, digest bytea NOT NULL UNIQUE, grants text NOT NULL,
                created bigint NOT NULL, expires bigint, last_used bigint, checksum bigint NOT NULL
            )
            """,
        ],
        [
            // What fences a server's transactions stands by itself: a commit that waits for a standby holds its row, and
            // must not keep the lease in `nodes` from being renewed.
            """
            CREATE TABLE callboard.fences (
                node bigint PRIMARY KEY, incarnation bigint NOT NULL, unit bigint NOT NULL
            ) WITH (fillfactor = 50)
            """,
            "INSERT INTO callboard.fences SELECT node, incarnation, unit FROM callboard.nodes",
            "ALTER TABLE callboard.nodes DROP COLUMN incarnation, DROP COLUMN unit",
            // As `JournalNode.State` numbers it: 0 has the database for itself, others share it.
            "ALTER TABLE callboard.nodes ADD COLUMN state bigint NOT NULL DEFAULT 0",
            // Nodes with different secrets would own directors and refuse each other's requests for them.
            "ALTER TABLE callboard.nodes ADD COLUMN fingerprint text NOT NULL DEFAULT ''",
            "CREATE INDEX lives_by_owner ON callboard.lives (owner) WHERE NOT ended",
            "CREATE INDEX deliveries_by_life ON callboard.deliveries (life)",
            // Each node takes a block of numbers for new notifications whenever it takes directors over.
            "CREATE SEQUENCE callboard.delivery_blocks",
        ],
        [
            // Programs of version 2 read `version` alone. From here on it is what programs have to know; see ``Version``.
            "ALTER TABLE callboard.version ADD COLUMN tables bigint NOT NULL DEFAULT 2",
            // What the node's program knows, and which one it is, for people.
            """
            ALTER TABLE callboard.nodes
                ADD COLUMN knows bigint NOT NULL DEFAULT 2, ADD COLUMN program text NOT NULL DEFAULT ''
            """,
            // Notes of the lives that each transaction has changed: looks read these, and not all lives.
            "CREATE TABLE callboard.changes (transaction xid8 NOT NULL, lives bigint[] NOT NULL)",
            "CREATE INDEX changes_by_transaction ON callboard.changes (transaction)",
            // Whoever may use the lives may use the notes.
            """
            DO $$ DECLARE given record; BEGIN
                FOR given IN SELECT privilege_type, grantee FROM pg_class, aclexplode(relacl)
                    WHERE pg_class.oid = 'callboard.lives'::regclass AND grantee <> relowner
                LOOP EXECUTE format('GRANT %s ON callboard.changes TO %s', given.privilege_type,
                    CASE given.grantee WHEN 0 THEN 'PUBLIC' ELSE given.grantee::regrole::text END);
                END LOOP;
            END $$
            """,
            // A server by itself has nobody who looks.
            """
            CREATE FUNCTION callboard.note_changes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                INSERT INTO callboard.changes SELECT pg_current_xact_id(), array_agg(life) FROM changed
                WHERE NOT EXISTS (SELECT FROM callboard.nodes WHERE state = 0) HAVING count(*) > 0;
                RETURN NULL;
            END $$
            """,
            noting("INSERT", "NEW"), noting("UPDATE", "NEW"), noting("DELETE", "OLD"),
        ],
    ]
    /// Has a kind of statement on lives noted in `changes`, once for each statement.
    private static func noting(_ kind: String, _ rows: String) -> String {
        """
        CREATE TRIGGER note_\(kind.lowercased()) AFTER \(kind) ON callboard.lives REFERENCING \(rows) TABLE AS changed
            FOR EACH STATEMENT EXECUTE FUNCTION callboard.note_changes()
        """
    }
}
