import DirectorLife
import Directors
import Hosting
import Notation
import Reactor

// Events of views and selections. Readers report them in the places of the list that they see; they go to the hooks of the
// director that the list follows.
extension Application {
    /// Reads a report in the view's list of the reader who makes it, and has it carried out where the list follows from.
    ///
    /// The answer is kept, for repetitions, with the director that the view follows.
    func report(_ call: Call, atView host: isolated DirectorHost) {
        do throws(Problem) {
            try admit(isRead: true, host)
            // What a query selects tells of the elements.
            if call.selects { try call.principal.require(.read, on: host.name) }
            let reports = try Coding.reports(try call.document())
            let instance = try instance(of: host, for: call)
            instance.whenCurrent(at: reports.latestVersion) { self.carryOut(reports, call, at: $0) }
        } catch {
            call.answer(error)
        }
    }

    private func carryOut(_ reports: ReportBody<EventReport>, _ call: Call, at instance: isolated ViewInstance) {
        guard !instance.isOver else { return call.answer(.viewHasEnded(instance.name)) }
        guard let origin = instance.origin else { return call.answer(.withoutSource(of: instance.name)) }
        let viewed = reports.map { Self.read($0, $1, at: instance) }
        origin.enter { origin in
            self.report(call, on: origin) { call, origin, key throws(Problem) in
                try EventReports.report(viewed, call, origin, key)
            }
        }
    }

    private static func read(
        _ report: EventReport, _ part: BodyPart, at instance: isolated ViewInstance
    ) -> Result<ViewedReport, Problem> {
        do throws(DirectorError) {
            if let viewed = try instance.read(report) { return .success(viewed) }
            return .failure(.notRetained(report.version, newest: instance.newestVersion))
        } catch {
            return .failure(Problem(error, body: part, tellsContent: true))
        }
    }
}

extension Problem {
    /// The version that a report is about is not retained: 409.
    static func notRetained(_ version: Int?, newest: Int) -> Problem {
        Problem.conflict(
            "Version \(version ?? newest) is not retained; the newest is \(newest). Catch up with the stream, and report what "
                + "happens there."
        ).tellingContent
    }

    /// There is no director that a view follows: 409.
    static func withoutSource(of view: String) -> Problem {
        Problem(
            .derived,
            "The view \(view.quoted) follows a director that is not there, and shows nothing at which an event could be "
                + "reported.")
    }
}
