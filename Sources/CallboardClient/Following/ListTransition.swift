import ListDiff

/// A step from what a ``FollowedList`` has shown to what it shows now.
public struct ListTransition: Sendable {
    /// What has changed.
    public enum Change: Sendable {
        /// Everything, at once: the first list, or one of which no difference was made.
        case reloaded
        /// The sections, by stages that `performBatchUpdates` takes one after the other.
        case staged(StagedChangeset<RemoteSection>, animations: ListAnimations)
        /// Nothing; the cells at some paths are to be drawn anew, or all that are shown where there are none.
        case refreshed([ElementPath]?)
        /// Nothing; the element at a path is to be brought into view.
        case scrolled(ElementPath, ScrollCommand)
        /// The definition: properties, adapters or hooks.
        case redefined
    }

    /// What has changed.
    public let change: Change
    /// The sections before the step.
    public let before: [RemoteSection]
    /// The sections after it.
    public let after: [RemoteSection]
}

/// Whether a followed list is what the server has.
public enum ListStatus: Sendable, Hashable {
    /// The first connection is being made; nothing has come yet, but for what a ``ListStore`` has kept.
    case connecting
    /// The stream runs: the list is what the server has, but for what is on its way.
    case live
    /// The stream is interrupted and will be resumed; the list may be old.
    case stale
    /// The director is gone; the list stays as it was.
    case over
    /// The stream has failed for good, such as for a right that is missing.
    case failed(ClientError)
}

/// An element that the app could not show, and why.
public struct ElementFault: Sendable, Hashable {
    /// The identifier of the element's section.
    public let section: String
    /// The element's identifier.
    public let element: String
    /// The element's model; nil for a constant row.
    public let model: String?
    /// What is wrong, in words.
    public let reason: String
}
