import Metrics

/// The outcomes of UIs' questions, for `/metrics`.
package final class QuestionCounters: Sendable {
    /// Values that a hook's target has given, now or before.
    package let answered = Counter()
    /// Values among them that the target had given before, from the cache of answers.
    package let cached = Counter()
    /// Values that were defaults, with a hook or without.
    package let defaults = Counter()
    /// Answers that had no value of the event's type.
    package let unusable = Counter()
    /// Answers whose operations were performed.
    package let applied = Counter()
    /// Answers whose operations could not be performed or stored.
    package let refused = Counter()

    /// Makes counters at zero.
    package init() {}
}
