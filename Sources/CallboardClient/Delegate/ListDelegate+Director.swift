import ListDiff
import Notation

// The events of the director as a whole, and of its scroll view.
extension ListDelegate {
    /// Tells of an event of the director or of its scroll view.
    public func tell(_ event: KeyPath<DirectorEvents, ListNotification>, parameters: JSONObject = JSONObject()) {
        tell(DirectorEvents()[keyPath: event], at: .list, DirectorContext(parameters))
    }

    /// Tells of an event at a header or footer that the director takes, whether or not a view is there.
    public func tellDirector(
        _ event: KeyPath<DirectorEvents, ListNotification>, ofSection index: Int, isHeader: Bool
    ) {
        let context = DirectorContext(JSONObject(), section: index)
        tell(DirectorEvents()[keyPath: event], at: isHeader ? .header(index) : .footer(index), context)
    }

    private func tell(_ event: ListNotification, at place: ListEvent.Place, _ context: DirectorContext) {
        if let closure = events.closure(for: event) { return closure(context) }
        guard hooks.contains(event.name) else { return }
        list.report(ListEvent(event.name, at: place, parameters: context.parameters))
    }

    /// Answers a question about the list as a whole: by the director's closure, else by the server's hook. An answer
    /// about a place or items holds for the version that the server has published.
    ///
    /// - Returns: The answer; nil leaves it to UIKit.
    public func answer<Answer>(
        _ question: KeyPath<DirectorEvents, ListQuestion<Answer>>, parameters: JSONObject = JSONObject()
    ) -> Answer? {
        let closure = events.closure(for: DirectorEvents()[keyPath: question])
        return closure?(DirectorContext(parameters)) ?? hookAnswer(question, parameters: parameters)
    }

    /// Asks a question about the list ahead, where the director has no closure for it.
    func prepare<Answer>(_ question: KeyPath<DirectorEvents, ListQuestion<Answer>>) {
        if !events.handles(DirectorEvents()[keyPath: question].name) { let _: Answer? = hookAnswer(question) }
    }

    /// The answer of the server's hook; nil where there is none, or none yet.
    func hookAnswer<Answer>(
        _ question: KeyPath<DirectorEvents, ListQuestion<Answer>>, parameters: JSONObject = JSONObject()
    ) -> Answer? {
        let question = DirectorEvents()[keyPath: question]
        guard hooks.contains(question.name) else { return nil }
        let version = parameters.isEmpty ? nil : list.published?.version
        let path = ElementPath(section: 0, element: 0)
        return asked(question, .list(version: version), in: "", at: path, parameters: parameters)
    }
}
