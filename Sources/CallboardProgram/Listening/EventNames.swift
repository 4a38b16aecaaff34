import Directors

/// The names of events, whatever kind of adapter or director they come from.
///
/// An event that several of them have is of the same kind everywhere, and has the same type of answer.
enum EventNames {
    private static let events = Dictionary(EventCatalog.all.map { ($0.name, $0) }) { first, _ in first }

    /// The event of a name; nil where nothing has one.
    static func event(_ name: String) -> EventDefinition? { events[name] }

    /// The event of a name, or an error that says which one was probably meant.
    static func known(_ name: String) throws(ProgramError) -> EventDefinition {
        if let event = events[name] { return event }
        let nearest = NearestName.find(name, among: events.keys.sorted())
        throw ProgramError(
            "there is no event \(name.debugDescription)"
                + (nearest.map { "; did you mean \($0)?" }
                    ?? ", and the page \"Event hooks\" lists those that there are"),
            status: .usage)
    }
}
