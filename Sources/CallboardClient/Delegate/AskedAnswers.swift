import ListDiff
import Notation

/// The answers of hooks that were asked ahead, and what is still to be asked.
///
/// An answer holds for an element, for a section's header or footer, or for the list, as it was when the question was
/// asked: one that has changed is asked about again.
struct AskedAnswers {
    /// The element, header, footer or list that a question is about, as it was when the question was asked.
    enum Subject: Hashable {
        case element(RemoteElement)
        case header(JSONObject)
        case footer(JSONObject)
        case list(version: Int?)
    }

    /// A question, by the names of what it is about.
    struct Question: Hashable {
        /// Which part of a section it is about.
        enum Part: Hashable {
            case element(RemoteElement.Identity)
            case header
            case footer
            case list
        }

        let event: String
        let section: String
        let part: Part
        /// What else the question says.
        let parameters: JSONObject

        init(_ event: String, _ subject: Subject, in section: String, parameters: JSONObject = JSONObject()) {
            (self.event, self.section, self.parameters) = (event, section, parameters)
            part =
                switch subject {
                case .element(let element): .element(element.differenceIdentifier)
                case .header: .header
                case .footer: .footer
                case .list: .list
                }
        }
    }

    /// A question that is to be asked.
    struct Wanted {
        let question: Question
        let subject: Subject
        /// Whether it is asked about several elements at once.
        let together: Bool
        /// Its place in the view when it was asked; it is searched for where another element stands there now.
        let path: ElementPath
    }

    /// One request.
    struct Round {
        /// The events that are sent.
        fileprivate(set) var events: [ListEvent] = []
        /// The questions of each event, in the order of its elements.
        fileprivate var questions: [[Wanted]] = []

        fileprivate mutating func add(_ event: ListEvent, _ questions: [Wanted]) {
            events.append(event)
            self.questions.append(questions)
        }
    }

    /// The most answers that are kept.
    private static let limit = 10_000
    /// The most questions of a request; of those that are asked by themselves, the most events.
    private static let (questionLimit, eventLimit) = (1_000, 200)

    private var answers: [Question: (subject: Subject, answer: JSON?)] = [:]
    private var wanted: [Wanted] = []
    private var known: Set<Question> = []

    /// The answer to a question: nil where it has not been asked, or what it is about is another now. The hook may have
    /// refused to answer, which is nil inside.
    func answer(_ question: Question, of subject: Subject) -> JSON?? {
        guard let known = answers[question], known.subject == subject else { return nil }
        return .some(known.answer)
    }

    /// Notes that a question is to be asked.
    mutating func want(_ wanted: Wanted) {
        if known.insert(wanted.question).inserted { self.wanted.append(wanted) }
    }

    /// Forgets what is known of elements, or of all.
    mutating func forget(_ elements: [(element: RemoteElement, section: String)]?) {
        guard let elements else {
            answers = [:]
            return
        }
        for (element, section) in elements {
            answers = answers.filter { question, _ in
                question.part != .element(element.differenceIdentifier) || !question.section.isVerbatim(section)
            }
        }
    }

    /// Takes what is wanted into a request; nil where nothing is.
    ///
    /// - Parameters:
    ///   - sections: The published sections: paths are theirs.
    ///   - version: The published version.
    mutating func nextRound(in sections: [RemoteSection], version: Int) -> Round? {
        while !wanted.isEmpty {
            let taken = wanted.prefix(AskedAnswers.questionLimit)
            wanted.removeFirst(taken.count)
            let round = round(taken, in: sections, version: version)
            if !round.events.isEmpty { return round }
        }
        return nil
    }

    private mutating func round(_ taken: ArraySlice<Wanted>, in sections: [RemoteSection], version: Int) -> Round {
        var round = Round()
        var together: [Name: [(ElementPath, Wanted)]] = [:]
        for one in taken {
            // What the server has not published, such as what is shown ahead, is asked about once it has.
            guard let place = sections.place(of: one) else {
                known.remove(one.question)
                continue
            }
            if one.together, case .element(let path) = place {
                together[Name(one.question.event), default: []].append((path, one))
            } else if round.events.count < AskedAnswers.eventLimit {
                let event = ListEvent(
                    one.question.event, at: place, version: version, parameters: one.question.parameters)
                round.add(event, [one])
            } else {
                wanted.append(one)
            }
        }
        for (event, questions) in together.sorted(by: { $0.key < $1.key }) {
            round.add(ListEvent(event.text, at: .elements(questions.map(\.0)), version: version), questions.map(\.1))
        }
        return round
    }

    /// Takes the answers of a request; nil where it has failed, so that the questions are asked again when a view does.
    ///
    /// - Returns: The questions that were answered.
    mutating func take(_ outcomes: [EventOutcome]?, of round: Round) -> [Wanted] {
        for wanted in round.questions.joined() { known.remove(wanted.question) }
        guard let outcomes else { return [] }
        if answers.count > AskedAnswers.limit { answers.removeAll(keepingCapacity: true) }
        var arrived: [Wanted] = []
        for (questions, outcome) in zip(round.questions, outcomes) {
            switch outcome {
            case .answered(let values) where values.count == questions.count:
                for (wanted, value) in zip(questions, values) {
                    answers[wanted.question] = (wanted.subject, value.value)
                    arrived.append(wanted)
                }
            // A version that is gone: the view asks again, of the next one.
            case .refused(let problem) where problem.status == 409: break
            case .answered, .refused, .reported:
                for wanted in questions { answers[wanted.question] = (wanted.subject, nil) }
            }
        }
        return arrived
    }
}

extension [RemoteSection] {
    /// The place of what a question is about, as an event names it; nil where there is none.
    fileprivate func place(of wanted: AskedAnswers.Wanted) -> ListEvent.Place? {
        if wanted.question.part == .list { return .list }
        return path(of: wanted.question, near: wanted.path).map { path in
            switch wanted.question.part {
            case .element: .element(path)
            case .header: .header(path.section)
            case .footer: .footer(path.section)
            case .list: .list
            }
        }
    }

    /// The path of what a question is about; nil where there is none. Of a header or footer, that of its section.
    ///
    /// - Complexity: That of ``path(of:in:near:)``.
    func path(of question: AskedAnswers.Question, near seen: ElementPath) -> ElementPath? {
        switch question.part {
        case .element(let identity): path(of: identity, in: question.section, near: seen)
        case .header, .footer:
            index(ofSection: question.section, near: seen.section).map { ElementPath(section: $0, element: 0) }
        case .list: nil
        }
    }

    /// The path of an element; nil where it is gone.
    ///
    /// - Complexity: O(1) where it stands where it was seen, else O(*n*) in the sections and in the section's elements.
    func path(of identity: RemoteElement.Identity, in section: String, near seen: ElementPath) -> ElementPath? {
        guard let section = index(ofSection: section, near: seen.section) else { return nil }
        let elements = self[section].elements
        if elements.indices.contains(seen.element), elements[seen.element].differenceIdentifier == identity {
            return ElementPath(section: section, element: seen.element)
        }
        return elements.firstIndex { $0.differenceIdentifier == identity }
            .map { ElementPath(section: section, element: $0) }
    }

    private func index(ofSection id: String, near seen: Int) -> Int? {
        let isSeen = indices.contains(seen) && self[seen].id.isVerbatim(id)
        return isSeen ? seen : firstIndex { $0.id.isVerbatim(id) }
    }
}
