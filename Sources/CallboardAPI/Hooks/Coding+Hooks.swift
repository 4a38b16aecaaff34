import Directors
import HTTPClient
import JSONValues
import Notation
import Webhooks

/// The bodies of event hooks and of what UIs report.
extension Coding {
    /// A hook that can be registered on an event.
    ///
    /// - Parameters:
    ///   - document: The body.
    ///   - event: The event.
    ///   - earlier: The hook that it replaces.
    ///   - director: The name of the director that keeps the hook.
    ///   - call: The request: what it may do itself to the director, the target's answers may do.
    static func hook(
        _ document: JSONDocument, for event: EventDefinition, replacing earlier: EventHook?, of director: String,
        _ call: Call
    ) throws(Problem) -> EventHookDraft.Resolved {
        let (policy, granted) = (call.application.hooks?.policy, call.principal.effects(on: director))
        do throws(RepresentationError) {
            let resolved = try EventHookDraft.decode(document.root, for: event).resolved(
                replacing: earlier, granting: granted)
            if let fault = targetFault(resolved.hook, policy) {
                throw RepresentationError([Fault(pointer: "/url", detail: fault)])
            }
            return resolved
        } catch {
            throw Problem(error)
        }
    }

    /// The hooks that an adapter's body brings, by their events; nil where it says nothing of them, or what is read without
    /// the right to see them.
    ///
    /// - Throws: 403 where it says more and who asks may not register hooks, or not such ones.
    static func hooks(
        _ body: JSONNode, of level: HookLevel, in director: Director, _ call: Call
    ) throws(Problem) -> [Name: EventHookDraft.Resolved]? {
        guard let events = body["events"], !events.isNull else { return nil }
        let registered = director.hooks.hooks(at: level)
        if events.kind == .object, !registered.isEmpty, events.tellsNothing(but: registered) { return nil }
        try call.require(.hooks)
        let (policy, granted) = (call.application.hooks?.policy, call.principal.effects(on: director.name))
        let source = level.source(in: director.kind)
        var hooks: [Name: EventHookDraft.Resolved] = [:]
        do throws(RepresentationError) {
            guard let drafts = try EventHookDraft.decodeEvents(of: body, source: source) else { return nil }
            var faults: [Fault] = []
            for (name, draft) in drafts.sorted(by: { $0.key < $1.key }) {
                let resolved = try draft.resolved(replacing: registered[name], granting: granted)
                if let fault = targetFault(resolved.hook, policy) {
                    let event = JSONPointer.escape(name.text)
                    faults.append(Fault(pointer: "\(body.pointer)/events/\(event)/url", detail: fault))
                }
                hooks[name] = resolved
            }
            guard faults.isEmpty else { throw RepresentationError(Array(faults.prefix(Fault.limit))) }
        } catch {
            throw Problem(error)
        }
        for (name, resolved) in hooks {
            try call.requireRights(of: resolved.hook, replacing: registered[name], on: director.name)
        }
        return hooks
    }

    /// The reason why a target's address may not be called, as far as the address itself tells; names are looked up at
    /// each call. Nothing keeps a hook without an address, which is not called.
    private static func targetFault(_ hook: EventHook, _ policy: AddressPolicy?) -> String? {
        guard let target = hook.url else { return nil }
        do {
            let url = try HTTPURL(target.text)
            try policy?.check(url)
            return nil
        } catch let error as AddressRefusal {
            return "\(error); hooks call targets outside of the network, and those that hooks.allow names"
        } catch {
            return "the URL \(error)"
        }
    }
}

extension JSONNode {
    /// Whether an adapter's `events` are what a read answers without the right to see hooks: each event that has one, and
    /// its kind.
    fileprivate func tellsNothing(but registered: [Name: EventHook]) -> Bool {
        let members = Array(members)
        return members.count == registered.count
            && members.allSatisfy { event in
                registered[Name(event.name)] != nil && event.value.kind == .object
                    && Array(event.value.members).map(\.name) == ["kind"]
            }
    }
}
