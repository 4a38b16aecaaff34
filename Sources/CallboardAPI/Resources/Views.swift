import DirectorLife
import Directors
import Feed
import Hosting
import JSONValues
import Notation
import Reactor
import Views

// Views: directors whose content follows from another one's. Reads and streams of one are those of its instance.

extension Application {
    /// Whether a request reads an instance: of a view, or of what the request itself selects.
    func isView(_ host: DirectorHost, to call: Call) -> Bool { host.view != nil || call.selects }

    /// The instance of a view for the reader who makes a request, begun if it is not there.
    ///
    /// - Throws: 422 for parameters and for what the query selects, 409 for views that follow each other in a circle, 429 and 503 at a bound.
    func instance(of host: DirectorHost, for call: Call) throws(Problem) -> ViewInstance {
        let principal = call.principal
        let selected = try call.selection(from: host.name).map { ViewRule($0) }
        let bound = selected == nil ? try bindings(of: host, call) : [:]
        do throws(ViewRefusal) {
            if let selected {
                return try environment.views.instance(
                    of: host, selecting: selected, claims: principal.claims, principal: principal.holderOfViews,
                    environment)
            }
            return try environment.views.instance(
                of: host, binding: bound, claims: principal.claims, principal: principal.holderOfViews, environment)
        } catch {
            throw Problem(error, view: host.name, for: call)
        }
    }

    /// The values that a request binds to a view's parameters.
    private func bindings(of host: DirectorHost, _ call: Call) throws(Problem) -> [Name: JSONValue] {
        guard let view = host.view else { preconditionFailure("the caller has asked whether it is a view") }
        let rule: ViewRule
        do {
            rule = try view.rule
        } catch {
            throw Problem(ViewRefusal.unreadable(error), view: host.name, for: call)
        }
        return try call.query.parameters(of: rule.definition)
    }

    /// Reads a view, once its list is there.
    func readView(
        _ call: Call, _ host: isolated DirectorHost, _ action: @escaping Route.Read
    ) throws(Problem) {
        let instance = try instance(of: host, for: call)
        let definition = host.stored.director
        let version = call.query.integer("version") ?? call.query.integer("from")
        instance.whenCurrent(at: version) { instance in
            do throws(Problem) {
                guard !instance.isOver else { throw .viewHasEnded(definition.name) }
                let state = instance.stored
                let tag = EntityTag.text(epoch: instance.epoch, revision: state.director.revision)
                var reading = Reading(state: state, tag: tag, definition: definition, facts: instance.facts)
                if !self.tellsOfSource(of: instance, to: call) { reading.facts = instance.facts.withoutFaults }
                call.answer(try action(call, reading))
            } catch {
                call.answer(error)
            }
        }
    }

    /// Whether a client is told of elements that the view leaves out: how many there are, and on which an expression fails.
    private func tellsOfSource(of instance: ViewInstance, to call: Call) -> Bool {
        call.principal.has(.read, on: instance.sourceName)
    }

    /// `GET …/instances`: the instances of a view that are kept up, and those that queries describe.
    func listInstances(_ call: Call) throws(Problem) {
        guard let host = try host(named: call.parameters[0]) else { throw .noDirector(call.parameters[0]) }
        let (offset, limit) = call.query.page
        let all = environment.views.instances(of: host).sorted { $0.epoch < $1.epoch }
        let page = Array(all.dropFirst(offset).prefix(limit))
        let total = all.count
        // They are all on the loop of their director.
        host.send { _ in
            let shown = page.map { instance in
                let tellsOfSource = self.tellsOfSource(of: instance, to: call)
                return instance.onLoop(()) { instance, _ in ShownInstance(instance, tellsOfSource: tellsOfSource) }
            }
            call.answer(
                Reply(
                    body: ListForm.instances.page(shown, offset: offset, limit: limit, total: total) {
                        $0.write(to: &$1)
                    }))
        }
    }

    /// Checks a view's definition against the other directors.
    ///
    /// - Throws: 422 for a circle, with the views that are in it if the client may read them, and for more than four views that
    ///   follow each other.
    func checkChain(of name: String, _ derivation: Derivation?, pointer: String, for call: Call) throws(Problem) {
        guard let derivation else { return }
        var path = [name]
        var source: String? = derivation.source
        while let next = source {
            if path.contains(where: { $0.isVerbatim(next) }) {
                throw .circle(call.readable(path + [next]), pointer: pointer)
            }
            guard let host = environment.registry.host(named: next), let view = host.view else { break }
            path.append(next)
            source = view.source
        }
        let depth = path.count + environment.registry.viewsAbove(name)
        guard depth <= ViewInstances.maximumDepth else {
            let detail = "\(depth) views would follow each other, and at most \(ViewInstances.maximumDepth) may"
            throw .unprocessable(
                detail.prefix(1).uppercased() + detail.dropFirst() + ".",
                faults: [.init(pointer: pointer, detail: detail)])
        }
    }
}

extension DirectorRegistry {
    /// The longest row of views that follow a director one after the other.
    ///
    /// - Complexity: O(*d* log *d*) in the number of directors.
    fileprivate func viewsAbove(_ name: String) -> Int {
        var views: [Name: [String]] = [:]
        for host in sorted() {
            if let view = host.view { views[Name(view.source), default: []].append(host.name) }
        }
        var (level, depth, seen) = ([name], 0, Set([Name(name)]))
        while depth <= ViewInstances.maximumDepth {
            level = level.flatMap { views[Name($0)] ?? [] }.filter { seen.insert(Name($0)).inserted }
            if level.isEmpty { break }
            depth += 1
        }
        return depth
    }
}
