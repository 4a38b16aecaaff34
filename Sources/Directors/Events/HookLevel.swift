import Notation

/// The place in a director where a hook is registered.
package enum HookLevel: Hashable, Sendable {
    /// At the cell adapter of a model.
    case cell(String)
    /// At the header/footer adapter of a view.
    case headerFooter(String)
    /// At a row of a section, both by their identifiers; it wins over the adapter of the row's model.
    case row(section: String, row: String)
    /// At a section, by its identifier.
    case section(String)
    /// At the director itself.
    case director
    /// At the director's scroll view.
    case scroll
    /// At another level, for what is reported at a view that follows the director; never inside another one.
    indirect case viewed(ViewLife, HookLevel)

    /// The source of this level's events in a director of a kind.
    package func source(in kind: DirectorKind) -> EventSource {
        switch self {
        case .cell, .row: .cell(of: kind)
        case .headerFooter: .headerFooter(of: kind)
        case .director: .director(of: kind)
        case .scroll: .scroll
        case .section: .section
        case .viewed(_, let level): level.source(in: kind)
        }
    }

    /// The level in the director itself.
    package var unviewed: HookLevel {
        if case .viewed(_, let level) = self { level } else { self }
    }

    /// The view at which the hook's events are reported; nil for a hook of the director itself.
    package var view: ViewLife? {
        if case .viewed(let view, _) = self { view } else { nil }
    }
}

/// Names one life of a view. The hooks that a view has of its own are those of a life: a view that is deleted and made anew
/// has none.
package struct ViewLife: Hashable, Sendable {
    /// The view's name.
    @Verbatim package private(set) var name: String
    /// Which life of that name.
    @Verbatim package private(set) var epoch: String

    /// Names a life.
    package init(name: String, epoch: String) {
        self.name = name
        self.epoch = epoch
    }
}

extension HookLevel {
    /// Compares all names by their bytes.
    package static func == (left: HookLevel, right: HookLevel) -> Bool {
        switch (left, right) {
        case (.cell(let one), .cell(let other)), (.headerFooter(let one), .headerFooter(let other)),
            (.section(let one), .section(let other)):
            one.isVerbatim(other)
        case (.director, .director), (.scroll, .scroll): true
        case (.row(let section, let row), .row(let otherSection, let otherRow)):
            section.isVerbatim(otherSection) && row.isVerbatim(otherRow)
        case (.viewed(let view, let level), .viewed(let otherView, let otherLevel)):
            view == otherView && level == otherLevel
        default: false
        }
    }

    /// Feeds the rank and the names.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        if case .viewed(let view, let level) = self {
            hasher.combine(view)
            return level.hash(into: &hasher)
        }
        hasher.combine(Name(names.0))
        hasher.combine(Name(names.1))
    }
}

extension HookLevel: Comparable {
    /// Orders cell adapters before header/footer adapters, both by name, then the director, its scroll view, rows and
    /// sections; then what is reported at views, by view.
    package static func < (left: HookLevel, right: HookLevel) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        if case .viewed(let view, let level) = left, case .viewed(let otherView, let otherLevel) = right {
            return view == otherView ? level < otherLevel : view < otherView
        }
        return (Name(left.names.0), Name(left.names.1)) < (Name(right.names.0), Name(right.names.1))
    }

    private var rank: Int {
        switch self {
        case .cell: 0
        case .headerFooter: 1
        case .director: 2
        case .scroll: 3
        case .row: 4
        case .section: 5
        case .viewed: 6
        }
    }

    /// The model, the view or the section, or section and row; empty for the director and its scroll view.
    private var names: (String, String) {
        switch self {
        case .cell(let name), .headerFooter(let name), .section(let name): (name, "")
        case .row(let section, let row): (section, row)
        case .director, .scroll, .viewed: ("", "")
        }
    }
}

extension ViewLife: Comparable {
    /// Orders by name, then by epoch.
    package static func < (left: ViewLife, right: ViewLife) -> Bool {
        (Name(left.name), Name(left.epoch)) < (Name(right.name), Name(right.epoch))
    }
}
