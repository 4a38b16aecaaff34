// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// The declarations are UIKit's, and have its documentation.

import Foundation

@MainActor
public final class UINib: NSObject {
    public struct OptionsKey: Hashable, Sendable {}

    /// What the nibs of a test have, by their names.
    public static var contents: [String: @MainActor () -> UIView] = [:]
    private let name: String

    public init(nibName name: String, bundle bundleOrNil: Bundle?) {
        self.name = name
        super.init()
    }

    public func instantiate(withOwner ownerOrNil: Any?, options optionsOrNil: [OptionsKey: Any]? = nil) -> [Any] {
        UINib.contents[name].map { [$0()] } ?? []
    }

    /// The view of the nib; nil where it is of another class.
    func view<View: UIView>() -> View? { instantiate(withOwner: nil).first as? View }
}
