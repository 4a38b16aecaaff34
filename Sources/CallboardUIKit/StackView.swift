import CallboardClient
import Foundation

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

/// The rows of a stack, which fill a scroll view.
final class StackView: UIStackView {
    /// Called after each layout.
    var onLayout: (() -> Void)?
    private var width: NSLayoutConstraint?
    private var height: NSLayoutConstraint?

    /// Becomes the content of a scroll view.
    func fill(_ scrollView: UIScrollView) {
        translatesAutoresizingMaskIntoConstraints = false
        scrollView.addSubview(self)
        let (content, frame) = (scrollView.contentLayoutGuide, scrollView.frameLayoutGuide)
        width = widthAnchor.constraint(equalTo: frame.widthAnchor)
        height = heightAnchor.constraint(equalTo: frame.heightAnchor)
        NSLayoutConstraint.activate([
            topAnchor.constraint(equalTo: content.topAnchor), bottomAnchor.constraint(equalTo: content.bottomAnchor),
            leadingAnchor.constraint(equalTo: content.leadingAnchor),
            trailingAnchor.constraint(equalTo: content.trailingAnchor),
        ])
    }

    /// Sets the direction of the rows, which in the other one are as long as the scroll view.
    func setDirection(isHorizontal: Bool) {
        axis = isHorizontal ? .horizontal : .vertical
        width?.isActive = !isHorizontal
        height?.isActive = isHorizontal
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        onLayout?()
    }
}

extension UIScrollView {
    /// The offset that brings a part of the content to a position.
    func offset(of part: CGRect, at position: ScrollCommand.Position, isHorizontal: Bool) -> CGPoint {
        let inset = adjustedContentInset
        guard isHorizontal else {
            let y = position.offset(
                showing: part.minY...part.maxY, from: contentOffset.y + inset.top,
                window: bounds.height - inset.top - inset.bottom, content: contentSize.height)
            return CGPoint(x: contentOffset.x, y: y - inset.top)
        }
        let x = position.offset(
            showing: part.minX...part.maxX, from: contentOffset.x + inset.left,
            window: bounds.width - inset.left - inset.right, content: contentSize.width)
        return CGPoint(x: x - inset.left, y: contentOffset.y)
    }
}
