// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// The declarations are UIKit's, and have its documentation.

import Foundation

// Declarations of UIKit's own names, as far as the layer over it uses them, for machines that have no UIKit. A test drives
// the views: they call what UIKit calls, in UIKit's order.

@MainActor
open class UIResponder: NSObject {
    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {}
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {}
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {}
}

@MainActor
public final class UITouch: NSObject {
    private let place: CGPoint

    /// Makes a touch at a place of whatever view asks.
    public init(at place: CGPoint) { self.place = place }

    public func location(in view: UIView?) -> CGPoint { place }
}

@MainActor
public final class UIEvent: NSObject {}

@MainActor
open class UIView: UIResponder {
    open var window: UIWindow?
    open var bounds = CGRect(x: 0, y: 0, width: 320, height: 480)
    public var frame = CGRect.zero
    public var backgroundColor: UIColor?
    public var isHidden = false
    public var layoutMargins = UIEdgeInsets()
    public var translatesAutoresizingMaskIntoConstraints = true
    public private(set) weak var superview: UIView?
    public internal(set) var subviews: [UIView] = []
    /// The constraints of a constant length that are active.
    var lengths: [NSLayoutConstraint] = []

    override public required init() { super.init() }

    public static func performWithoutAnimation(_ actions: () -> Void) { actions() }
    public static func animate(withDuration duration: TimeInterval, animations: @escaping () -> Void) { animations() }

    public func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
    }

    open func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }

    open func layoutIfNeeded() {}
    open func layoutSubviews() {}
}

@MainActor
public final class UIWindow: UIView {}

@MainActor
open class UIViewController: UIResponder {}

@MainActor
public protocol UIScrollViewDelegate: AnyObject {
    func scrollViewDidScroll(_ scrollView: UIScrollView)
    func scrollViewDidZoom(_ scrollView: UIScrollView)
    func scrollViewWillBeginDragging(_ scrollView: UIScrollView)
    func scrollViewWillEndDragging(
        _ scrollView: UIScrollView, withVelocity velocity: CGPoint, targetContentOffset: UnsafeMutablePointer<CGPoint>)
    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool)
    func scrollViewWillBeginDecelerating(_ scrollView: UIScrollView)
    func scrollViewDidEndDecelerating(_ scrollView: UIScrollView)
    func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView)
    func scrollViewWillBeginZooming(_ scrollView: UIScrollView, with view: UIView?)
    func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat)
    func scrollViewShouldScrollToTop(_ scrollView: UIScrollView) -> Bool
    func scrollViewDidScrollToTop(_ scrollView: UIScrollView)
    func scrollViewDidChangeAdjustedContentInset(_ scrollView: UIScrollView)
}

extension UIScrollViewDelegate {
    public func scrollViewDidScroll(_ scrollView: UIScrollView) {}
    public func scrollViewDidZoom(_ scrollView: UIScrollView) {}
    public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {}
    public func scrollViewWillEndDragging(
        _ scrollView: UIScrollView, withVelocity velocity: CGPoint, targetContentOffset: UnsafeMutablePointer<CGPoint>
    ) {}
    public func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {}
    public func scrollViewWillBeginDecelerating(_ scrollView: UIScrollView) {}
    public func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {}
    public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {}
    public func scrollViewWillBeginZooming(_ scrollView: UIScrollView, with view: UIView?) {}
    public func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) {}
    public func scrollViewShouldScrollToTop(_ scrollView: UIScrollView) -> Bool { true }
    public func scrollViewDidScrollToTop(_ scrollView: UIScrollView) {}
    public func scrollViewDidChangeAdjustedContentInset(_ scrollView: UIScrollView) {}
}

/// The delegate of a scroll view that is no table and no collection: those have one of another type by the same name.
public struct ScrollDelegation {
    public weak var delegate: (any UIScrollViewDelegate)?
}

@MainActor @dynamicMemberLookup
open class UIScrollView: UIView {
    private var delegation = ScrollDelegation()
    public let contentLayoutGuide = UILayoutGuide()
    public let frameLayoutGuide = UILayoutGuide()
    public var contentSize = CGSize.zero
    public var contentOffset = CGPoint.zero { didSet { bounds.origin = contentOffset } }
    public var zoomScale: CGFloat = 1
    public var adjustedContentInset = UIEdgeInsets()
    public var isPrefetchingEnabled = true

    public subscript<Value>(dynamicMember path: WritableKeyPath<ScrollDelegation, Value>) -> Value {
        get { delegation[keyPath: path] }
        set { delegation[keyPath: path] = newValue }
    }

    public func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {
        self.contentOffset = contentOffset
        delegation.delegate?.scrollViewDidScroll(self)
    }

    /// Lays out the stacks that fill the scroll view.
    override open func layoutIfNeeded() {
        for stack in subviews.compactMap({ $0 as? UIStackView }) {
            stack.layOut(in: bounds.size)
            contentSize = stack.frame.size
            stack.layoutSubviews()
        }
    }
}

public struct UIEdgeInsets: Equatable, Sendable {
    public var top: CGFloat = 0
    public var left: CGFloat = 0
    public var bottom: CGFloat = 0
    public var right: CGFloat = 0

    public init() {}

    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
}

public final class UIColor: NSObject, Sendable {
    public let name: String?
    public let components: [CGFloat]

    public init?(named name: String) {
        self.name = name
        components = []
    }

    public static let separator = UIColor(red: 0, green: 0, blue: 0, alpha: 0.3)

    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        name = nil
        components = [red, green, blue, alpha]
    }
}

public final class UIImage: NSObject, Sendable {
    public let name: String

    public init?(named name: String) { self.name = name }
}

@MainActor
public final class UIContextualAction: NSObject {
    public enum Style: Sendable {
        case normal
        case destructive
    }

    public typealias Handler = (UIContextualAction, UIView, @escaping (Bool) -> Void) -> Void

    public let style: Style
    public let title: String?
    public let handler: Handler
    public var backgroundColor: UIColor?
    public var image: UIImage?

    public init(style: Style, title: String?, handler: @escaping Handler) {
        (self.style, self.title, self.handler) = (style, title, handler)
        super.init()
    }
}

@MainActor
public final class UISwipeActionsConfiguration: NSObject {
    public let actions: [UIContextualAction]
    public var performsFirstActionWithFullSwipe = true

    public init(actions: [UIContextualAction]) {
        self.actions = actions
        super.init()
    }
}

@MainActor
public protocol UISpringLoadedInteractionContext: AnyObject {}

public struct Selector: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ name: String) { description = name }
}

public func NSStringFromSelector(_ selector: Selector) -> String { selector.description }

extension IndexPath {
    public init(row: Int, section: Int) { self = [section, row] }
    public init(item: Int, section: Int) { self = [section, item] }
    public var section: Int { self[0] }
    public var row: Int { self[1] }
    public var item: Int { self[1] }
}
