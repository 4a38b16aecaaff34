import Journal

// Jobs beside looks: begun on their lanes, and their results taken over between two looks.
extension FollowerDriver {
    /// Begins what is to be done and waits for nothing.
    mutating func beginJobs() {
        for lane in FollowerMachine.Lane.allCases {
            if let job = machine.nextJob(of: lane, .now) { follower.begin(job, of: lane) }
        }
    }

    /// Takes over what a job has come to.
    ///
    /// - Returns: Why reading has failed; nil where it has not, or for what is stored of a life, which is set aside then.
    mutating func finish(_ lane: FollowerMachine.Lane, _ result: Result<LifeReader.Result, any Error>) -> JournalError?
    {
        defer { performAll() }
        do {
            take(try result.get())
            machine.finished(lane)
            return nil
        } catch {
            let isOfContent = Self.isOfContent(error)
            let error = JournalError(error)
            machine.failed(error, of: lane, isOfContent: isOfContent, .now)
            return isOfContent || lane == .taking ? nil : error
        }
    }

    private mutating func take(_ result: LifeReader.Result) {
        switch result {
        case .taken(let lives): machine.took(lives)
        case .lives(let lives):
            for (row, director) in lives where machine.loaded(row, number: director.state.number) {
                observer.begin(director)
            }
        case .ownership(let found, let leftOut):
            for damage in leftOut { observer.leftOut(damage) }
            for found in found {
                let life = found.life
                guard machine.mayAdopt(life.id, owner: found.owner, term: life.term, number: life.number) else {
                    continue
                }
                machine.adopted(life.id)
                journal.own(life, found.upkeep)
                observer.own(life.name, found.inheritance)
            }
        }
    }
}
