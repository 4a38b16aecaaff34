import CallboardClient
import Foundation
import ListDiff
import ListDiffUIKit

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

extension RemoteListDirector {
    /// The configuration of the menu of a long press on cells; nil for no menu.
    func menuConfiguration(at indexPaths: [IndexPath], point: CGPoint) -> UIContextMenuConfiguration? {
        delegate.contextMenu(at: indexPaths.map { ElementPath($0) }, point: point).map { menu in
            UIContextMenuConfiguration(identifier: MenuIdentifier(menu), previewProvider: nil) { _ in
                UIMenu(children: menu.actions.map { action in UIAction(action) { menu.perform(action) } })
            }
        }
    }
}

/// Names a menu in its configuration, so that it is found again once UIKit tells of it.
private final class MenuIdentifier: NSObject, NSCopying {
    let menu: ContextMenu

    init(_ menu: ContextMenu) { self.menu = menu }

    func copy(with zone: NSZone? = nil) -> Any { self }
}

extension UIContextMenuConfiguration {
    /// The menu that the configuration shows, where a director has made it.
    var menu: ContextMenu? { (identifier as? MenuIdentifier)?.menu }
}

extension UIAction {
    /// The action as UIKit shows it.
    fileprivate convenience init(_ action: MenuAction, _ perform: @escaping () -> Void) {
        self.init(
            title: action.title ?? "", image: action.image.flatMap { UIImage(named: $0) },
            identifier: action.identifier.map { Identifier($0) },
            attributes: action.isDestructive ? .destructive : []
        ) { _ in perform() }
    }
}
