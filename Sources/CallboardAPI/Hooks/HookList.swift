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
                Coding.page("hooks", page, offset: offset, limit: limit, total: total ?? all.count) { hook, writer in
                    StoredHook(director: hook.0, entry: hook.1).encode(call, to: &writer)
                }
            }
            call.answer(reply)
        }
    }
}

/// A hook of a director as a list of hooks shows it.
private struct StoredHook: DirectorContext {
    let director: Director
    let entry: HookRegistry.Entry

    func encode(_ call: Call, to writer: inout JSONWriter) {
        // A hook is kept only where its event is.
        guard let event = try? director.event(entry.event, at: entry.level) else { return }
        writer.object { writer in
            writer.member("director", name)
            writer.member("kind", director.kind.rawValue)
            writer.member("path", address(entry.level, entry.event).path)
            writer.key("hook")
            writer.raw(resource(entry.hook, on: event, at: entry.level, call))
        }
    }
}
