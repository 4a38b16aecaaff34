import CallboardClient

/// Sends the batches of a load in their order.
///
/// While the server stores one batch, the next one is sent already. Requests on two connections can arrive in either
/// order, so each is sent on a condition that only holds once the one before it is in: `If-Match` with the revision that
/// it leads to, and the positions that its records come to stand at. What arrives too early is refused and sent again.
/// Where a batch is refused although all before it are in, because somebody else has changed the director or records were
/// rejected, it and the rest go one by one and without conditions.
struct BatchSender: Sendable {
    let director: RemoteDirector
    let model: String
    /// Told how many records are in.
    let progress: @Sendable (Int) -> Void

    /// What a load replaces the list by is known from its beginning; what it appends to is not.
    let appends: Bool

    /// Sends all batches.
    ///
    /// - Returns: The records that the server would not have.
    func send(_ batches: [LoadBatch]) async throws -> [RejectedRecord] {
        guard let first = batches.first else { return [] }
        var rejected = try await send(first, as: first.body(model: model))
        progress(first.recordCount)
        var position = 1
        if rejected.isEmpty, !appends, batches.count > 2, let revision = try await director.describe().revision {
            position = try await sendOverlapping(batches, from: revision)
        }
        var sent = batches[..<position].reduce(0) { $0 + $1.recordCount }
        var next = position < batches.count ? batches[position].body(model: model) : []
        while position < batches.count {
            let (batch, body) = (batches[position], next)
            position += 1
            async let answer = send(batch, as: body)
            // The server is at work: the next body is made meanwhile.
            next = position < batches.count ? batches[position].body(model: model) : []
            rejected += try await answer
            sent += batch.recordCount
            progress(sent)
        }
        return rejected
    }

    /// Sends batches two at a time, from the second one on.
    ///
    /// - Parameter revision: The director's revision after the first batch.
    /// - Returns: How many of the batches are in: all, or those before the one that the server refuses.
    private func sendOverlapping(_ batches: [LoadBatch], from revision: Revision) async throws -> Int {
        try await withThrowingTaskGroup(of: (position: Int, isAccepted: Bool).self) { group in
            var bodies = BatchBodies(batches, model: model)
            var overlap = Overlap(count: batches.count)
            var (counted, sent) = (0, 0)
            while !overlap.isOver {
                if let position = overlap.next() {
                    let condition = Revision(epoch: revision.epoch, number: revision.number + position - 1)
                    let body = bodies[position]
                    group.addTask { (position, try await perform(body, if: condition)) }
                    continue
                }
                // The server is at work: the next body is made meanwhile.
                bodies.makeNext()
                if let (position, isAccepted) = try await group.next() {
                    overlap.end(position, isAccepted: isAccepted)
                    bodies.forget(before: overlap.accepted)
                    for batch in batches[counted..<overlap.accepted] { sent += batch.recordCount }
                    counted = overlap.accepted
                    progress(sent)
                }
            }
            guard !overlap.isOutOfOrder else {
                throw ProgramError(
                    "somebody else has changed the director \"\(director.name)\" while it was loaded",
                    advice: "nothing was published; load it again")
            }
            return overlap.accepted
        }
    }

    /// Sends a batch on a condition; false where that does not hold.
    private func perform(_ body: [UInt8], if revision: Revision) async throws -> Bool {
        do {
            try await director.perform(encoded: body, WriteOptions(ifMatch: revision))
            return true
        } catch let error as ClientError {
            guard let status = error.status, [404, 409, 412, 422].contains(status) else { throw error }
            return false
        }
    }

    /// Sends a batch; what the server will not have is taken out and the rest is sent again.
    private func send(_ batch: LoadBatch, as body: [UInt8]) async throws -> [RejectedRecord] {
        var (batch, body) = (batch, body)
        var rejected: [RejectedRecord] = []
        while true {
            do {
                try await director.perform(encoded: body)
                return rejected
            } catch let error as ClientError {
                // 422 names what is wrong with the content; anything else is not about single records.
                guard let problem = error.problem, problem.status == 422 else { throw error }
                guard let removed = batch.removeRecords(problem.errors), !removed.isEmpty else { throw error }
                rejected += removed
                body = batch.body(model: model)
            }
        }
    }
}
