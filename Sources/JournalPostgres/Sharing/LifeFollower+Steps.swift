import DirectorLife
import Foundation
import Journal
import Notation

// What a look asks for: lives that are loaded, followed, adopted, lost and ended.
extension LifeFollower {
    func perform(_ steps: [LifeDirectory.Step]) throws {
        guard !steps.isEmpty, let observer else { return }
        var loads: [LifeRow] = []
        var fetches: [(row: LifeRow, after: Int)] = []
        var adoptions: [Int] = []
        var losses: [LifeName] = []
        for step in steps {
            switch step {
            case .load(let row): loads.append(row)
            case .fetch(let row, let number): fetches.append((row, number))
            case .adopt(let id): adoptions.append(id)
            case .lose(let name): losses.append(name)
            case .letGo(let name): observer.letGo(name)
            case .end(let row):
                journal.disown(row)
                noteReadable(row.id)
                observer.end(row.name)
            }
        }
        if !losses.isEmpty {
            status.withLock { $0.losses += losses.count }
            for name in losses { directory.life(named: name.director).map { journal.disown($0.row) } }
            observer.lose(losses)
        }
        try readEach(fetches, \.row) { loads += try fetch($0) }
        try load(loads)
        try adopt(adoptions)
    }

    /// Reads records of lives behind a number of each, and gives them to the observer.
    ///
    /// - Returns: Lives of which the next record is not there any more, since a snapshot stands for it.
    private func fetch(_ fetches: [(row: LifeRow, after: Int)]) throws -> [LifeRow] {
        guard !fetches.isEmpty, let observer, let connection else { return [] }
        let sorted = fetches.sorted { $0.row.id < $1.row.id }
        var names: [LifeName: (row: LifeRow, number: Int)] = [:]
        for (row, number) in sorted { names[row.name] = (row, number) }
        var broken: [LifeRow] = []
        var gathered: [StoredRecord] = []
        var bytes = 0
        func give() throws {
            guard let first = gathered.first else { return }
            let name = LifeName(director: first.director, epoch: first.epoch)
            defer { (gathered, bytes) = ([], 0) }
            guard let place = names[name] else { return }
            guard first.number == place.number + 1 else {
                names[name] = nil
                return broken.append(place.row)
            }
            let last = gathered[gathered.count - 1].number
            observer.follow(try LifeRecord.decode(gathered), of: name)
            directory.fetched(place.row.id, through: last)
            names[name]?.number = last
        }
        let places = sorted.map { (life: $0.row.id, number: $0.after) }
        try connection.stream(StoredRecord.selection(behind: places), within: settings.deadline) { row in
            let record = try StoredRecord(row)
            if let first = gathered.first, !first.director.isVerbatim(record.director) || first.epoch != record.epoch {
                try give()
            }
            gathered.append(record)
            bytes += record.payload.count
            if bytes > 4 << 20 { try give() }
        }
        try give()
        // Nothing behind the number though there should be: the records are gone, with a snapshot in their place.
        let missing = names.values.filter { $0.number < $0.row.head }.map(\.row)
        status.withLock { $0.restarts += broken.count + missing.count }
        return broken + missing
    }
}
