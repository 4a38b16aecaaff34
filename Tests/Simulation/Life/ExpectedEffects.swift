import DirectorLife

/// What has to follow from one step at one node: nothing else may, and nothing may be left out.
struct ExpectedEffects {
    /// Whether a record is handed to the journal.
    var isStored = false
    /// The version that is published.
    var version: Int?
    /// How often the definition is shown anew.
    var definitions = 0
    /// The hooks that are others or gone, with the event.
    var hooks: (before: [Int: Int], after: [Int: Int])?
    /// Whether the end is told.
    var isEnded = false
    /// Whether the dispatcher is told that all hooks are gone.
    var endsHooks = false
    /// Whether what targets of hooks have answered is outdated.
    var isOutdated = false
    /// Whether the life is forgotten.
    var isForgotten = false
    /// Whether elements are drawn anew.
    var isRefreshed = false
    /// Whether there is a snapshot.
    var isSnapshot = false

    /// Expects nothing.
    init() {}

    /// Expects what a stored change leads to.
    ///
    /// - Parameter before: The director before it; nil where the change creates it.
    init(from before: Model?, to after: Model) {
        if after.isDeleted {
            (isEnded, endsHooks, isForgotten, isOutdated) = (true, true, true, true)
            return
        }
        if after.version != before?.version ?? 0 { version = after.version }
        guard let before else {
            isOutdated = version != nil
            return
        }
        definitions = after.definitions - before.definitions
        if before.hooks != after.hooks { hooks = (before.hooks, after.hooks) }
        isOutdated = version != nil || definitions > 0 || hooks != nil
    }

    /// What has not happened.
    var missing: String? {
        if isStored { return "a command is not stored" }
        if let version { return "version \(version) is not published" }
        if definitions > 0 { return "the definition is not told" }
        if hooks != nil || endsHooks { return "a change of hooks is not told" }
        if isEnded { return "the end is not told" }
        if isOutdated { return "answers of hooks are not outdated" }
        if isForgotten { return "the director is not forgotten" }
        if isRefreshed { return "a refresh is not sent" }
        if isSnapshot { return "there is no snapshot" }
        return nil
    }

    /// Takes a change of hooks that is told.
    mutating func take(_ changes: HookChanges) throws(Violation) {
        if changes.isOver {
            try require(endsHooks, "the end of all hooks is told too early or twice")
            endsHooks = false
            return
        }
        guard let hooks else { throw Violation("hooks are told that are not stored, or twice") }
        self.hooks = nil
        let put = hooks.after.filter { hooks.before[$0.key] != $0.value }
        try require(
            Set(changes.put.map(\.address.event)) == Set(put.keys.map { Fixture.events[$0] }),
            "other hooks are told than were registered")
        try require(changes.put.allSatisfy(\.isElsewhere), "a hook is said to lead where it did, and does not")
        let removed = hooks.before.keys.filter { hooks.after[$0] == nil }
        try require(
            Set(changes.removed.map(\.event)) == Set(removed.map { Fixture.events[$0] }),
            "other hooks are told than were removed")
    }
}
