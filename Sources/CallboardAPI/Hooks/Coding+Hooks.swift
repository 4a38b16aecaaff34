import Directors
import JSONValues
import Notation
import Webhooks

/// The bodies of event hooks and of what UIs report.
extension Coding {
    /// What a UI reports or asks.
    static func report(_ document: JSONDocument) throws(Problem) -> EventReport {
        do {
            return try EventReport.decode(document.root)
        } catch {
            throw Problem(error)
        }
    }

    /// A hook that can be registered on an event.
    ///
    /// - Parameters:
    ///   - document: The body.
    ///   - event: The event.
    ///   - earlier: The hook that it replaces.
    ///   - policy: Which targets may be called; nil checks nothing.
    static func hook(
        _ document: JSONDocument, for event: EventDefinition, replacing earlier: EventHook?, _ policy: AddressPolicy?
    ) throws(Problem) -> EventHookDraft.Resolved {
        do throws(RepresentationError) {
            let resolved = try EventHookDraft.decode(document.root, for: event).resolved(replacing: earlier)
            if let fault = targetFault(resolved.hook, policy) {
                throw RepresentationError([Fault(pointer: "/url", detail: fault)])
            }
            return resolved
        } catch {
            throw Problem(error)
        }
    }

    /// The hooks that an adapter's body brings, by their events; nil where it says nothing of them.
    static func hooks(
        _ body: JSONNode, of level: HookLevel, in director: Director, _ policy: AddressPolicy?
    ) throws(Problem) -> [Name: EventHookDraft.Resolved]? {
        let source = level.source(in: director.kind)
        do throws(RepresentationError) {
            guard let drafts = try EventHookDraft.decodeEvents(of: body, source: source) else { return nil }
            var hooks: [Name: EventHookDraft.Resolved] = [:]
            var faults: [Fault] = []
            for (name, draft) in drafts.sorted(by: { $0.key < $1.key }) {
                let resolved = try draft.resolved(replacing: director.hooks[level, name.text])
                if let fault = targetFault(resolved.hook, policy) {
                    let event = JSONPointer.escape(name.text)
                    faults.append(Fault(pointer: "\(body.pointer)/events/\(event)/url", detail: fault))
                }
                hooks[name] = resolved
            }
            guard faults.isEmpty else { throw RepresentationError(Array(faults.prefix(Fault.limit))) }
            return hooks
        } catch {
            throw Problem(error)
        }
    }

    /// What keeps a target from being called, as far as its address tells by itself; names are looked up when they are
    /// called, and each time anew. Nothing keeps a hook without an address, which is not called.
    private static func targetFault(_ hook: EventHook, _ policy: AddressPolicy?) -> String? {
        guard let target = hook.url else { return nil }
        do {
            let url = try WebhookURL(target.text)
            try policy?.check(url)
            return nil
        } catch let error as AddressRefusal {
            return "\(error); hooks call targets outside of the network, and those that hooks.allow names"
        } catch {
            return "the URL \(error)"
        }
    }
}
