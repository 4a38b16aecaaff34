import HTTPClient
import Webhooks

/// A setting of event hooks that means nothing.
package struct HooksConfigurationError: Error, Sendable, CustomStringConvertible {
    /// The name of the setting and its fault.
    package let description: String
}

extension HooksConfiguration {
    /// The fault of `hooks.allow`; nil without one.
    package var allowFault: String? {
        do {
            _ = try rules(isLocal: false)
            return nil
        } catch {
            return error.description
        }
    }

    /// The rules that `hooks.allow` stands for.
    ///
    /// - Parameter isLocal: Whether the server can be reached from this machine only.
    package func rules(isLocal: Bool) throws(HooksConfigurationError) -> [AddressRule] {
        var rules: [AddressRule] = []
        // An empty variable of the environment is one empty text, and means nothing at all.
        for text in allow where !text.isEmpty {
            if text == Self.automatic {
                if isLocal { rules.append(.loopback) }
                continue
            }
            do {
                rules.append(try AddressRule(text))
            } catch {
                throw HooksConfigurationError(description: "hooks.allow: \(error), nor auto")
            }
        }
        return rules
    }

    /// The settings of the transport.
    func transport(version: String, trust: TLSContextHook) -> HTTPClientConfiguration {
        var transport = HTTPClientConfiguration(version: version)
        transport.concurrencyPerTarget = concurrency
        transport.maxAnswerBytes = maxAnswerBytes
        transport.trust = trust
        return transport
    }

    /// The settings of the dispatcher.
    var dispatcher: DispatcherSettings {
        var settings = DispatcherSettings()
        settings.schedule = RetrySchedule(delays: retryDelays)
        settings.maximumWaitingPerHook = maxPending
        settings.maximumWaiting.count = maxPendingTotal
        settings.retainedDead.count = retainedDead
        settings.retainedDeadPerHook = (retainedDead + 19) / 20
        settings.notificationTimeout = notificationTimeout
        settings.questionTimeout = questionTimeout
        return settings
    }
}
