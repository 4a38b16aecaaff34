/// Where a client finds the view that an adapter speaks of.
package enum ViewSource: Hashable, Sendable {
    /// A prototype in the storyboard.
    case storyboard
    /// The view's class.
    case `class`
    /// An interface file; the bundle is the client's main one where none is named.
    case xib(name: String, bundle: String?)
}
