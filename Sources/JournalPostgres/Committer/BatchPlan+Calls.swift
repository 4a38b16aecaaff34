import Access
import Directors
import Journal
import Notation

extension NodeFence {
    /// The parameters that ``Statements/fence`` and what depends on it begin with.
    var parameters: Parameters { Parameters(node, incarnation, unit) }
}

extension BatchPlan {
    /// The statements of the transaction, in the order in which they have to run.
    ///
    /// Rows of `fences` come before those of `lives`, and these in the order of their numbers, so that no two
    /// transactions wait for each other.
    func calls(_ fence: NodeFence, _ index: LifeIndex, isFenced: Bool) -> [StatementCall] {
        var calls: [StatementCall] = []
        if isCounted { calls.append(Statements.fence(fence.parameters)) }
        let lives = touched.values.sorted { $0.life.id < $1.life.id }
        let begun = lives.filter(\.isNew)
        if !begun.isEmpty { calls.append(begin(begun, fence)) }
        if !lives.isEmpty { calls.append(append(lives, fence, isFenced)) }
        if !answers.isEmpty { calls.append(answer()) }
        return calls + deliveryCalls(fence, index) + tokenCalls(fence)
    }

    private func begin(_ lives: [Touched], _ fence: NodeFence) -> StatementCall {
        var parameters = fence.parameters
        parameters.add(lives.map(\.life.id))
        parameters.add(lives.map(\.life.director))
        parameters.add(lives.map(\.life.epoch))
        parameters.add(
            lives.map { RowChecksum.life($0.life.id, director: $0.life.director, epoch: $0.life.epoch) })
        return Statements.begin(parameters)
    }

    private func append(_ lives: [Touched], _ fence: NodeFence, _ isFenced: Bool) -> StatementCall {
        var parameters = Parameters(fence.unit)
        parameters.add(lives.map(\.life.id))
        parameters.add(lives.map(\.life.term))
        parameters.add(lives.map(\.before))
        parameters.add(lives.map(\.life.number))
        parameters.add(lives.map { $0.isEnded ? 1 : 0 })
        parameters.add(rows.map(\.life))
        parameters.add(rows.map(\.number))
        parameters.add(rows.map(\.step.rawValue))
        parameters.add(rows.map(\.payload))
        parameters.add(
            rows.map {
                RowChecksum.record(life: $0.life, number: $0.number, step: $0.step.rawValue, payload: $0.payload)
            })
        if isPair { return Statements.appendPair(parameters) }
        return isFenced ? Statements.append(parameters) : Statements.appendWithoutFence(parameters)
    }

    private func answer() -> StatementCall {
        let lives = Dictionary(touched.values.map { ($0.life.id, $0.life) }, uniquingKeysWith: { first, _ in first })
        var parameters = Parameters()
        parameters.add(answers.map(\.life))
        parameters.add(answers.map { lives[$0.life]?.term })
        parameters.add(answers.map { lives[$0.life]?.number })
        parameters.add(answers.map(\.row.id))
        parameters.add(answers.map(\.row.answer.key))
        parameters.add(answers.map { Int(truncatingIfNeeded: $0.row.answer.fingerprint) })
        parameters.add(answers.map(\.row.answer.body))
        parameters.add(answers.map(\.row.answer.expires))
        parameters.add(answers.map { RowChecksum.answer(life: $0.life, $0.row) })
        return Statements.answer(parameters)
    }

    private func deliveryCalls(_ fence: NodeFence, _ index: LifeIndex) -> [StatementCall] {
        guard !deliveries.isEmpty else { return [] }
        var removed = fence.parameters
        removed.add(deliveries.keys.sorted())
        let put = deliveries.values.compactMap { change -> Delivery? in
            if case .put(let delivery) = change { delivery } else { nil }
        }
        guard !put.isEmpty else { return [Statements.removeDeliveries(removed)] }
        var parameters = fence.parameters
        parameters.add(put.map(\.sequence))
        parameters.add(put.map { life(of: $0.address, index) })
        parameters.add(put.map(\.id))
        parameters.add(put.map(\.address.description))
        parameters.add(put.map(\.created.milliseconds))
        parameters.add(put.map(\.state.rawValue))
        parameters.add(put.map(\.attempts))
        parameters.add(put.map(\.nextAttempt.milliseconds))
        parameters.add(put.map { $0.lastAttempt?.milliseconds })
        parameters.add(put.map(\.lastError))
        parameters.add(put.map(\.body))
        parameters.add(put.map(RowChecksum.rows.delivery))
        return [Statements.removeDeliveries(removed), Statements.putDeliveries(parameters)]
    }

    private func life(of address: HookAddress, _ index: LifeIndex) -> Int? {
        if let life = touched[address.director]?.life, life.epoch == address.epoch { return life.id }
        return index.life(of: address.director, epoch: address.epoch)
    }

    private func tokenCalls(_ fence: NodeFence) -> [StatementCall] {
        var calls: [StatementCall] = []
        if !tokens.entries.isEmpty {
            var parameters = fence.parameters
            parameters.add(tokens.entries.keys.sorted().map(\.text))
            calls.append(Statements.removeTokens(parameters))
        }
        let put = tokens.entries.values.compactMap { $0 }
        if !put.isEmpty {
            let grants = put.map { GrantCoding.encode($0.grants) }
            var parameters = fence.parameters
            parameters.add(put.map(\.id))
            parameters.add(put.map(\.name))
            parameters.add(put.map(\.digest.bytes))
            parameters.add(grants)
            parameters.add(put.map(\.createdAt))
            parameters.add(put.map(\.expiresAt))
            parameters.add(put.map(\.lastUsedAt))
            parameters.add(zip(put, grants).map { RowChecksum.rows.token($0, grants: $1) })
            calls.append(Statements.putTokens(parameters))
        }
        if !tokens.uses.isEmpty {
            let uses = tokens.uses.sorted { $0.key < $1.key }
            var parameters = fence.parameters
            parameters.add(uses.map(\.key.text))
            parameters.add(uses.map(\.value))
            calls.append(Statements.useTokens(parameters))
        }
        return calls
    }
}
