import CallboardClient
import Foundation

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import UIKitDouble
#endif

extension UIDragItem {
    /// An item of a list, as UIKit drags it: with its text for other apps, and itself for views of this app.
    convenience init(_ dragged: DraggedItem) {
        let type = dragged.item.type ?? DragItem.plainText
        let text = dragged.item.text.map { NSItemProvider(item: NSString(string: $0), typeIdentifier: type) }
        self.init(itemProvider: text ?? NSItemProvider())
        localObject = dragged
    }

    /// The item of a list; for one of another app, its type, and its text once that has been read.
    var dragged: DraggedItem {
        localObject as? DraggedItem
            ?? DraggedItem(type: itemProvider.registeredTypeIdentifiers.first) { [itemProvider] in
                await itemProvider.text()
            }
    }
}

extension UIDragDropSession {
    /// What is dragged.
    var dragged: [DraggedItem] { items.map(\.dragged) }
}

extension NSItemProvider {
    /// Reads the item as a text; nil where it has none.
    @MainActor
    fileprivate func text() async -> String? {
        await withCheckedContinuation { continuation in
            _ = loadObject(ofClass: String.self) { text, _ in continuation.resume(returning: text) }
        }
    }
}

extension DropProposal.Operation {
    /// UIKit's operation by its name.
    init(_ operation: UIDropOperation) { self = Self.allCases.first { $0.uiKit == operation } ?? .cancel }

    /// The operation as UIKit has it.
    var uiKit: UIDropOperation {
        switch self {
        case .cancel: .cancel
        case .forbidden: .forbidden
        case .copy: .copy
        case .move: .move
        }
    }
}

extension UITableViewDropProposal {
    /// A proposal as UIKit has it.
    convenience init(_ proposal: DropProposal) {
        self.init(operation: proposal.operation.uiKit, intent: proposal.intent.inTable)
    }

    /// The proposal by its names.
    var proposal: DropProposal {
        DropProposal(.init(operation), DropProposal.Intent.allCases.first { $0.inTable == intent } ?? .unspecified)
    }
}

extension UICollectionViewDropProposal {
    /// A proposal as UIKit has it.
    convenience init(_ proposal: DropProposal) {
        self.init(operation: proposal.operation.uiKit, intent: proposal.intent.inCollection)
    }

    /// The proposal by its names.
    var proposal: DropProposal {
        DropProposal(
            .init(operation), DropProposal.Intent.allCases.first { $0.inCollection == intent } ?? .unspecified)
    }
}

extension DropProposal.Intent {
    fileprivate var inTable: UITableViewDropProposal.Intent {
        switch self {
        case .unspecified: .unspecified
        case .insertAtDestinationIndexPath: .insertAtDestinationIndexPath
        case .insertIntoDestinationIndexPath: .insertIntoDestinationIndexPath
        case .automatic: .automatic
        }
    }

    fileprivate var inCollection: UICollectionViewDropProposal.Intent {
        switch self {
        case .unspecified, .automatic: .unspecified
        case .insertAtDestinationIndexPath: .insertAtDestinationIndexPath
        case .insertIntoDestinationIndexPath: .insertIntoDestinationIndexPath
        }
    }
}
