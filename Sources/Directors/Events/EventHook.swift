import JSONValues
import Notation

/// The destination of an event: the target that is called instead of FlowKit's closure, and the way to call it.
///
/// A hook without an address is called nowhere: it stands on a question, and its default is the answer.
package struct EventHook: Hashable, Sendable {
    /// The largest number of secrets: the current one and its predecessors, for receivers that still use an earlier
    /// one.
    package static let maximumSecrets = 8
    /// The longest reason for a hook to be disabled, in characters.
    package static let maximumReasonLength = 1000

    /// The target's address; nil for a question that is answered with the default alone.
    package var url: HookURL?
    /// The keys that each call is signed with, all of them; at least one where there is an address.
    package var secrets: [HookSecret]
    /// How long a call may take, waiting included; nil for the server's setting.
    package var timeout: Duration?
    /// The answer to a question if the target does not answer; nil for UIKit's default. Of the event's type.
    package var defaultAnswer: JSONValue?
    /// Fields that are sent besides those of the protocol, in the order of their names.
    package var headers: [HookHeader]
    /// The time within which the latest of several notifications stands for all; nil where each is delivered.
    package var coalesce: Duration?
    /// When a source is asked for elements; nil for at each reload that a request asks for.
    package var every: SourceTime?
    /// Whether a question is asked once for each element and version.
    package var isCached: Bool
    /// The rights of the target's answers, granted when the hook was registered.
    package var rights: Effects
    /// Why nothing is sent: the target said so, or who registered it; nil for a hook that is in use.
    @Verbatim package var disabledReason: String?

    /// Makes a hook; what is given has been checked.
    package init(
        url: HookURL?, secrets: [HookSecret], timeout: Duration? = nil, defaultAnswer: JSONValue? = nil,
        headers: [HookHeader] = [], coalesce: Duration? = nil, every: SourceTime? = nil, isCached: Bool = false,
        rights: Effects = .ofAnswers,
        disabledReason: String? = nil
    ) {
        self.url = url
        self.secrets = secrets
        self.timeout = timeout
        self.defaultAnswer = defaultAnswer
        self.headers = headers
        self.coalesce = coalesce
        self.every = every
        self.isCached = isCached
        self.rights = rights
        self.disabledReason = disabledReason
    }

    /// Whether nothing is sent.
    package var isDisabled: Bool {
        disabledReason != nil
    }
}
