import Hosting
import Notation

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
    static func circle(_ path: [String], pointer: String) -> Problem {
        let detail = "the views would follow each other in a circle: \(path.chain)"
        return .unprocessable(
            "The views would follow each other in a circle: \(path.chain).",
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

    /// What the request would change follows from another director: 409.
    static func derived(_ view: HostedView) -> Problem {
        Problem(
            .derived,
            "The director is a view of \(view.source.quoted), and its content follows from that one; change "
                + "\(view.source.quoted).")
    }

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
