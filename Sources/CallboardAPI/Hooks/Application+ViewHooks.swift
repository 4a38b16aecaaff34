import Access
import DirectorLife
import Directors
import Hosting
import Reactor

/// The hooks that views have of their own.
///
/// The director that a view follows in the end keeps them and tells their targets, since it stores the events. A target gets
/// that director's elements, and its answers change that director. So such a hook takes the right `hooks` there as well as at
/// the view.
extension Application {
    /// Carries out a request about a view's own hooks.
    func run(_ call: Call, onHooksOf host: isolated DirectorHost) {
        do throws(Problem) {
            try admit(isRead: true, host)
            let (view, origin) = (host.viewLife, try origin(of: host))
            guard call.principal.has(.hooks, on: origin.name) else { throw .withoutHooksOfSource(call.principal) }
            origin.enter { self.run(call, onHooksOf: view, at: $0) }
        } catch {
            call.answer(error)
        }
    }

    private func run(_ call: Call, onHooksOf view: ViewLife, at origin: isolated DirectorHost) {
        switch call.route.action {
        case .read(let action):
            do throws(Problem) {
                try admit(isRead: true, origin)
                call.answer(try action(call, Reading(state: origin.stored, tag: origin.tag, view: view)))
            } catch {
                call.answer(error)
            }
        case .change(let action):
            run(call, on: origin) { call, mutation throws(Problem) in
                if call.query.flag("reload") { try call.principal.require(.content, on: mutation.name) }
                mutation.view = view
                self.removeHooksOfGoneViews(from: &mutation.draft)
                return try action(call, &mutation)
            }
        case .service, .define, .transfer, .announce, .stream, .report, .prepare:
            preconditionFailure("no route of hooks")
        }
    }

    /// The director that a view follows in the end.
    private func origin(of view: DirectorHost) throws(Problem) -> DirectorHost {
        var (host, depth) = (view, 0)
        while let next = host.view {
            guard depth < ViewInstances.maximumDepth, let source = try self.host(named: next.source) else {
                throw .withoutSource(of: view.name)
            }
            (host, depth) = (source, depth + 1)
        }
        return host
    }

    /// Removes the hooks of views that have been deleted, or made anew since: nobody else would.
    private func removeHooksOfGoneViews(from draft: inout LifeDraft) {
        let gone = draft.director.hooks.views.filter { life in
            let host = environment.registry.host(named: life.name)
            return host.map { $0.viewLife != life } ?? !(environment.cluster?.knows(life.name) ?? false)
        }
        guard !gone.isEmpty else { return }
        draft.define { $0.removeHooks(of: gone) }
    }
}

extension Problem {
    /// 403, or 401: the principal may not see the hooks of the director that a view follows, which is not named.
    fileprivate static func withoutHooksOfSource(_ principal: Principal) -> Problem {
        guard !principal.isAnonymous else { return .credentialMissing }
        var problem = Problem.rightMissing(.hooks, director: nil)
        problem.detail =
            "A view's hooks are kept with the director that the view follows. They need the right \"hooks\" there, "
            + "too, which the credential's grants do not give."
        return problem
    }
}
