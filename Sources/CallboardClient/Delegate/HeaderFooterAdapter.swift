import Foundation

/// The context of a header or footer adapter's closure.
@MainActor
public struct HeaderFooterContext<View: AnyObject> {
    /// The section, without its elements.
    public let section: RemoteSection
    /// The section's position in the view.
    public let index: Int
    /// Whether it is the section's header; else it is its footer.
    public let isHeader: Bool
    /// The view that shows it, where there is one.
    public let view: View?
    /// The size of the list's view.
    public let size: CGSize

    /// The title of the header or the footer.
    public var title: String? { isHeader ? section.headerTitle : section.footerTitle }
}

/// Pairs the name of a header or footer view with its class, and carries its events.
@MainActor
public final class HeaderFooterAdapter<View: AnyObject>: SupplementaryAdapter {
    /// The view's name.
    public let name: String
    /// The identifier that views are reused by; nil is the one of the director's adapter.
    public let reuseIdentifier: String?
    /// The closures, by the event.
    public var events = EventHandlers<HeaderFooterEvents, HeaderFooterContext<View>>()

    /// Makes an adapter.
    ///
    /// - Parameters:
    ///   - name: The view's name; the type's, unless given.
    ///   - reuseIdentifier: The identifier that views are reused by; the one of the director's adapter, unless given.
    ///   - configure: Sets the closures.
    public init(
        for name: String = "\(View.self)", reuseIdentifier: String? = nil, _ configure: (HeaderFooterAdapter) -> Void
    ) {
        (self.name, self.reuseIdentifier) = (name, reuseIdentifier)
        configure(self)
    }

    func take(_ event: ListNotification, _ moment: SupplementaryMoment) -> Bool {
        guard let closure = events.closure(for: event) else { return false }
        closure(context(moment))
        return true
    }

    func answer<Answer>(_ event: ListQuestion<Answer>, _ moment: SupplementaryMoment) -> Answer? {
        events.closure(for: event)?(context(moment))
    }

    private func context(_ moment: SupplementaryMoment) -> HeaderFooterContext<View> {
        HeaderFooterContext(
            section: moment.section, index: moment.index, isHeader: moment.isHeader, view: moment.view as? View,
            size: moment.size)
    }
}

/// An event at a header or footer.
struct SupplementaryMoment {
    let section: RemoteSection
    let index: Int
    let isHeader: Bool
    let view: AnyObject?
    let size: CGSize
}

/// A header or footer adapter of any view.
@MainActor
protocol SupplementaryAdapter: AnyObject {
    var name: String { get }
    var reuseIdentifier: String? { get }
    /// Gives an event to its closure; false where it has none.
    func take(_ event: ListNotification, _ moment: SupplementaryMoment) -> Bool
    /// The answer of a question's closure; nil where it has none.
    func answer<Answer>(_ event: ListQuestion<Answer>, _ moment: SupplementaryMoment) -> Answer?
}
