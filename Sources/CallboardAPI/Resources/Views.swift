import Access
import DirectorLife
import Directors
import Feed
import HTTPTypes
import Hosting
import JSONValues
import Notation
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
        let selection = try call.selection(from: host.name)
        do {
            if let selection {
                return try environment.views.instance(
                    of: host, selecting: ViewRule(selection), claims: principal.claims,
                    principal: principal.holderOfViews, environment)
            }
            guard let view = host.view else { preconditionFailure("the caller has asked whether it is a view") }
            let bound = try call.query.parameters(of: try view.rule.definition)
            return try environment.views.instance(
                of: host, binding: bound, claims: principal.claims, principal: principal.holderOfViews, environment)
        } catch let refusal as ViewRefusal {
            throw Problem(refusal, view: host.name)
        } catch let fault as RepresentationError {
            throw Problem(ViewRefusal.unreadable(fault), view: host.name)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.internal, "The view cannot be read.")
        }
    }

    /// Reads a view, once its list is there.
    func readView(
        _ call: Call, _ host: isolated DirectorHost, _ action: @escaping Route.Read
    ) throws(Problem) {
        let instance = try instance(of: host, for: call)
        let definition = host.stored.director
        let version = call.query.integer("version") ?? call.query.integer("from")
        instance.enter { instance in
            instance.whenReady(at: version) { instance in
                do throws(Problem) {
                    guard !instance.isOver else { throw .viewHasEnded(definition.name) }
                    let state = instance.stored
                    let tag = EntityTag.text(epoch: instance.epoch, revision: state.director.revision)
                    let reading = Reading(state: state, tag: tag, definition: definition, facts: instance.facts)
                    call.answer(try action(call, reading))
                } catch {
                    call.answer(error)
                }
            }
        }
    }

    /// `GET …/instances`: the instances of a view that are kept up, and those that queries describe.
    func listInstances(_ call: Call) throws(Problem) {
        guard let host = try host(named: call.parameters[0]) else { throw .noDirector(call.parameters[0]) }
        let (offset, limit) = call.query.page
        let all = environment.views.instances(of: host).sorted { $0.epoch < $1.epoch }
        let page = Array(all.dropFirst(offset).prefix(limit))
        let total = all.count
        Collecting.ask(page) {
            ShownInstance($0)
        } completion: { shown in
            call.answer(
                Reply(
                    body: ListForm.instances.page(shown, offset: offset, limit: limit, total: total) {
                        $0.write(to: &$1)
                    }))
        }
    }

    /// Checks a view's definition against the other directors.
    ///
    /// - Throws: 422 for a circle, with the views that are in it, and for more than four views that follow each other.
    func checkChain(of name: String, _ derivation: Derivation?, pointer: String) throws(Problem) {
        guard let derivation else { return }
        var path = [name]
        var source: String? = derivation.source
        while let next = source {
            if path.contains(where: { $0.isVerbatim(next) }) {
                throw .circle(path + [next], pointer: pointer)
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

extension Call {
    /// Whether the query describes a view of the director that the path names.
    fileprivate var selects: Bool {
        query["where"] != nil || query["sortBy"] != nil || route.isStream && query["limit"] != nil
    }

    /// The view of a director that the query describes; nil where it describes none.
    ///
    /// - Throws: 422 for what a view's definition may not be, with a pointer into it.
    fileprivate func selection(from source: String) throws(Problem) -> ViewDefinition? {
        guard selects else { return nil }
        guard !query.hasParameters else {
            throw .unprocessable("Parameters of a view cannot be bound together with `where`, `sortBy` or `limit`.")
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("from", source)
        for parameter in QueryParameter.selection {
            guard let text = query[parameter.name] else { continue }
            writer.key(parameter.name)
            writer.value(try Self.json(text, of: parameter.name))
        }
        if route.isStream, let limit = query.integer("limit") { writer.member("limit", limit) }
        writer.endObject()
        do throws(RepresentationError) {
            let definition = JSONValue(trusting: writer.takeBytes())
            return try ViewDefinition.decode(definition.document.root, within: DirectorLimits())
        } catch {
            throw Problem(error)
        }
    }

    private static func json(_ text: String, of name: String) throws(Problem) -> JSONValue {
        do {
            return try JSONValue(parsing: Array(text.utf8))
        } catch {
            throw .unprocessable(
                "The query parameter \(name.quoted) is \(error).",
                faults: [.init(pointer: "/\(name)", detail: "\(error)")])
        }
    }
}

extension Query {
    /// The values that a reader binds, as the view's parameters are typed: a number and a truth value are written as in
    /// JSON.
    fileprivate func parameters(of definition: ViewDefinition) throws(Problem) -> [Name: JSONValue] {
        var bound: [Name: JSONValue] = [:]
        for (name, text) in parameters {
            guard let parameter = definition.parameters.first(where: { Name($0.name) == name }) else {
                let known = definition.parameters.map(\.name.quoted).joined(separator: ", ")
                throw .unprocessable(
                    "The view has no parameter \(name.text.quoted); "
                        + (known.isEmpty ? "it has none." : "it has: \(known)."))
            }
            var writer = JSONWriter()
            writer.string(text)
            let string = JSONValue(trusting: writer.takeBytes())
            switch parameter.values.kind {
            case .string: bound[name] = string
            case .number, .integer, .boolean:
                // What is no JSON stays a string, which is of another type.
                bound[name] = (try? JSONValue(parsing: Array(text.utf8))) ?? string
            }
        }
        return bound
    }
}

extension Principal {
    /// What views know of the principal: a token's claims, or its name and identifier, or a certificate's name.
    var claims: JSONValue? {
        switch source {
        case .everybody, .anonymous, .node: return nil
        case .issued(let token): return JSONValue(trusting: token.claims)
        case .token(let id, let name): return Self.object([("id", id), ("name", name)])
        case .certificate(let name): return Self.object([("name", name)])
        }
    }

    /// The name that a bound of instances is counted by; nil for a principal that is everybody.
    var holderOfViews: String? {
        switch source {
        case .everybody, .anonymous, .node: nil
        case .issued, .token, .certificate: name
        }
    }

    private static func object(_ members: [(String, String)]) -> JSONValue {
        var writer = JSONWriter()
        writer.object { writer in for (name, value) in members { writer.member(name, value) } }
        return JSONValue(trusting: writer.takeBytes())
    }
}

extension Problem {
    /// There is no instance of a view for a reader: 422, 409, 429 or 503.
    init(_ refusal: ViewRefusal, view name: String) {
        switch refusal {
        case .unreadable(let error):
            self = .unavailable(
                .unreadable,
                "The definition of the view \(name.quoted) cannot be read by this program (\(error)). Define it anew.")
        case .parameters(let error):
            self.init(error)
            detail = "The view's parameters: " + detail
        case .sourceParameters(let view, let error):
            self = .unprocessable(
                "The view \(name.quoted) follows the view \(view.quoted), whose parameters have to have defaults "
                    + "(\(error)).")
        case .circle(let path): self = .conflict("The views follow each other in a circle: \(path.chain).")
        case .tooDeep(let path):
            self = .conflict(
                "More than \(ViewInstances.maximumDepth) views follow each other: \(path.chain).")
        case .full:
            self = .unavailable(
                .overloaded,
                "The server keeps up as many instances of views as it may; see views.instances and views.bytes.")
        case .fullForPrincipal(let limit):
            self = .tooMany(
                "\(limit) instances of views are kept up for this credential, and no more may be. One ends a minute after "
                    + "its last reader.", retryAfter: 60)
        }
    }

    /// The views would follow each other in a circle: 422.
    fileprivate static func circle(_ path: [String], pointer: String) -> Problem {
        let detail = "the views would follow each other in a circle: \(path.chain)"
        return .unprocessable(
            "The views would follow each other in a circle: \(path.chain).",
            faults: [.init(pointer: pointer, detail: detail)])
    }

    /// The instance has ended while somebody waited for it: 503.
    fileprivate static func viewHasEnded(_ name: String) -> Problem {
        .unavailable(.notLoaded, "The view \(name.quoted) or its source has just become another one. Ask again.")
    }

    /// Parameters are bound on a director that is no view: 422.
    static func withoutParameters(_ name: String) -> Problem {
        .unprocessable("The director \(name.quoted) is no view, and has no parameters.")
    }

    /// What the request would change follows from another director: 409.
    static func derived(_ view: HostedView) -> Problem {
        Problem(
            .derived,
            "The director is a view of \(view.source.quoted), and its content follows from that one; change "
                + "\(view.source.quoted).")
    }
}

extension Problem {
    /// An event is reported at a view: 409.
    static func withoutEvents(_ view: HostedView) -> Problem {
        Problem(
            .derived,
            "Events are not reported at a view; report them at \(view.source.quoted), from which its list follows.")
    }
}

extension [String] {
    /// The names in the order in which each follows the next.
    fileprivate var chain: String { map(\.quoted).joined(separator: " from ") }
}

/// An instance of a view as it is listed.
struct ShownInstance: AnswerObject {
    let epoch: String
    let parameters: [(name: Name, value: JSONValue)]
    let version: Int
    let counts: ListCounts
    let hasStreams: Bool
    let evaluations: Int
    let bytes: Int
    let faults: JSONValue?
    let selection: JSONValue?

    /// Describes an instance at this moment.
    init(_ instance: isolated ViewInstance) {
        let state = instance.stored
        selection = instance.selection
        epoch = instance.epoch
        parameters = instance.plan.bindings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        version = state.versions.newest.version
        counts = state.versions.newest.list.counts
        hasStreams = instance.isFollowed
        evaluations = instance.evaluations
        bytes = instance.memory
        faults = instance.facts.faults
    }

    static let form = AnswerForm<Self>(
        AnswerField("epoch") { $0.epoch },
        AnswerField("parameters", as: .any) { $0.boundValues },
        .ifAny(
            "view", "The view that a reader described in a query; left out for one of the view's definition.",
            as: .reference("View")
        ) { $0.selection },
        AnswerField("version", as: .integer(minimum: 0)) { $0.version },
        AnswerField("counts") { $0.counts },
        AnswerField("isFollowed", "Whether a stream or another view follows it.") { $0.hasStreams },
        AnswerField("evaluations", "Elements that expressions were evaluated on.", as: .integer(minimum: 0)) {
            $0.evaluations
        },
        AnswerField("bytes", "The memory that it takes, estimated.", as: .integer(minimum: 0)) { $0.bytes },
        .ifAny("faults", "The elements that are left out.", as: .reference("ViewFaults")) { $0.faults })

    /// The schema of what a view leaves out.
    static let faultsSchema = JSONSchema.object(
        [
            MemberDescription("count", .integer(minimum: 0), "How many elements are left out."),
            MemberDescription(
                "first",
                .array(
                    .object(
                        [
                            MemberDescription("id", .string()),
                            MemberDescription("pointer", .string(), "The expression, in the definition."),
                            MemberDescription("detail", .string()),
                        ], side: .answer), maxItems: ViewFaults.limit),
                "The first ten, in the order of the source."),
        ], side: .answer)

    private var boundValues: JSONValue {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, value) in parameters {
                writer.key(name.text)
                writer.value(value)
            }
        }
        return JSONValue(trusting: writer.takeBytes())
    }
}
