import Foundation
import ListDiff

/// The type of a question's answer: what a closure returns, and what the server's answer is read as.
public protocol EventValue: Sendable {
    /// Reads the server's answer; nil where it has another form.
    init?(answer: JSON)
}

extension Bool: EventValue {
    /// Reads `true` or `false`.
    public init?(answer: JSON) {
        guard let value = answer.boolValue else { return nil }
        self = value
    }
}

extension Int: EventValue {
    /// Reads a whole number.
    public init?(answer: JSON) {
        guard let value = answer.intValue else { return nil }
        self = value
    }
}

extension CGFloat: EventValue {
    /// Reads a number of points; -1 is UIKit's `automaticDimension`.
    public init?(answer: JSON) {
        guard let value = answer.doubleValue, value.isFinite else { return nil }
        self = value
    }
}

extension CGSize: EventValue {
    /// Reads `{"width", "height"}` in points.
    public init?(answer: JSON) {
        guard let width = answer["width"]?.doubleValue, let height = answer["height"]?.doubleValue,
            width >= 0, height >= 0, width.isFinite, height.isFinite
        else { return nil }
        self.init(width: width, height: height)
    }
}

extension CGPoint: EventValue {
    /// Reads `{"x", "y"}` in points.
    public init?(answer: JSON) {
        guard let x = answer["x"]?.doubleValue, let y = answer["y"]?.doubleValue, x.isFinite, y.isFinite else {
            return nil
        }
        self.init(x: x, y: y)
    }
}

extension String: EventValue {
    /// Reads a text.
    public init?(answer: JSON) {
        guard let value = answer.stringValue else { return nil }
        self = value
    }
}

extension ElementPath: EventValue {
    /// Reads `[section, element]`.
    public init?(answer: JSON) {
        guard let parts = answer.arrayValue, parts.count == 2, let section = parts[0].intValue,
            let element = parts[1].intValue, section >= 0, element >= 0
        else { return nil }
        self.init(section: section, element: element)
    }
}

extension Optional: EventValue where Wrapped: EventValue {
    /// Reads `null`, or what there may be.
    public init?(answer: JSON) {
        if answer.isNull {
            self = Wrapped?.none
        } else if let value = Wrapped(answer: answer) {
            self = value
        } else {
            return nil
        }
    }
}

extension Array: EventValue where Element: EventValue {
    /// Reads an array, each of whose items can be read.
    public init?(answer: JSON) {
        guard let items = answer.arrayValue else { return nil }
        let values = items.compactMap(Element.init(answer:))
        guard values.count == items.count else { return nil }
        self = values
    }
}

/// Which control a row shows while its table is edited (`UITableViewCell.EditingStyle`).
public enum EditStyle: String, EventValue {
    /// None.
    case none
    /// One that deletes the row.
    case delete
    /// One that inserts a row.
    case insert

    /// Reads the style's name.
    public init?(answer: JSON) {
        guard let style = answer.stringValue.flatMap(EditStyle.init(rawValue:)) else { return nil }
        self = style
    }
}

/// The action on a row's selection once the user has selected the row (FlowKit's `TableAdapterCellAction`).
public enum AfterSelection: String, Sendable {
    /// The row stays selected.
    case none
    /// The row is deselected at once.
    case deselect
    /// The row is deselected with an animation.
    case deselectAnimated
}

extension JSON {
    /// A length in points; one that is no number is null.
    public init(_ length: CGFloat) { self.init(floatLiteral: Double(length)) }

    /// A size as the wire has it.
    public init(_ size: CGSize) { self = ["width": JSON(size.width), "height": JSON(size.height)] }

    /// A point as the wire has it.
    public init(_ point: CGPoint) { self = ["x": JSON(point.x), "y": JSON(point.y)] }
}
