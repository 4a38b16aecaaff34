import CallboardClient
import ListDiff
import Notation

/// A live list as a log, line by line.
struct WatchLog: Sendable {
    /// How lines are written.
    enum Style: Sendable {
        /// Sentences for people.
        case plain
        /// One JSON object for each update.
        case json
    }

    let style: Style
    /// The displayed text of an element's line.
    let form: RowForm
    /// How many operations of a changeset are listed for people; a machine gets the changeset whole.
    var operationLimit = 50

    private var list: RemoteList?
    /// The causes of the present outage that have been reported; nil without an outage.
    private var outage: Set<Name>?

    init(style: Style, form: RowForm = .summary, operationLimit: Int = 50) {
        self.style = style
        self.form = form
        self.operationLimit = operationLimit
    }

    /// The lines for an update.
    mutating func lines(for update: LiveList.Update) -> [String] {
        let previous = list
        switch update {
        case .replaced(let list, _), .changed(let list, by: _), .redefined(let list): self.list = list
        default: break
        }
        switch style {
        case .json: return [WatchEvent.json(update).text]
        case .plain: return told(update, previous)
        }
    }

    /// The lines for people. Of an outage each cause is told once, and that it is over once the stream brings something: a
    /// connection alone says little, since what answers may be a proxy whose stream ends at once.
    private mutating func told(_ update: LiveList.Update, _ previous: RemoteList?) -> [String] {
        switch update {
        case .connection(.lost(let interruption, _)):
            let isNew = outage?.insert(Self.cause(interruption)).inserted ?? true
            outage = outage ?? [Self.cause(interruption)]
            return isNew ? plain(update, previous) : []
        case .connection: return outage == nil ? plain(update, previous) : []
        default:
            defer { outage = nil }
            return (outage == nil ? [] : [WatchEvent.sentence(.connection(.open))]) + plain(update, previous)
        }
    }

    /// The key by which an interruption counts as reported: its text without digits, since a system's sentence may have
    /// milliseconds.
    private static func cause(_ interruption: StreamInterruption) -> Name {
        guard case .connection(let reason) = interruption else { return Name(interruption.description) }
        return Name(reason.filter { !$0.isNumber })
    }

    private func plain(_ update: LiveList.Update, _ previous: RemoteList?) -> [String] {
        switch update {
        case .connection, .resumed, .heartbeat, .refresh, .scroll, .resynchronizing, .ended, .redefined:
            return [WatchEvent.sentence(update)]
        case .replaced(let list, let reset):
            let why = reset.map { " (\(TextWidth.printable($0)))" } ?? ""
            return ["snapshot at version \(list.version): \(WatchEvent.counts(list))\(why)"] + Self.totals(list.totals)
        case .changed(let list, let changeset):
            var lines = [
                "version \(changeset.from) -> \(changeset.version): \(ChangeCounts(changeset)); now \(WatchEvent.counts(list))"
            ]
            if let totals = changeset.totals { lines += Self.totals(totals) }
            let operations = operations(changeset, from: previous?.sections ?? [])
            lines += operations.prefix(operationLimit)
            if operations.count > operationLimit { lines.append("  and \(operations.count - operationLimit) more") }
            return lines
        }
    }

    /// A line with the totals of the whole view; none without any.
    private static func totals(_ totals: JSONObject) -> [String] {
        let text = TotalsText.whole(totals)
        return text.isEmpty ? [] : ["  totals: \(text)"]
    }

    private func operations(_ changeset: RemoteChangeset, from old: [RemoteSection]) -> [String] {
        guard let states = try? changeset.stages.states(from: old) else { return [] }
        let previews = RowPreviews(list?.definition)
        func text(_ element: RemoteElement) -> String { form.text(element, previews) }
        var before = old
        var lines: [String] = []
        for (stage, after) in zip(changeset.stages.stages, states) {
            lines += stage.elementUpdated.map { "  ~ \($0.at) \(text($0.element))" }
            lines += stage.sectionDeleted.sorted().map { "  - [\($0)] \(ElementText.summary(before[$0]))" }
            lines += stage.elementDeleted.sorted().map { path in
                "  - \(path) \(text(before[path.section].elements[path.element]))"
            }
            lines += stage.sectionInserted.map { change in
                "  + [\(change.at)] \(ElementText.summary(change.section)), "
                    + Count.of(change.section.elements.count, "element")
            }
            lines += stage.sectionMoved.map { "  > [\($0.from)] to [\($0.to)] \(ElementText.summary(after[$0.to]))" }
            lines += stage.elementInserted.map { "  + \($0.at) \(text($0.element))" }
            lines += stage.elementMoved.map { move in
                "  > \(move.from) to \(move.to) "
                    + text(after[move.to.section].elements[move.to.element])
            }
            lines += stage.sectionUpdated.map { "  ~ [\($0.at)] \(ElementText.summary($0.section))" }
            before = after
        }
        lines += changeset.stages.replaced.map { "  = \($0.at) \(text($0.element))" }
        return lines
    }
}
