import DirectorLife
import Directors
import Hosting
import Journal
import Reactor
import Webhooks

/// A UI's reports and questions. They refer to the stored state, and never wait for records in flight.
///
/// Notifications are stored in their hooks' queues, all of a request or none, in its order. Questions are asked after that,
/// all at once, and the request is answered once the hooks' targets have said what they have to say. Runs on the director's
/// loop, which goes on with other work meanwhile.
struct EventReports {
    private let call: Call
    private let host: DirectorHost
    private let key: CommandKey?
    private let caller: HookCaller
    /// Whether the request has several events, each with an outcome of its own.
    private let isSeveral: Bool
    private let plans: [EventPlan]
    private let drafts: [DeliveryDraft]

    /// `POST …/events`.
    ///
    /// - Parameters:
    ///   - call: The request, which is answered now or later.
    ///   - host: The director.
    ///   - key: The request's key, which the host has in flight.
    static func report(_ call: Call, _ host: isolated DirectorHost, _ key: CommandKey?) throws(Problem) {
        let state = host.stored
        try begin(call, host, key, try Coding.reports(try call.document())) { report, part throws(Problem) in
            let published = try published(report.version, in: state)
            do throws(DirectorError) {
                try state.director.check(report)
            } catch {
                throw Problem(error, body: part)
            }
            do throws(DirectorError) {
                return try state.director.resolve(report, in: published)
            } catch {
                // What is wrong with a report that is good by itself is wrong beside what is there.
                throw Problem(error, body: part, tellsContent: true)
            }
        }
    }

    /// The same of reports that were made at a view of the director.
    static func report(
        _ viewed: ReportBody<ViewedReport>, _ call: Call, _ host: isolated DirectorHost, _ key: CommandKey?
    ) throws(Problem) {
        let state = host.stored
        try begin(call, host, key, viewed) { viewed, part throws(Problem) in
            let published = try published(viewed.version, in: state)
            do throws(DirectorError) {
                return try state.director.resolve(viewed: viewed, in: published)
            } catch {
                throw Problem(error, body: part, tellsContent: true)
            }
        }
    }

    private static func published(_ version: Int?, in state: LifeState) throws(Problem) -> PublishedState {
        let newest = state.versions.newest.version
        if let published = state.versions.state(at: version ?? newest) { return published }
        throw .notRetained(version, newest: newest)
    }

    private static func begin<Report>(
        _ call: Call, _ host: isolated DirectorHost, _ key: CommandKey?, _ reports: ReportBody<Report>,
        _ resolve: (Report, BodyPart) throws(Problem) -> [ResolvedEvent]
    ) throws(Problem) {
        guard let caller = call.application.hooks else { throw .withoutHooks }
        let moment = WallTime.now()
        let ids = EventIDs(epoch: host.epoch, request: key)
        var drafts: [DeliveryDraft] = []
        var all: [ResolvedEvent] = []
        var plans: [EventPlan] = []
        for (position, entry) in reports.entries.enumerated() {
            do throws(Problem) {
                let events = try resolve(try entry.report.get(), entry.part)
                try MessageBound.check(events)
                all += events
                let key = entry.key ?? ids.key(at: position)
                plans.append(EventPlan(events, key: key, ids: ids, at: moment, &drafts))
            } catch {
                guard reports.isSeveral else { throw error }
                plans.append(.refused(error))
            }
        }
        try MessageBound.check(all)
        EventReports(
            call: call, host: host, key: key, caller: caller, isSeveral: reports.isSeveral, plans: plans,
            drafts: drafts
        ).notify(on: host)
    }

    private func notify(on host: isolated DirectorHost) {
        guard !drafts.isEmpty else { return ask(after: [], on: host) }
        caller.dispatcher.notify(drafts) { result in
            self.host.enter { self.noted(result, on: $0) }
        }
    }

    private func noted(_ result: Result<[String], NotifyRefusal>, on host: isolated DirectorHost) {
        switch result {
        case .success(let deliveries): ask(after: deliveries, on: host)
        case .failure(let refusal): call.application.finish(call, Problem(refusal), on: host, key: key)
        }
    }

    private func ask(after deliveries: [String], on host: isolated DirectorHost) {
        let questions = plans.flatMap(\.questions)
        guard questions.contains(where: { $0.event.hook?.url != nil }) else {
            return finish(deliveries, questions.map { EventAnswer.withoutTarget($0.event) }, on: host)
        }
        Task {
            _ = host
            let answers = await host.answers(to: questions.map(\.event), ids: questions.map(\.id), caller)
            finish(deliveries, answers, on: host)
        }
    }

    /// Answers the request, and counts where the values are from.
    ///
    /// - Parameters:
    ///   - deliveries: The identifiers of the deliveries, one for each draft.
    ///   - answers: The answers to each question, one for each hook that is concerned.
    ///   - host: The director.
    private func finish(_ deliveries: [String], _ answers: [[EventAnswer]], on host: isolated DirectorHost) {
        for answer in answers.lazy.joined() {
            (answer.isFromHook ? caller.counters.answered : caller.counters.defaults).add()
        }
        do throws(Problem) {
            try MessageBound.check(answers.lazy.joined())
            let outcomes = EventPlan.outcomes(of: plans, deliveries, answers)
            let reply = isSeveral ? Reply(outcomes, to: call) : Reply(outcomes[0], to: call)
            call.application.finish(call, reply, on: host, key: key)
        } catch {
            call.application.finish(call, error, on: host, key: key)
        }
    }
}
