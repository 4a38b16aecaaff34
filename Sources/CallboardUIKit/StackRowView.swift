import CallboardClient
import Foundation

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

/// A row of a stack: a cell with margins inside and outside, and the line behind it.
final class StackRowView: UIStackView {
    /// The view that shows the element.
    private(set) var cell = UIView()
    /// Called at each step of a touch.
    var onTouch: ((RowTouch) -> Void)?
    /// Whether the row has the colour of one that is touched.
    var isHighlighted = false { didSet { showColor() } }

    private let margins = UIStackView()
    private let content = UIStackView()
    private let lineMargins = UIStackView()
    private let line = UIView()
    private var color: UIColor?
    private var highlightColor: UIColor?
    private var lengths: [NSLayoutConstraint] = []

    /// Takes the view that shows the element.
    func hold(_ cell: UIView) {
        self.cell = cell
        content.addArrangedSubview(cell)
        margins.addArrangedSubview(content)
        lineMargins.addArrangedSubview(line)
        for box in [margins, content, lineMargins] { box.isLayoutMarginsRelativeArrangement = true }
        addArrangedSubview(margins)
        addArrangedSubview(lineMargins)
    }

    /// Shows a style.
    ///
    /// - Parameters:
    ///   - style: The style.
    ///   - separator: The line behind the row; nil for none. By itself it is 1 point thick, and has UIKit's colour.
    ///   - length: How long the row is in the direction of the stack; nil for as long as its content.
    ///   - isHorizontal: Whether the stack goes from one side to the other.
    func show(_ style: RowStyle, _ separator: RowSeparator?, length: CGFloat?, isHorizontal: Bool) {
        axis = isHorizontal ? .horizontal : .vertical
        margins.layoutMargins = UIEdgeInsets(style.rowInsets)
        content.layoutMargins = UIEdgeInsets(style.rowPadding)
        color = style.backgroundColor.flatMap(UIColor.init(callboard:))
        highlightColor = style.highlightColor.flatMap(UIColor.init(callboard:))
        showColor()
        lineMargins.isHidden = separator == nil
        lineMargins.layoutMargins = UIEdgeInsets(separator?.insets)
        line.backgroundColor = separator?.color.flatMap(UIColor.init(callboard:)) ?? .separator
        NSLayoutConstraint.deactivate(lengths)
        // A hidden line has no length of its own: UIKit gives it none.
        lengths = [
            separator.map { line.length(CGFloat($0.thickness ?? 1), isHorizontal) },
            length.map { self.length($0, isHorizontal) },
        ].compactMap(\.self)
        NSLayoutConstraint.activate(lengths)
    }

    private func showColor() { content.backgroundColor = isHighlighted ? highlightColor ?? color : color }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { onTouch?(.began) }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        onTouch?(touches.contains { bounds.contains($0.location(in: self)) } ? .tapped : .cancelled)
    }

    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) { onTouch?(.cancelled) }
}

extension UIView {
    fileprivate func length(_ length: CGFloat, _ isHorizontal: Bool) -> NSLayoutConstraint {
        (isHorizontal ? widthAnchor : heightAnchor).constraint(equalToConstant: length)
    }
}

extension UIEdgeInsets {
    /// Distances as a style has them; 0 where it says none.
    init(_ distances: EdgeDistances?) {
        self.init(
            top: distances?.top ?? 0, left: distances?.left ?? 0, bottom: distances?.bottom ?? 0,
            right: distances?.right ?? 0)
    }
}
