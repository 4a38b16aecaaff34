import Notation

/// Names a view that sections show as their header or footer (FlowKit's `HeaderFooterAdapter`); ``fields`` has what each
/// property means.
package struct HeaderFooterAdapter: Hashable, Sendable {
    @Verbatim package private(set) var view: String
    @Verbatim package private(set) var reuseIdentifier: String
    package private(set) var viewSource: ViewSource

    /// Makes an adapter; the names are taken as they are, and the reuse identifier is the view's name unless given.
    package init(view: String, reuseIdentifier: String? = nil, viewSource: ViewSource = .storyboard) {
        self.view = view
        self.reuseIdentifier = reuseIdentifier ?? view
        self.viewSource = viewSource
    }
}

extension HeaderFooterAdapter {
    /// The members of a header/footer adapter.
    package static let fields = Fields<HeaderFooterAdapter>("a header/footer adapter", others: [.events]) {
        Field("view", \.view, .elsewhere(.name), "The name of the view; the path's, where it is given.")
        Field(
            "reuseIdentifier", \.reuseIdentifier, .nullable(.name),
            "The identifier by which the client dequeues the view; its name unless given.")
        Field("viewSource", \.viewSource, .elsewhere(.viewSource), "The source from which the client loads the view.")
    }
}
