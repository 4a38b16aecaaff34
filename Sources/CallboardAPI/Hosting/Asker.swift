import HTTPWire
import Journal

/// The one for whom something is done and stored, and who is then told what became of it.
enum Asker: Sendable {
    /// A request, which is answered.
    case call(Call)
    /// The server itself, in a hook's name: no request waits for it.
    ///
    /// What is given is called once, on the director's loop, with why it was not stored where it was not.
    case hook(@Sendable (JournalError?) -> Void)

    /// Tells two requests of one key apart; whatever a hook does in an event's name is the same.
    var fingerprint: UInt64 {
        switch self {
        case .call(let call): call.fingerprint
        case .hook: 0
        }
    }

    /// Says that it is stored.
    func tell(_ outcome: Outcome) {
        switch self {
        case .call(let call):
            if let producer = outcome.stream { call.stream(from: producer) } else { call.answer(outcome.reply) }
        case .hook(let completion): completion(nil)
        }
    }

    /// Says that it is not stored and did not happen.
    func tell(_ error: JournalError) {
        switch self {
        case .call(let call): call.answer(Problem(error))
        case .hook(let completion): completion(error)
        }
    }
}
