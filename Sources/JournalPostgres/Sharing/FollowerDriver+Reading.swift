import Access
import DirectorLife
import Directors
import Foundation
import Journal
import Notation

// Reading records and tokens.
extension FollowerDriver {
    /// Reads records of lives behind a number of each, and gives them to the observer.
    mutating func fetch(_ fetches: [FollowerMachine.Fetch]) throws {
        let sorted = fetches.sorted { $0.row.id < $1.row.id }
        let lives = Dictionary(sorted.map { ($0.row.name, $0.row.id) }, uniquingKeysWith: { first, _ in first })
        var gathered: [StoredRecord] = []
        var bytes = 0
        func give() throws {
            guard let first = gathered.first, let last = gathered.last else { return }
            let name = LifeName(director: first.director, epoch: first.epoch)
            defer { (gathered, bytes) = ([], 0) }
            guard let id = lives[name], machine.isNext(first.number, of: id) else { return }
            observer.follow(try LifeRecord.decode(gathered), of: name)
            machine.performed(id, through: last.number)
        }
        let places = sorted.map { (life: $0.row.id, number: $0.after) }
        try open().stream(StoredRecord.selection(behind: places), within: settings.deadline) { row in
            let record = try StoredRecord(row)
            if let first = gathered.first, !first.director.isVerbatim(record.director) || first.epoch != record.epoch {
                try give()
            }
            gathered.append(record)
            bytes += record.payload.count
            if bytes > 4 << 20 { try give() }
        }
        try give()
    }

    func readTokens() throws {
        var entries: [TokenEntry] = []
        let leftOut = LeftOut()
        try open().stream(TokenEntry.selection(), within: settings.deadline) { row in
            try leftOut.reading { entries.append(try TokenEntry(row)) }
        }
        for damage in leftOut.damages { observer.leftOut(damage) }
        journal.change(.tokens(entries))
        observer.replaceTokens(entries)
    }
}
