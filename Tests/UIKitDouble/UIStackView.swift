// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// The declarations are UIKit's, and have its documentation.

import Foundation

@MainActor
public final class NSLayoutConstraint: NSObject {
    public let constant: CGFloat
    let isWidth: Bool
    private weak var view: UIView?

    init(_ view: UIView?, isWidth: Bool, constant: CGFloat) {
        (self.view, self.isWidth, self.constant) = (view, isWidth, constant)
    }

    public var isActive = false {
        didSet {
            view?.lengths.removeAll { $0 === self }
            if isActive { view?.lengths.append(self) }
        }
    }

    public static func activate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = true }
    }

    public static func deactivate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.isActive = false }
    }
}

@MainActor
public class NSLayoutAnchor: NSObject {
    public func constraint(equalTo anchor: NSLayoutAnchor) -> NSLayoutConstraint {
        NSLayoutConstraint(nil, isWidth: false, constant: 0)
    }
}

@MainActor
public final class NSLayoutDimension: NSLayoutAnchor {
    private weak var view: UIView?
    private let isWidth: Bool

    init(_ view: UIView?, isWidth: Bool) { (self.view, self.isWidth) = (view, isWidth) }

    public func constraint(equalToConstant constant: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint(view, isWidth: isWidth, constant: constant)
    }
}

@MainActor
public final class UILayoutGuide: NSObject {
    public let topAnchor = NSLayoutAnchor()
    public let bottomAnchor = NSLayoutAnchor()
    public let leadingAnchor = NSLayoutAnchor()
    public let trailingAnchor = NSLayoutAnchor()
    public let widthAnchor = NSLayoutDimension(nil, isWidth: true)
    public let heightAnchor = NSLayoutDimension(nil, isWidth: false)
}

extension UIView {
    public var topAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    public var bottomAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    public var leadingAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    public var trailingAnchor: NSLayoutAnchor { NSLayoutAnchor() }
    public var widthAnchor: NSLayoutDimension { NSLayoutDimension(self, isWidth: true) }
    public var heightAnchor: NSLayoutDimension { NSLayoutDimension(self, isWidth: false) }

    /// How long the view is in a direction: as a constraint says, else as its content is, else 40 points.
    func length(horizontally: Bool) -> CGFloat {
        if isHidden { return 0 }
        if let length = lengths.last(where: { $0.isWidth == horizontally }) { return length.constant }
        guard let stack = self as? UIStackView else { return 40 }
        let parts = stack.arrangedSubviews.map { $0.length(horizontally: horizontally) }
        let isAlong = (stack.axis == .horizontal) == horizontally
        let margins = stack.isLayoutMarginsRelativeArrangement ? stack.layoutMargins : UIEdgeInsets()
        let around = horizontally ? margins.left + margins.right : margins.top + margins.bottom
        return around + (isAlong ? parts.reduce(0, +) : parts.max() ?? 0)
    }
}

@MainActor
open class UIStackView: UIView {
    public var axis = NSLayoutConstraint.Axis.horizontal
    public var isLayoutMarginsRelativeArrangement = false
    public var arrangedSubviews: [UIView] { arranged.filter { $0.superview === self } }
    private var arranged: [UIView] = []

    public func addArrangedSubview(_ view: UIView) { insertArrangedSubview(view, at: arrangedSubviews.count) }

    public func insertArrangedSubview(_ view: UIView, at stackIndex: Int) {
        arranged = arrangedSubviews.filter { $0 !== view }
        arranged.insert(view, at: stackIndex)
        if view.superview !== self { addSubview(view) }
    }

    /// Lays out the arranged views one behind the other, in a scroll view of a size.
    func layOut(in size: CGSize) {
        let isHorizontal = axis == .horizontal
        var end: CGFloat = 0
        for view in arrangedSubviews {
            let length = view.length(horizontally: isHorizontal)
            view.frame =
                isHorizontal
                ? CGRect(x: end, y: 0, width: length, height: size.height)
                : CGRect(x: 0, y: end, width: size.width, height: length)
            view.bounds = CGRect(origin: .zero, size: view.frame.size)
            end += length
        }
        frame.size =
            isHorizontal
            ? CGSize(width: end, height: size.height) : CGSize(width: size.width, height: end)
    }
}

extension NSLayoutConstraint {
    public enum Axis: Int, Sendable {
        case horizontal
        case vertical
    }
}
