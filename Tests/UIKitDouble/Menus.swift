// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// The declarations are UIKit's, and have its documentation.

import Foundation

@MainActor
open class UIMenuElement: NSObject {
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let disabled = Attributes(rawValue: 1)
        public static let destructive = Attributes(rawValue: 2)
        public static let hidden = Attributes(rawValue: 4)
    }

    public enum State: Int, Sendable {
        case off
        case on
        case mixed
    }

    public let title: String
    public let image: UIImage?

    init(_ title: String, _ image: UIImage?) {
        (self.title, self.image) = (title, image)
        super.init()
    }
}

public typealias UIActionHandler = (UIAction) -> Void

@MainActor
open class UIAction: UIMenuElement {
    public struct Identifier: Hashable, Sendable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    public let identifier: Identifier?
    public let attributes: Attributes
    let handler: UIActionHandler

    public init(
        title: String = "", image: UIImage? = nil, identifier: Identifier? = nil, discoverabilityTitle: String? = nil,
        attributes: Attributes = [], state: State = .off, handler: @escaping UIActionHandler
    ) {
        (self.identifier, self.attributes, self.handler) = (identifier, attributes, handler)
        super.init(title, image)
    }
}

@MainActor
open class UIMenu: UIMenuElement {
    public struct Identifier: Hashable, Sendable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    public let children: [UIMenuElement]

    public init(
        title: String = "", image: UIImage? = nil, identifier: Identifier? = nil, options: Options = [],
        children: [UIMenuElement] = []
    ) {
        self.children = children
        super.init(title, image)
    }
}

public typealias UIContextMenuContentPreviewProvider = () -> UIViewController?
public typealias UIContextMenuActionProvider = ([UIMenuElement]) -> UIMenu?

@MainActor
open class UIContextMenuConfiguration: NSObject {
    public let identifier: any NSCopying
    let actionProvider: UIContextMenuActionProvider?

    public init(
        identifier: (any NSCopying)?, previewProvider: UIContextMenuContentPreviewProvider? = nil,
        actionProvider: UIContextMenuActionProvider? = nil
    ) {
        // UIKit keeps a copy.
        self.identifier = identifier?.copy(with: nil) as? any NSCopying ?? NSString(string: "")
        self.actionProvider = actionProvider
        super.init()
    }
}

@MainActor
public protocol UIContextMenuInteractionAnimating: AnyObject {}

@MainActor
public protocol UIContextMenuInteractionCommitAnimating: UIContextMenuInteractionAnimating {}

/// A menu that a long press has brought up, which a test chooses from.
@MainActor
public struct ShownMenu {
    private final class Animator: UIContextMenuInteractionCommitAnimating {}

    /// The actions of the menu.
    public let actions: [UIAction]
    private let preview: (any UIContextMenuInteractionCommitAnimating) -> Void

    init?(
        _ configuration: UIContextMenuConfiguration?,
        willDisplay: (UIContextMenuConfiguration, (any UIContextMenuInteractionAnimating)?) -> Void,
        preview: @escaping (UIContextMenuConfiguration, any UIContextMenuInteractionCommitAnimating) -> Void
    ) {
        guard let configuration else { return nil }
        actions = (configuration.actionProvider?([])?.children ?? []).compactMap { $0 as? UIAction }
        self.preview = { preview(configuration, $0) }
        willDisplay(configuration, Animator())
    }

    /// Chooses an action.
    public func choose(_ index: Int) { actions[index].handler(actions[index]) }

    /// Taps the preview.
    public func tapPreview() { preview(Animator()) }
}

extension UITableView {
    /// Presses a row for long; nil where no menu comes up.
    public func press(_ path: IndexPath, at point: CGPoint = .zero) -> ShownMenu? {
        ShownMenu(
            delegate?.tableView(self, contextMenuConfigurationForRowAt: path, point: point),
            willDisplay: { delegate?.tableView(self, willDisplayContextMenu: $0, animator: $1) },
            preview: { self.delegate?.tableView(self, willPerformPreviewActionForMenuWith: $0, animator: $1) })
    }

    /// Begins to pan with two fingers; false where that selects nothing.
    public func pan(from path: IndexPath) -> Bool {
        guard let delegate, delegate.tableView(self, shouldBeginMultipleSelectionInteractionAt: path) else {
            return false
        }
        delegate.tableView(self, didBeginMultipleSelectionInteractionAt: path)
        return true
    }
}

extension UICollectionView {
    /// Presses items for long; nil where no menu comes up.
    public func press(_ paths: [IndexPath], at point: CGPoint = .zero) -> ShownMenu? {
        ShownMenu(
            delegate?.collectionView(self, contextMenuConfigurationForItemsAt: paths, point: point),
            willDisplay: { delegate?.collectionView(self, willDisplayContextMenu: $0, animator: $1) },
            preview: { self.delegate?.collectionView(self, willPerformPreviewActionForMenuWith: $0, animator: $1) })
    }

    /// Begins to pan with two fingers; false where that selects nothing.
    public func pan(from path: IndexPath) -> Bool {
        guard let delegate, delegate.collectionView(self, shouldBeginMultipleSelectionInteractionAt: path) else {
            return false
        }
        delegate.collectionView(self, didBeginMultipleSelectionInteractionAt: path)
        return true
    }
}
