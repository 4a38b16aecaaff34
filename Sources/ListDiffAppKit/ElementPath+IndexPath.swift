import Foundation
import ListDiff

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    import AppKit
#else
    import AppKitDouble
#endif

extension ElementPath {
    /// Takes over AppKit's path.
    public init(_ indexPath: IndexPath) { self.init(section: indexPath.section, element: indexPath.item) }

    /// The path as AppKit has it.
    public var indexPath: IndexPath { IndexPath(item: element, section: section) }
}
