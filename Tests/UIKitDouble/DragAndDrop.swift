// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// The declarations are UIKit's, and have its documentation.

import Foundation

public final class NSItemProvider: NSObject, Sendable {
    public let registeredTypeIdentifiers: [String]
    private let text: String?

    override public init() { (registeredTypeIdentifiers, text) = ([], nil) }

    public init(item: (any NSSecureCoding)?, typeIdentifier: String?) {
        registeredTypeIdentifiers = typeIdentifier.map { [$0] } ?? []
        text = (item as? NSString).map { "\($0)" }
    }

    public func loadObject(
        ofClass type: String.Type, completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void
    ) -> Progress {
        // UIKit answers on a queue of its own.
        Task { completionHandler(text, nil) }
        return Progress(totalUnitCount: 1)
    }
}

@MainActor
public final class UIDragItem: NSObject {
    public let itemProvider: NSItemProvider
    public var localObject: Any?

    public init(itemProvider: NSItemProvider) { self.itemProvider = itemProvider }
}

@MainActor
public protocol UIDragDropSession: AnyObject {
    var items: [UIDragItem] { get }
}

@MainActor
public protocol UIDragSession: UIDragDropSession {}

@MainActor
public protocol UIDropSession: UIDragDropSession {}

public enum UIDropOperation: UInt, Sendable {
    case cancel
    case forbidden
    case copy
    case move
}

@MainActor
open class UIDropProposal: NSObject {
    public let operation: UIDropOperation

    public init(operation: UIDropOperation) { self.operation = operation }
}
