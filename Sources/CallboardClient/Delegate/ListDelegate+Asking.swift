import ListDiff

// Hooks are asked ahead, since a view cannot wait for them.
extension ListDelegate {
    /// How long no hook is asked after a request has failed.
    private static let pause = Duration.seconds(5)

    /// The answer of a hook; nil where there is none yet: it is asked then.
    func asked<Answer>(
        _ question: ListQuestion<Answer>, _ subject: AskedAnswers.Subject, in section: String, at path: ElementPath
    ) -> Answer? {
        if let answer = answers.answer(question.name, of: subject, in: section) {
            return answer.flatMap(Answer.init(answer:))
        }
        if let askingAgain, askingAgain > .now { return nil }
        answers.want(
            .init(
                question: .init(question.name, subject, in: section), subject: subject,
                together: question.isAskedTogether, path: path))
        askSoon()
        return nil
    }

    /// Asks about elements that a view is about to show, so that the answers are there when it does.
    public func prepare<Names: EventNames, Answer>(
        _ question: KeyPath<Names, ListQuestion<Answer>>, at paths: some Sequence<ElementPath>
    ) {
        for path in paths { let _: Answer? = answer(question, at: path) }
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
