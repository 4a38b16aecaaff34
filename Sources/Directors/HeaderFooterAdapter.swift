/// Names a view that sections show as their header or footer (FlowKit's `HeaderFooterAdapter`).
package struct HeaderFooterAdapter: Hashable, Sendable {
    /// The name of the view.
    package let view: String

    /// What the client dequeues the view by; its name unless said otherwise.
    package let reuseIdentifier: String

    /// Where the client finds the view.
    package let viewSource: ViewSource

    /// Makes an adapter; the names are taken as they are.
    package init(view: String, reuseIdentifier: String? = nil, viewSource: ViewSource = .storyboard) {
        self.view = view
        self.reuseIdentifier = reuseIdentifier ?? view
        self.viewSource = viewSource
    }
}
