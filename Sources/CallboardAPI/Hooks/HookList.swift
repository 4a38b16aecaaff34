import DirectorLife
import Directors
import Hosting
import JSONValues

extension Application {
    /// `GET /v1/hooks`: the hooks of all directors whose hooks may be seen, or of one.
    func listHooks(_ call: Call) {
        let grants = call.principal.grants
        let (offset, limit) = call.query.page
        let named = call.query["director"]
        let hosts = environment.registry.sorted().filter { host in
            (named == nil || host.name == named) && grants.allow(.hooks, on: host.name)
        }
        Gathering.ask(hosts) {
            $0.stored.director
        } completion: { directors in
            let all = directors.flatMap { director in director.hooks.entries.map { (director, $0) } }
            let page = all.dropFirst(offset).prefix(limit)
            let total = self.environment.cluster.map { cluster in
                all.count { director, _ in cluster.counts(cluster.node, of: director.name) }
            }
            let reply = Reply.content(work: 1024 * page.count) {
                ListForm.hooks.page(page, offset: offset, limit: limit, total: total ?? all.count) { hook, writer in
                    StoredHook(director: hook.0, entry: hook.1, call: call)?.write(to: &writer)
                }
            }
            call.answer(reply)
        }
    }
}

/// A hook of a director as a list of hooks shows it.
struct StoredHook: DirectorContext, AnswerObject {
    let director: Director
    let view: ViewLife? = nil
    private let entry: HookRegistry.Entry
    private let event: EventDefinition
    private let call: Call

    /// Nil for an event that is not there: a hook is kept only where its event is.
    fileprivate init?(director: Director, entry: HookRegistry.Entry, call: Call) {
        guard let event = try? director.event(entry.event, at: entry.level) else { return nil }
        (self.director, self.entry, self.event, self.call) = (director, entry, event, call)
    }

    static let form = AnswerForm<Self>(
        AnswerField("director") { $0.name },
        AnswerField("kind", as: .reference("Kind")) { $0.director.kind.rawValue },
        AnswerField("path", "The path at which the hook is read, changed and removed.") {
            $0.address($0.entry.level, $0.entry.event).path
        },
        AnswerField("hook", as: .reference("EventHook")) {
            JSONValue(trusting: $0.resource($0.entry.hook, on: $0.event, at: $0.entry.level, $0.call))
        })
}
