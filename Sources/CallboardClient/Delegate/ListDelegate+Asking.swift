import ListDiff

// Hooks are asked ahead, since a view cannot wait for them.
extension ListDelegate {
    /// How long no hook is asked after a request has failed.
    private static let pause = Duration.seconds(5)

    /// The answer of a hook; nil where there is none yet: it is asked then.
    func asked<Answer>(
        _ question: ListQuestion<Answer>, _ subject: AskedAnswers.Subject, in section: String, at path: ElementPath,
        parameters: JSONObject = JSONObject()
    ) -> Answer? {
        let wanted = AskedAnswers.Question(question.name, subject, in: section, parameters: parameters)
        if let answer = answers.answer(wanted, of: subject) { return answer.flatMap(Answer.init(answer:)) }
        if let askingAgain, askingAgain > .now { return nil }
        answers.want(.init(question: wanted, subject: subject, together: question.isAskedTogether, path: path))
        askSoon()
        return nil
    }

    /// Asks about elements that a view is about to show, so that the answers are there when it does. A closure, which
    /// can answer when the view asks, is not called.
    public func prepare<Names: EventNames, Answer>(
        _ question: KeyPath<Names, ListQuestion<Answer>>, at paths: some Sequence<ElementPath>
    ) {
        for path in paths where !hasClosure(for: Names()[keyPath: question].name, at: path) {
            let _: Answer? = answer(question, at: path)
        }
    }

    /// Asks the hooks ahead that UIKit asks about once the user touches a row of a table.
    public func prepareForTouch(ofRowAt path: ElementPath) {
        prepareForTouch(TableCellEvents.self, at: path)
        prepare(\TableCellEvents.willSelect, at: [path])
        prepare(\TableCellEvents.willDeselect, at: [path])
        prepare(\TableCellEvents.canEditRow, at: [path])
        prepare(\TableCellEvents.canMoveRow, at: [path])
        prepare(\TableCellEvents.editStyle, at: [path])
        prepare(\TableCellEvents.leadingSwipeActions, at: [path])
        prepare(\TableCellEvents.trailingSwipeActions, at: [path])
        prepare(\TableCellEvents.shouldShowMenu, at: [path])
    }

    /// Asks the hooks ahead that UIKit asks about once the user touches an item of a collection.
    public func prepareForTouch(ofItemAt path: ElementPath) {
        prepareForTouch(CollectionCellEvents.self, at: path)
        prepare(\CollectionCellEvents.shouldSelect, at: [path])
        prepare(\CollectionCellEvents.shouldDeselect, at: [path])
        prepare(\CollectionCellEvents.shouldShowEditMenu, at: [path])
    }

    /// Asks the hooks ahead that a stack asks once the user touches a row.
    public func prepareForTouch(ofStackRowAt path: ElementPath) {
        prepare(\StackCellEvents.shouldHighlight, at: [path])
        prepare(\DirectorEvents.shouldScrollToTop)
    }

    private func prepareForTouch<Names: CellEventNames>(_ names: Names.Type, at path: ElementPath) {
        prepare(\Names.shouldHighlight, at: [path])
        prepare(\Names.contextMenu, at: [path])
        prepare(\Names.shouldBeginMultipleSelection, at: [path])
        prepare(\DirectorEvents.shouldScrollToTop)
        guard list.isDragged else { return }
        prepare(\Names.prepareItemForDrag, at: [path])
        prepare(\Names.addItemToDragSession, at: [path])
        prepare(\DirectorEvents.dragSessionRestrictedToApp)
        prepare(\DirectorEvents.dragSessionAllowsMoveOperation)
    }

    private func askSoon() {
        guard asking == nil else { return }
        asking = TaskHolder(
            Task { [weak self] in
                // What a view asks in one turn is asked in one request.
                await Task.yield()
                while await self?.askNext() == true {}
                self?.asking = nil
            })
    }

    /// Asks what is wanted; false where nothing is left, or the request has failed.
    private func askNext() async -> Bool {
        guard let published = list.published,
            let round = answers.nextRound(in: published.sections, version: published.version)
        else { return false }
        let outcomes = try? await list.director.send(
            events: round.events.map { ($0, nil) }, selecting: list.selection)
        askingAgain = outcomes == nil ? .now + ListDelegate.pause : nil
        let arrived = answers.take(outcomes, of: round)
        let paths = Set(arrived.compactMap { sections.path(of: $0.question, near: $0.path) }).sorted()
        if !paths.isEmpty { answersArrived?(paths) }
        return outcomes != nil
    }
}
