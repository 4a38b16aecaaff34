import JSONValues

/// A hook from a request, not yet joined with the hook that it replaces.
package struct EventHookDraft: Sendable {
    /// The hook; its secrets are those of the body, none where it has none.
    let hook: EventHook
    /// The secrets in the order of the body, some of them perhaps masked; nil where the body has none.
    let secrets: [SecretText]?
    /// The requested rights of the target's answers; nil if the body does not name them.
    let rights: Effects?
    /// The hook's place in a larger body, as a JSON pointer.
    let pointer: String

    /// A secret as a body has it.
    enum SecretText: Hashable, Sendable {
        case whole(HookSecret)
        case masked(String, pointer: String)
    }

    /// A hook that can be registered.
    package struct Resolved: Hashable, Sendable {
        /// The hook.
        package let hook: EventHook
        /// The generated secret. Only the answer to the request that created it shows it.
        package let generatedSecret: HookSecret?
    }

    /// Joins the draft with the hook that it replaces. Omitted or masked secrets are taken from the earlier hook, and
    /// so are masked header values, as long as the address has the same origin: a client that does not know a hook's
    /// credentials must not be able to have them sent elsewhere.
    ///
    /// Without secrets on either side a random one is made where the hook has an address. The same is done where the
    /// address is another server's and no secret is said: that server does not know the earlier secret.
    ///
    /// - Parameters:
    ///   - earlier: The hook that is replaced.
    ///   - granted: What whoever registers the hook may do, and so the target's answers, unless the body says less. A
    ///     hook that a client reads and sends back unchanged keeps its rights.
    /// - Throws: A masked value that the earlier hook does not have, or that would go to another origin.
    package func resolved(
        replacing earlier: EventHook?, granting granted: Effects = .ofAnswers
    ) throws(RepresentationError) -> Resolved {
        var faults = FaultList()
        var hook = hook
        var generated: HookSecret?
        hook.headers = headers(of: earlier, &faults)
        if let secrets {
            hook.secrets = secrets.compactMap { $0.resolved(among: earlier?.secrets ?? [], &faults) }
        } else if let earlier, !earlier.secrets.isEmpty, hook.url == nil || hook.url?.origin == earlier.url?.origin {
            hook.secrets = earlier.secrets
        } else if hook.url != nil {
            let secret = HookSecret.random()
            generated = secret
            hook.secrets = [secret]
        }
        guard faults.isEmpty else { throw RepresentationError(faults.faults) }
        if hook.url != nil {
            hook.rights = earlier?.rights ?? []
            let isKept = hook == earlier && !granted.isSuperset(of: hook.rights)
            hook.rights = rights ?? (isKept ? hook.rights : granted.intersection(.ofAnswers))
        }
        return Resolved(hook: hook, generatedSecret: generated)
    }

    private func headers(of earlier: EventHook?, _ faults: inout FaultList) -> [HookHeader] {
        hook.headers.map { header in
            guard header.value.hasPrefix(HookHeader.mask) else { return header }
            let same = earlier?.headers.first { $0.name.lowercased() == header.name.lowercased() }
            guard let same, same.shown == header.value else {
                faults.append(
                    "\(pointer)/headers/\(JSONPointer.escape(header.name))",
                    "this masked value matches no header of the hook; send the whole value")
                return header
            }
            // A hook without an address sends it nowhere.
            guard hook.url == nil || earlier?.url?.origin == hook.url?.origin else {
                faults.append(
                    "\(pointer)/headers/\(JSONPointer.escape(header.name))",
                    "this value is masked, and the hook has not led to this server until now; send the whole value")
                return header
            }
            return HookHeader(name: header.name, value: same.value)
        }
    }
}

extension EventHookDraft.SecretText {
    fileprivate func resolved(among secrets: [HookSecret], _ faults: inout FaultList) -> HookSecret? {
        switch self {
        case .whole(let secret): return secret
        case .masked(let text, let pointer):
            let matching = secrets.first { $0.masked == text }
            if matching == nil {
                faults.append(pointer, "this masked secret matches no secret of the hook; send the whole secret")
            }
            return matching
        }
    }
}
