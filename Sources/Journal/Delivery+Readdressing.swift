import Directors

extension Delivery {
    /// The same delivery for the same hook in another life of the director.
    package func readdressed(to epoch: String) -> Delivery {
        let address = HookAddress(
            director: address.director, epoch: epoch, level: address.level, event: address.event)
        var copy = Delivery(
            sequence: sequence, id: id, address: address, created: created, body: body, nextAttempt: nextAttempt)
        (copy.state, copy.attempts, copy.lastAttempt, copy.lastError) = (state, attempts, lastAttempt, lastError)
        return copy
    }
}
