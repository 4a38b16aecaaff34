import DequeModule
import Directors
import JSONValues
import ListDiff
import Notation

/// The answers of a director's hooks about the newest version, for hooks that want to be asked once.
///
/// A question under way is here too: a client with the same question waits for that answer. Emptied when the version or
/// the definition changes; what is being asked then is answered to those who wait and not kept. Bounded by number and
/// memory: the oldest go first.
struct AnswerCache {
    /// What a question is about.
    struct Question: Hashable {
        /// Where in the version.
        enum Place: Hashable {
            case element(ElementPath)
            case header(Int)
            case footer(Int)
        }

        /// A view, and where in it.
        struct ViewedPlace: Hashable {
            @Verbatim private(set) var view: String
            let place: Place?
        }

        let level: HookLevel
        let event: String
        let place: Place
        /// The place in the view at which it was asked; nil for a question at the director itself.
        var viewed: ViewedPlace?
        let parameters: JSONValue?
    }

    /// The state of an answer.
    enum Lookup {
        /// It is there.
        case answer(JSONValue)
        /// It is being asked for.
        case inFlight(PendingAnswer)
    }

    /// Answers that are kept.
    static let maximumCount = 16_384
    /// Bytes of their values, and of the parameters that the questions were asked with.
    static let maximumBytes = 8 << 20

    private var answers: [Question: JSONValue] = [:]
    private var pending: [Question: PendingAnswer] = [:]
    private var order = Deque<Question>()
    private var bytes = 0

    /// How many answers are kept.
    var count: Int { answers.count }

    /// Looks an answer up; nil where nobody has asked.
    func lookup(_ question: Question) -> Lookup? {
        if let answer = answers[question] { return .answer(answer) }
        return pending[question].map { .inFlight($0) }
    }

    /// Notes that a question is being asked; whoever does has to ``settle(_:of:with:)`` it.
    mutating func begin(_ question: Question) -> PendingAnswer {
        let answer = PendingAnswer()
        pending[question] = answer
        return answer
    }

    /// Passes the answer to all waiting clients, and keeps it if it comes from the target and the question is still
    /// valid.
    mutating func settle(_ asked: PendingAnswer, of question: Question, with answer: EventAnswer) {
        asked.settle(answer)
        guard pending[question] === asked else { return }
        pending[question] = nil
        if answer.isFromHook { keep(answer.value, of: question) }
    }

    /// Forgets everything.
    mutating func clear() {
        guard !answers.isEmpty || !pending.isEmpty else { return }
        self = AnswerCache()
    }

    private mutating func keep(_ value: JSONValue, of question: Question) {
        guard answers.updateValue(value, forKey: question) == nil else { return }
        order.append(question)
        bytes += Self.size(question, value)
        while answers.count > Self.maximumCount || bytes > Self.maximumBytes, let oldest = order.popFirst() {
            guard let value = answers.removeValue(forKey: oldest) else { continue }
            bytes -= Self.size(oldest, value)
        }
    }

    /// The parameters count as well: they are the client's, and may be as long as a request.
    private static func size(_ question: Question, _ value: JSONValue) -> Int {
        value.bytes.count + (question.parameters?.bytes.count ?? 0)
    }
}

/// An answer that is being asked for; used on its director's loop alone.
final class PendingAnswer {
    private var answer: EventAnswer?
    private var waiting: [CheckedContinuation<EventAnswer, Never>] = []

    /// Has someone wait; one who comes late is answered at once.
    func wait(_ continuation: CheckedContinuation<EventAnswer, Never>) {
        if let answer { continuation.resume(returning: answer) } else { waiting.append(continuation) }
    }

    fileprivate func settle(_ answer: EventAnswer) {
        self.answer = answer
        for continuation in waiting { continuation.resume(returning: answer) }
        waiting = []
    }
}

extension ResolvedEvent {
    /// The cache's keys for a question's items, one for each default answer; nil for a question about the whole list.
    var questions: [AnswerCache.Question]? {
        guard let level else { return nil }
        typealias Place = AnswerCache.Question.Place
        func question(_ place: Place, _ viewed: Place?) -> AnswerCache.Question {
            AnswerCache.Question(
                level: level, event: definition.name, place: place,
                viewed: view.map { AnswerCache.Question.ViewedPlace(view: $0, place: viewed) }, parameters: parameters)
        }
        func question(_ item: ResolvedEvent.Item) -> AnswerCache.Question {
            question(.element(item.path), item.viewed.map { .element($0) })
        }
        switch subject {
        case .item(let item): return [question(item)]
        case .items(let items): return items.map { question($0) }
        case .supplementary(let side):
            func place(_ position: Int) -> Place { side.isHeader ? .header(position) : .footer(position) }
            return [question(place(side.position), side.viewed.map { place($0) })]
        case .list: return nil
        }
    }
}
