// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
// The declarations are AppKit's, and have its documentation.

import Foundation

// Declarations of AppKit's own names, as far as the layer over it uses them, for machines that have no AppKit. A test
// drives the views: they ask for what AppKit asks for, and say in words what AppKit would have refused.

@MainActor
open class NSResponder: NSObject {}

@MainActor
open class NSView: NSResponder {
    open var window: NSWindow?
}

@MainActor
public final class NSWindow: NSResponder {}

@MainActor
open class NSViewController: NSResponder {
    open var representedObject: Any?
}

extension IndexPath {
    public init(item: Int, section: Int) { self = [section, item] }
    public var section: Int { self[0] }
    public var item: Int { self[1] }
}
