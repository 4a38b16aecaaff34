import JSONValues

/// A named list: its properties, adapters and variables, the working state that operations change, and the published
/// state that subscribers show.
///
/// A director is a value and knows no concurrency: whoever holds it says who may change it. A copy shares everything
/// with its original until one of them changes, so that trying something on a copy is cheap.
package struct Director: Sendable {
    /// The name, unique on a server.
    package let name: String

    /// Which life of that name: deleting and creating a director again gives another epoch.
    package let epoch: String

    /// How much the director may hold.
    package let limits: DirectorLimits

    /// The properties, which say the kind too.
    package internal(set) var properties: DirectorProperties

    /// The registered adapters.
    package internal(set) var adapters = AdapterRegistry()

    /// The event hooks of the adapters, of the director and of its scroll view.
    ///
    /// They are not part of the adapters, which elements refer to: a hook that comes or goes touches no element.
    package internal(set) var hooks = HookRegistry()

    /// What operations change.
    package internal(set) var working = WorkingState()

    /// What subscribers show.
    package internal(set) var published = PublishedState(version: 0, list: ListState())

    /// The working state at the last reload, whether that published anything or not: the next one looks at what differs
    /// from it, and at nothing else.
    ///
    /// It has the sections and elements of the published state at the same places, with equal values; but a value that
    /// was written in another way since, and published nothing, is new here and old there.
    var reloaded = ListState()

    /// Makes an empty director at revision 0 and version 0.
    ///
    /// - Parameters:
    ///   - name: The name, taken as it is.
    ///   - epoch: A text that no earlier life of the name has had, taken as it is.
    ///   - properties: The properties, and so the kind.
    ///   - limits: How much the director may hold.
    package init(
        name: String, epoch: String, properties: DirectorProperties, limits: DirectorLimits = DirectorLimits()
    ) {
        self.name = name
        self.epoch = epoch
        self.properties = properties
        self.limits = limits
    }

    /// The kind of view that shows the list.
    package var kind: DirectorKind {
        properties.kind
    }

    /// The number of accepted mutations.
    package var revision: Int {
        working.revision
    }

    /// The number of the published version.
    package var version: Int {
        published.version
    }

    /// The memory that the sections and elements take, estimated: those of the working state or those that are published,
    /// whichever is more.
    ///
    /// - Complexity: O(1).
    package var memory: Int {
        max(working.list.memory, published.list.memory)
    }
}

/// What operations change, with the number of accepted mutations.
package struct WorkingState: Sendable, Equatable {
    /// How many mutations have been accepted; a batch counts as one.
    package internal(set) var revision = 0

    /// The sections and elements.
    package internal(set) var list = ListState()

    /// The variables by name.
    package internal(set) var variables: [String: JSONValue] = [:]
}
