/// What has become of questions that UIs have asked, for `/metrics`.
final class QuestionCounters: Sendable {
    /// Values that a hook's target has given, now or before.
    let answered = Counter()
    /// Those of them that it had given before.
    let cached = Counter()
    /// Values that were defaults, with a hook or without.
    let defaults = Counter()
    /// Answers that had no value of the event's type.
    let unusable = Counter()
    /// Answers whose operations were performed.
    let applied = Counter()
    /// Answers whose operations could not be performed or stored.
    let refused = Counter()
}
