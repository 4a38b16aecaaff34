import Directors

/// What one append adds to a store, whole or not at all: a record, the answer to the request that caused it, or both; or
/// changes of deliveries.
package struct StoredUnit: Sendable {
    /// The director's name.
    package let director: String
    /// Which life of that name.
    package let epoch: String
    /// What happened; nil where only an answer is to be kept.
    package var record: Record?
    /// The answer that a repeated request is to be given.
    package var answer: StoredAnswer?
    /// Without a record: the number of the life's record that the answer was given after. Where another one is the
    /// newest, the unit is refused; nil checks nothing.
    package var answersAfter: Int?
    /// Changes of deliveries, in their order; they belong to no life, and come in a unit of their own.
    package private(set) var deliveries: [DeliveryChange] = []

    /// A step of a life as bytes.
    package struct Record: Sendable {
        /// Whether the life begins or ends with it.
        package let step: StoredStep
        /// Which record of its life it is, from 1; one that is not the next is refused. Nil takes the next.
        package let number: Int?
        /// The bytes.
        package let payload: [UInt8]

        /// Makes a record.
        package init(step: StoredStep, number: Int?, payload: [UInt8]) {
            self.step = step
            self.number = number
            self.payload = payload
        }
    }

    /// Makes a unit.
    package init(
        director: String, epoch: String, record: Record? = nil, answer: StoredAnswer? = nil, answersAfter: Int? = nil
    ) {
        self.director = director
        self.epoch = epoch
        self.record = record
        self.answer = answer
        self.answersAfter = answersAfter
    }

    /// Makes a unit of changes of deliveries. The store answers for such units in their order, as for those of one director.
    package init(deliveries: [DeliveryChange]) {
        self.init(director: "", epoch: "")
        self.deliveries = deliveries
    }

    /// Whether the unit can follow a life's newest record.
    func follows(_ number: Int) -> Bool {
        if let record { return record.number.map { $0 == number + 1 } ?? true }
        return answersAfter.map { $0 == number } ?? true
    }

    /// The bytes that storing it takes, for the bound of the queue.
    package var size: Int {
        256 + director.utf8.count + epoch.utf8.count + (record?.payload.count ?? 0) + (answer?.size ?? 0)
            + deliveries.reduce(0) { $0 + $1.size }
    }
}

/// Where in a life a record stands.
package enum StoredStep: Int, Sendable, Hashable {
    /// The life begins; no other of the name may go on.
    case begins = 1
    /// The life goes on.
    case goesOn = 2
    /// The life is over: its records and snapshots are no longer needed.
    case ends = 3
}

/// A record as a store holds it.
package struct StoredRecord: Sendable, Hashable {
    /// Where it stands among all records.
    package let sequence: JournalSequence
    /// The director's name.
    package let director: String
    /// Which life of that name.
    package let epoch: String
    /// Which record of that life, from 1.
    package let number: Int
    /// Whether the life begins or ends with it.
    package let step: StoredStep
    /// The bytes.
    package let payload: [UInt8]

    /// Makes a record.
    package init(
        sequence: JournalSequence, director: String, epoch: String, number: Int, step: StoredStep, payload: [UInt8]
    ) {
        self.sequence = sequence
        self.director = director
        self.epoch = epoch
        self.number = number
        self.step = step
        self.payload = payload
    }
}

/// The answer to a request with an `Idempotency-Key`.
package struct StoredAnswer: Sendable, Hashable {
    /// The key, unique in a director's life.
    package let key: String
    /// What tells the request from another one with the same key; the same in every run of the program.
    package let fingerprint: UInt64
    /// The answer's bytes, which the store does not look into.
    package let body: [UInt8]
    /// When the answer may be forgotten, in seconds since 1970.
    package let expires: Int

    /// Makes an answer.
    package init(key: String, fingerprint: UInt64, body: [UInt8], expires: Int) {
        self.key = key
        self.fingerprint = fingerprint
        self.body = body
        self.expires = expires
    }

    /// The bytes that keeping it takes.
    package var size: Int { 64 + key.utf8.count + body.count }
}

/// A director's life that goes on, as a store knows it.
package struct StoredLife: Sendable, Hashable {
    /// The director's name.
    package let director: String
    /// Which life of that name.
    package let epoch: String
    /// The number of its newest record.
    package let number: Int
    /// The number of the record that its snapshot was taken after; nil without one.
    package let snapshot: Int?

    /// Makes a life.
    package init(director: String, epoch: String, number: Int, snapshot: Int?) {
        self.director = director
        self.epoch = epoch
        self.number = number
        self.snapshot = snapshot
    }
}

/// Which state of which life a snapshot holds.
package struct SnapshotHead: Sendable, Hashable {
    /// The director's name.
    package let director: String
    /// Which life of that name.
    package let epoch: String
    /// The number of the record that the state comes after.
    package let number: Int

    /// Makes a head.
    package init(director: String, epoch: String, number: Int) {
        self.director = director
        self.epoch = epoch
        self.number = number
    }
}
