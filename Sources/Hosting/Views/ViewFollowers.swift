import Views

/// The lists that follow a source: views of the whole, and its divisions, which tell views of one part each.
struct ViewFollowers {
    /// As many views of one rule follow the whole list; for one more the list is divided.
    static let fewest = 8
    /// A list is divided in so many ways at most.
    static let mostDivisions = 8

    private var members: [ObjectIdentifier: any SourceFollower] = [:]
    private var divisions: [PartRule: DividedSource] = [:]
    /// Rules by which the list could not be divided.
    private var refused: Set<PartRule> = []
    /// How many views of the whole list have a rule.
    private var counts: [PartRule: Int] = [:]

    /// Whether there are none.
    var isEmpty: Bool { members.isEmpty }

    /// Adds a view of the whole list.
    mutating func add(_ view: ViewInstance) {
        members[ObjectIdentifier(view)] = view
        if let rule = view.part?.rule { counts[rule, default: 0] += 1 }
    }

    /// Removes a view of the whole list.
    mutating func remove(_ view: ViewInstance) {
        guard members.removeValue(forKey: ObjectIdentifier(view)) != nil, let rule = view.part?.rule,
            let count = counts[rule]
        else { return }
        counts[rule] = count > 1 ? count - 1 : nil
    }

    /// The division for one more view with a rule, begun if it is worth it; nil where the view follows the whole list.
    mutating func division(
        by rule: PartRule, of source: any ViewSource, _ beginning: () -> SourceNews
    ) -> DividedSource? {
        if let division = divisions[rule] { return division }
        guard counts[rule, default: 0] >= Self.fewest, !refused.contains(rule),
            divisions.count + refused.count < Self.mostDivisions
        else { return nil }
        let division = DividedSource(of: source, by: rule)
        divisions[rule] = division
        members[ObjectIdentifier(division)] = division
        division.tell(beginning())
        return division
    }

    /// Removes a division; one that the list does not allow is not begun again.
    mutating func remove(_ division: DividedSource, isRefused: Bool) {
        guard members.removeValue(forKey: ObjectIdentifier(division)) != nil else { return }
        divisions[division.rule] = nil
        if isRefused { refused.insert(division.rule) }
    }

    /// Tells every follower, each in its loop's queue: whoever tells never waits for a view.
    ///
    /// - Complexity: O(*f*) in the number of followers; a division counts as one.
    func tell(_ news: SourceNews) {
        for follower in members.values { follower.tell(news) }
    }
}
