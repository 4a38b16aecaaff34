import JSONValues
import ListDiff

/// What one report is resolved with.
struct EventContext {
    let director: Director
    let state: PublishedState
    let definition: EventDefinition
    let parameters: JSONValue?

    // MARK: Places

    /// Finds an element.
    func item(_ path: ElementPath, position: Int, pointer: String) throws(DirectorError) -> ResolvedEvent.Item {
        let section = try section(path.section, pointer: pointer)
        guard section.list.indices.contains(path.element) else {
            throw .misplaced(.element, path.element, count: section.list.count, pointer: pointer)
        }
        return ResolvedEvent.Item(
            position: position, path: path, section: section, element: section.list[path.element])
    }

    /// Finds a header or footer: a view or a title. A section that has neither on that side has none.
    func supplementary(_ position: Int, isHeader: Bool) throws(DirectorError) -> ResolvedEvent.Supplementary {
        let section = try section(position, pointer: isHeader ? "/header" : "/footer")
        let view = isHeader ? section.attributes.headerView : section.attributes.footerView
        let title = isHeader ? section.attributes.headerTitle : section.attributes.footerTitle
        guard view != nil || title != nil else {
            let side = isHeader ? "header" : "footer"
            let detail =
                "section \(position) has no \(side) in version \(state.version); a \(side)Title or a \(side)View "
                + "gives it one"
            throw DirectorError(.refused([Fault(pointer: "/\(side)", detail: detail)]), pointer: "/\(side)")
        }
        return ResolvedEvent.Supplementary(isHeader: isHeader, position: position, section: section, view: view)
    }

    private func section(_ position: Int, pointer: String) throws(DirectorError) -> Section {
        let sections = state.list.sections
        guard sections.indices.contains(position) else {
            throw .misplaced(.section, position, count: sections.count, pointer: pointer)
        }
        return sections[position]
    }

    // MARK: Events

    func event(_ item: ResolvedEvent.Item) -> ResolvedEvent {
        event(.item(item), level: level(of: item), items: [item])
    }

    func event(_ supplementary: ResolvedEvent.Supplementary) -> ResolvedEvent {
        let isDirectors = [.tableDirector, .collectionDirector].contains(definition.source)
        let level = isDirectors ? .director : supplementary.view.map(HookLevel.headerFooter)
        return event(.supplementary(supplementary), level: level)
    }

    func event() -> ResolvedEvent {
        event(.list, level: definition.source == .scroll ? .scroll : .director)
    }

    /// The events of several elements: one for each adapter, in the order of its first element.
    func events(_ paths: [ElementPath]) throws(DirectorError) -> [ResolvedEvent] {
        var levels: [HookLevel] = []
        var items: [HookLevel: [ResolvedEvent.Item]] = [:]
        for (position, path) in paths.enumerated() {
            let item = try item(path, position: position, pointer: "/indexPaths/\(position)")
            let level = level(of: item)
            if items[level] == nil { levels.append(level) }
            items[level, default: []].append(item)
        }
        return levels.map { level in
            let own = items[level] ?? []
            return event(.items(own), level: level, items: own)
        }
    }

    private func level(of item: ResolvedEvent.Item) -> HookLevel {
        definition.source == .collectionDirector ? .director : .cell(item.element.model)
    }

    private func event(
        _ subject: ResolvedEvent.Subject, level: HookLevel?, items: [ResolvedEvent.Item] = []
    ) -> ResolvedEvent {
        ResolvedEvent(
            director: director.name, epoch: director.epoch, version: state.version, definition: definition,
            level: level, hook: level.flatMap { director.hooks[$0, definition.name] }, subject: subject,
            parameters: parameters, defaultAnswers: defaultAnswers(level: level, items: items), list: state.list)
    }

    // MARK: Defaults

    private func defaultAnswers(level: HookLevel?, items: [ResolvedEvent.Item]) -> [JSONValue] {
        guard let rule = definition.defaultRule else { return [] }
        if rule == .indexPath { return items.map { item in JSONValue { $0.path(item.path) } } }
        let answer = answer(rule, level: level)
        return Array(repeating: answer, count: max(1, items.count))
    }

    private func answer(_ rule: EventDefault, level: HookLevel?) -> JSONValue {
        switch rule {
        case .value(let value): return value
        case .size(let property): return director.properties.answer(for: property, isEstimate: false)
        case .estimate(let property): return director.properties.answer(for: property, isEstimate: true)
        case .parameter(let name):
            // A required parameter has been checked.
            return parameters?.document.root[name]?.value ?? JSONValue { $0.null() }
        case .indexedSection: return JSONValue { $0.int(indexedSection) }
        case .isHooked(let other):
            let isHooked = level.map { director.hooks[$0, other] != nil } ?? false
            return JSONValue { $0.bool(isHooked) }
        case .indexPath: return JSONValue { $0.null() }
        }
    }

    /// The section of the index title at a position: FlowKit makes the index of the titles that sections have.
    ///
    /// - Complexity: O(*s*) in the number of sections.
    private var indexedSection: Int {
        let index = parameters?.document.root["index"]?.int ?? 0
        var passed = 0
        for (position, section) in state.list.sections.enumerated() where section.attributes.indexTitle != nil {
            if passed == index { return position }
            passed += 1
        }
        return index
    }
}

extension DirectorError {
    /// The error of a report that is about something which is not there: what was sent is wrong, not the resource.
    fileprivate static func misplaced(
        _ member: Member, _ position: Int, count: Int, pointer: String
    ) -> DirectorError {
        let error = DirectorError(.notFound(member, .position(position), count: count), pointer: pointer)
        return DirectorError(.refused(error.faults), pointer: pointer)
    }
}

extension DirectorProperties {
    /// UIKit's answer to how large something is, where the policy does not say it.
    fileprivate func answer(for property: EventDefault.SizeProperty, isEstimate: Bool) -> JSONValue {
        switch (self, property) {
        case (.table(let table), .rowHeight): table.rowHeight.height(isEstimate: isEstimate)
        case (.table(let table), .headerHeight): table.headerHeight.height(isEstimate: isEstimate)
        case (.table(let table), .footerHeight): table.footerHeight.height(isEstimate: isEstimate)
        case (.collection(let collection), .itemSize): collection.itemSize.size
        case (.flow(let flow), .itemSize): flow.itemSize.size
        default: SizePolicy<LayoutSize>.default.size
        }
    }
}

extension SizePolicy<Double> {
    /// The height, or `UITableView.automaticDimension`.
    fileprivate func height(isEstimate: Bool) -> JSONValue {
        switch self {
        case .explicit(let height): JSONValue { $0.double(height) }
        case .auto(let estimate) where isEstimate: JSONValue { $0.double(estimate) }
        case .auto, .default: JSONValue { $0.int(-1) }
        }
    }
}

extension SizePolicy<LayoutSize> {
    /// The size; where cells size themselves, the estimate that they begin with; else the 50 by 50 points of
    /// `UICollectionViewFlowLayout`.
    fileprivate var size: JSONValue {
        switch self {
        case .explicit(let size), .auto(let size): JSONValue { size.encode(to: &$0) }
        case .default: JSONValue { LayoutSize(width: 50, height: 50).encode(to: &$0) }
        }
    }
}
