import DirectorLife
import Directors
import Foundation

/// A record's effect on its life.
package enum RecordStep: Int, Sendable, Hashable {
    /// The life begins; no other of the name may go on.
    case begins = 1
    /// The life goes on.
    case continues = 2
    /// The life ends: its records and snapshots are no longer needed.
    case ends = 3
}

/// The head of a life that goes on: its epoch and its newest record.
package struct LifeHead: Sendable, Hashable {
    /// Which life of its director's name.
    package let epoch: String
    /// The number of its newest record.
    package let number: Int

    /// Makes a head.
    package init(epoch: String, number: Int) {
        self.epoch = epoch
        self.number = number
    }
}

/// Which record of which life a record is, and the rule by which the records of a life follow each other.
package struct RecordPlace: Sendable, Hashable {
    /// The director's name.
    package let director: String
    /// Which life of that name.
    package let epoch: String
    /// Which record of that life, from 1; for a record without entries, the one before it.
    package let number: Int
    /// The record's effect on its life; nil for a record without entries, which only keeps an answer.
    package let step: RecordStep?

    /// Makes a place.
    package init(director: String, epoch: String, number: Int, step: RecordStep?) {
        self.director = director
        self.epoch = epoch
        self.number = number
        self.step = step
    }

    /// The place of a record. A life begins with its first record, which defines it, and ends with its deletion.
    package init(of record: LifeRecord) {
        var step: RecordStep? = record.entries.isEmpty ? nil : .continues
        if case .deleted? = record.entries.last {
            step = .ends
        } else if case .defined? = record.entries.first, record.number == 1 {
            step = .begins
        }
        self.init(director: record.director, epoch: record.epoch, number: record.number, step: step)
    }

    /// Whether the record is the next one of its director, whose life stands at `head`; nil where none goes on.
    package func isNext(after head: LifeHead?) -> Bool {
        guard step != .begins else { return head == nil && number == 1 }
        guard let head, head.epoch == epoch else { return false }
        return step == nil ? number == head.number : number == head.number + 1
    }

    /// The life's head once the record is stored; nil if the record ends the life.
    package var head: LifeHead? {
        step == .ends ? nil : LifeHead(epoch: epoch, number: number)
    }

    /// Why a record is not the next one of its director, whose life stands at `head`; a sentence without its full stop.
    package func conflict(with head: LifeHead?) -> String {
        let name = director.debugDescription
        guard let head else { return "the journal holds no director \(name)" }
        return "the journal's last record of the director \(name) is number \(head.number) of \(head.epoch)"
    }
}

/// A record as it is given to a medium: its entries are bytes.
package struct EncodedRecord: Sendable {
    /// Which record of which life it is.
    package let place: RecordPlace
    /// The entries' bytes; none for a record that only keeps an answer.
    package let payload: [UInt8]
    /// The answer that a repetition of the request is given.
    package let answer: StoredAnswer?
    /// The ownership that it was made under; nil where any will do.
    package let ownership: Int?

    /// Makes an encoded record of its parts.
    package init(place: RecordPlace, payload: [UInt8], answer: StoredAnswer? = nil, ownership: Int? = nil) {
        self.place = place
        self.payload = payload
        self.answer = answer
        self.ownership = ownership
    }

    /// Encodes a record.
    ///
    /// - Complexity: O(*n*) in the text of the entries, unless they have been encoded before.
    package init(_ record: LifeRecord) {
        self.init(
            place: RecordPlace(of: record), payload: record.payload ?? RecordCoding.encode(record.entries),
            answer: record.answer, ownership: record.ownership)
    }

    /// The bytes that storing it takes, for bounds.
    package var size: Int {
        256 + place.director.utf8.count + place.epoch.utf8.count + payload.count + (answer?.size ?? 0)
    }
}

/// A record as it is read back.
package struct StoredRecord: Sendable, Hashable {
    /// The director's name.
    package let director: String
    /// Which life of that name.
    package let epoch: String
    /// Which record of that life, from 1.
    package let number: Int
    /// The record's effect on its life.
    package let step: RecordStep
    /// The entries' bytes.
    package let payload: [UInt8]
    /// The record's place in its medium, for messages.
    package let position: String

    /// Makes a record.
    package init(director: String, epoch: String, number: Int, step: RecordStep, payload: [UInt8], position: String) {
        self.director = director
        self.epoch = epoch
        self.number = number
        self.step = step
        self.payload = payload
        self.position = position
    }
}

/// A director's life that goes on, as a journal knows it.
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

/// The clock that answers expire by.
package enum StoreClock {
    /// The seconds since 1970.
    @Sendable
    package static func now() -> Int {
        Int(Date().timeIntervalSince1970)
    }

    /// The time with its milliseconds.
    @Sendable
    package static func wallTime() -> WallTime {
        WallTime(milliseconds: Int(Date().timeIntervalSince1970 * 1000))
    }
}

extension LifeRecord {
    /// Decodes stored records, on all processors where there are many.
    ///
    /// - Throws: Damage, with the place of the first record that cannot be read.
    package static func decode(_ records: [StoredRecord]) throws -> [LifeRecord] {
        try zip(records, RecordCoding.decode(records)).map { stored, decoded in
            do {
                let entries = try decoded.get().map { try $0.whole() }
                return LifeRecord(
                    director: stored.director, epoch: stored.epoch, number: stored.number, entries: entries)
            } catch {
                throw JournalDamage(
                    director: stored.director, place: stored.position, detail: "it cannot be read: \(error)")
            }
        }
    }
}

extension DecodedEntry {
    /// The entry with its elements made.
    fileprivate func whole() throws -> LifeEntry {
        switch self {
        case .entry(let entry): entry
        case .appended(let append, let revision): .performed([try append.operation()], revision: revision)
        }
    }
}
