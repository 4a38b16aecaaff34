import ListDiff
import Notation

// Headers and footers of sections.
extension ListDelegate {
    /// The name of a section's header or footer view; nil where it has none, such as a mere title.
    public func viewName(ofSection index: Int, isHeader: Bool) -> String? {
        guard sections.indices.contains(index) else { return nil }
        return isHeader ? sections[index].headerView : sections[index].footerView
    }

    /// The identifier that a section's header or footer view is reused by; nil where it has none.
    public func reuseIdentifier(ofSection index: Int, isHeader: Bool) -> String? {
        guard let name = viewName(ofSection: index, isHeader: isHeader) else { return nil }
        let adapter = list.definition?.headerFooterAdapters.first { $0["view"]?.stringValue == name }
        return viewIdentifiers[Name(name)] ?? adapter?["reuseIdentifier"]?.stringValue ?? name
    }

    /// Answers a question about a section's header or footer.
    ///
    /// - Returns: The answer; nil leaves it to UIKit.
    public func answer<Answer>(
        _ question: KeyPath<HeaderFooterEvents, ListQuestion<Answer>>, ofSection index: Int, isHeader: Bool
    ) -> Answer? {
        let question = HeaderFooterEvents()[keyPath: question]
        guard sections.indices.contains(index) else { return nil }
        let (section, name) = (sections[index], viewName(ofSection: index, isHeader: isHeader))
        if let name, let answer = supplementaries[Name(name)]?.answer(question, moment(index, isHeader)) {
            return answer
        }
        let published = Published.answer(question.name, of: section, isHeader: isHeader)
        if let answer = published.flatMap(Answer.init(answer:)) { return answer }
        if let name, hooks.contains(question.name, ofView: name) {
            let subject: AskedAnswers.Subject = isHeader ? .header(section.attributes) : .footer(section.attributes)
            let path = ElementPath(section: index, element: 0)
            if let answer = asked(question, subject, in: section.id, at: path) { return answer }
        }
        return Published.answer(question.name, of: list.definition).flatMap(Answer.init(answer:))
    }

    /// Tells of an event at a section's header or footer.
    public func tell(
        _ event: KeyPath<HeaderFooterEvents, ListNotification>, ofSection index: Int, isHeader: Bool,
        view: AnyObject? = nil
    ) {
        let event = HeaderFooterEvents()[keyPath: event]
        guard let name = viewName(ofSection: index, isHeader: isHeader) else { return }
        if supplementaries[Name(name)]?.take(event, moment(index, isHeader, view)) == true { return }
        guard hooks.contains(event.name, ofView: name) else { return }
        list.report(ListEvent(event.name, at: isHeader ? .header(index) : .footer(index)))
    }

    /// The action on a row's selection once the user has selected it: as the element's row says, else its adapter.
    public func afterSelection(at path: ElementPath) -> AfterSelection {
        guard let element = element(at: path) else { return .none }
        let adapter = list.definition?.adapter(for: element)
        return (element.afterSelection ?? adapter?["afterSelection"]?.stringValue)
            .flatMap(AfterSelection.init(rawValue:)) ?? .none
    }

    private func moment(_ index: Int, _ isHeader: Bool, _ view: AnyObject? = nil) -> SupplementaryMoment {
        SupplementaryMoment(section: sections[index], index: index, isHeader: isHeader, view: view, size: size)
    }
}
