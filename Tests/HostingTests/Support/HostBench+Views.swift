import Directors
import JSONValues
import Notation
import Views

@testable import Hosting

// Views of a director on a bench.
extension HostBench {
    func view(_ definition: String, name: String = "v") throws -> DirectorHost {
        let rule = ViewRule(try ViewDefinition.decode(JSONValue(parsing: definition).document.root))
        let director = Director(
            name: name, epoch: "view\(name)", properties: DirectorProperties(defaultsOf: .table),
            derivation: rule.derivation)
        let host = DirectorHost(director, loop: group.loops[0], environment: environment)
        _ = environment.registry.insert(host, bound: 9)
        commit("created", to: host) { $0.create() }
        stepper.turn()
        return host
    }

    func source() -> DirectorHost {
        let host = livingHost()
        _ = environment.registry.insert(host, bound: 9)
        commit("adapter", to: host) { draft in
            _ = try? draft.define { director throws(DirectorError) in
                try director.register(CellAdapter(model: "M", cell: "C"))
            }
        }
        publish([], on: host)
        return host
    }

    /// Publishes one section with elements of these numbers, which are their identifiers, too.
    func publish(_ numbers: [Int], on host: DirectorHost) {
        publish(elements: numbers.map { ("\($0)", "\($0)") }, on: host)
    }

    /// Publishes one section with elements of these identifiers and values of `n`.
    func publish(elements: [(id: String, n: String)], on host: DirectorHost) {
        commit("published", to: host) { draft in
            let elements = elements.map { element in
                ElementDraft(value: JSONValue(trusting: Array(#"{"id":"\#(element.id)","n":\#(element.n)}"#.utf8)))
            }
            _ = try? draft.perform([.sections(.set([SectionDraft(identifier: "s", elements: elements)]))])
            _ = try? draft.publish(nil)
        }
        // The source's turn, then the one in which the view is told.
        for _ in 0..<3 { stepper.turn() }
    }

    func instance(
        of host: DirectorHost, binding bound: [Name: JSONValue] = [:], principal: String? = nil
    ) throws(ViewRefusal) -> ViewInstance {
        let instance = try environment.views.instance(
            of: host, binding: bound, claims: nil, principal: principal, environment)
        for _ in 0..<4 { stepper.turn() }
        return instance
    }

    func shown(_ instance: ViewInstance) -> (identifiers: [String], version: Int) {
        stepper.run {
            instance.onLoop(()) { instance, _ in
                let newest = instance.stored.versions.newest
                return (newest.list.sections.flatMap { $0.list.map(\.identifier) }, newest.version)
            }
        }
    }

    func isOver(_ instance: ViewInstance) -> Bool {
        stepper.run { instance.onLoop(()) { instance, _ in instance.isOver } }
    }
}
