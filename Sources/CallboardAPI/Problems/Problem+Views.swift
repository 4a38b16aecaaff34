import Hosting
import Notation

extension Problem {
    /// There is no instance of a view for a reader: 422, 409, 429 or 503.
    ///
    /// - Parameter call: The request; directors that it may not read are not named.
    init(_ refusal: ViewRefusal, view name: String, for call: Call) {
        switch refusal {
        case .unreadable(let error):
            self = .unavailable(
                .unreadable,
                "The definition of the view \(name.quoted) cannot be read by this program (\(error)). Define it anew.")
        case .parameters(let error):
            self.init(error)
            detail = "The view's parameters: " + detail
        case .sourceParameters(let view, let error):
            let source = call.principal.has(.read, on: view) ? " \(view.quoted)" : ""
            self = .unprocessable(
                "The view \(name.quoted) follows a view\(source), whose parameters have to have defaults (\(error)).")
        case .circle(let path):
            self = .conflict("The views follow each other in a circle\(call.readable(path).chain).")
        case .tooDeep(let path):
            self = .conflict(
                "More than \(ViewInstances.maximumDepth) views follow each other\(call.readable(path).chain).")
        case .full:
            self = .unavailable(
                .overloaded,
                "The server has reached its limit for instances of views; see views.instances and views.bytes.")
        case .fullForPrincipal(let limit):
            self = .tooMany(
                "This credential has \(limit) instances of views, and may not have more. An instance ends a minute "
                    + "after its last reader.", retryAfter: 60)
        }
    }

    /// The views would follow each other in a circle: 422.
    ///
    /// - Parameter path: The views; empty where they are not to be named.
    static func circle(_ path: [String], pointer: String) -> Problem {
        let detail = "the views would follow each other in a circle\(path.chain)"
        return .unprocessable(
            "The views would follow each other in a circle\(path.chain).",
            faults: [.init(pointer: pointer, detail: detail)])
    }

    /// The instance has ended while somebody waited for it: 503.
    static func viewHasEnded(_ name: String) -> Problem {
        .unavailable(.notLoaded, "The view \(name.quoted) or its source has just become another one. Ask again.")
    }

    /// Parameters are bound on a director that is no view: 422.
    static func withoutParameters(_ name: String) -> Problem {
        .unprocessable("The director \(name.quoted) is no view, and has no parameters.")
    }

    /// The content that the request would change follows from another director: 409.
    static func derived(_ view: HostedView) -> Problem {
        Problem(
            .derived,
            "The director is a view of \(view.source.quoted), and its content follows from that one; change "
                + "\(view.source.quoted)."
        ).tellingContent
    }
}

extension [String] {
    /// The names behind a colon, in the order in which each follows the next; nothing for none.
    fileprivate var chain: String { isEmpty ? "" : ": " + map(\.quoted).joined(separator: " from ") }
}

extension Call {
    /// Names of directors, if the client may read all of them; none otherwise.
    func readable(_ names: [String]) -> [String] {
        names.allSatisfy { principal.has(.read, on: $0) } ? names : []
    }
}
