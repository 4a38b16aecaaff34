import DirectorLife
import Directors
import Journal

/// The directors of a simulated cluster.
enum ClusterFixture {
    /// Their names.
    static let names = ["d", "f"]

    /// The first life of each name, made once: most histories begin with it.
    static let first: [(record: LifeRecord, state: LifeState)] = names.enumerated().map { number, name in
        let (life, draft) = Fixture.creating(life: number, of: name)
        let record = LifeRecord(director: name, epoch: life.epoch, number: 1, entries: draft.entries)
        do {
            return (record, try LifeState(following: record, retention: Fixture.retention))
        } catch {
            fatalError("the first record cannot be performed: \(error)")
        }
    }

    /// A life after its first record.
    static func state(following record: LifeRecord) throws -> LifeState {
        for life in first where life.record.epoch == record.epoch { return life.state }
        return try LifeState(following: record, retention: Fixture.retention)
    }

    /// What a life has to be after its first record.
    static func model(of life: LifeName) -> Model { Model(life: number(of: life)) }

    /// Which life it is.
    static func number(of life: LifeName) -> Int { Int(life.epoch.dropFirst()) ?? -1 }

    /// The key as a life takes it.
    static func key(_ key: Int) -> CommandKey { CommandKey("k\(key)", fingerprint: 0) }
}
