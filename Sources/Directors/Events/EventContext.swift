import JSONValues
import ListDiff

/// The context in which one report is resolved.
struct EventContext {
    let director: Director
    let state: PublishedState
    let definition: EventDefinition
    let parameters: JSONValue?
    /// The report as it was made at a view of the director; nil for one at the director itself.
    var viewed: ViewedReport?

    /// The list that the UI shows.
    private var list: ListState { viewed?.list ?? state.list }

    // MARK: Places

    /// Finds what an event is fired at.
    ///
    /// - Throws: A place that is not there.
    func subject(of target: EventReport.Target) throws(DirectorError) -> ResolvedEvent.Subject {
        switch target {
        case .element(let path): return .item(try item(path, position: 0, pointer: "/indexPath"))
        case .identified(let section, let row, let element):
            let path = try state.list.path(section: section, row: row, element: element, version: state.version)
            return .item(try item(path, position: 0, pointer: "/element"))
        case .elements(let paths):
            var items: [ResolvedEvent.Item] = []
            items.reserveCapacity(paths.count)
            for (position, path) in paths.enumerated() {
                items.append(try item(path, position: position, pointer: "/indexPaths/\(position)"))
            }
            return .items(items)
        case .header(let position): return .supplementary(try supplementary(position, isHeader: true))
        case .footer(let position): return .supplementary(try supplementary(position, isHeader: false))
        case .list: return .list
        }
    }

    private func item(_ path: ElementPath, position: Int, pointer: String) throws(DirectorError) -> ResolvedEvent.Item {
        let section = try section(path.section, pointer: pointer)
        guard section.list.indices.contains(path.element) else {
            throw .misplaced(.element, path.element, count: section.list.count, pointer: pointer)
        }
        return ResolvedEvent.Item(
            position: position, path: path, section: section, element: section.list[path.element],
            viewed: viewed?.elements[position].path, shownCell: viewed?.elements[position].cell)
    }

    /// Finds a header or footer: a view or a title. A section that has neither on that side has none.
    private func supplementary(_ position: Int, isHeader: Bool) throws(DirectorError) -> ResolvedEvent.Supplementary {
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
        return ResolvedEvent.Supplementary(
            isHeader: isHeader, position: position, section: section, view: view, viewed: viewed?.section?.position)
    }

    private func section(_ position: Int, pointer: String) throws(DirectorError) -> Section {
        let sections = state.list.sections
        guard sections.indices.contains(position) else {
            throw .misplaced(.section, position, count: sections.count, pointer: pointer)
        }
        return sections[position]
    }

    // MARK: Events

    /// The events that are fired at something: one, or of several elements one for each adapter, in the order of its first
    /// element.
    func events(about subject: ResolvedEvent.Subject) -> [ResolvedEvent] {
        switch subject {
        case .item(let item): [event(subject, level: level(of: item))]
        case .items(let items): events(of: items)
        case .supplementary(let supplementary): [event(subject, level: level(of: supplementary))]
        case .list: [event(subject, level: hooked(definition.source == .scroll ? .scroll : .director))]
        }
    }

    private func events(of items: [ResolvedEvent.Item]) -> [ResolvedEvent] {
        var levels: [HookLevel] = []
        var groups: [HookLevel: [ResolvedEvent.Item]] = [:]
        for item in items {
            let level = level(of: item)
            if groups[level] == nil { levels.append(level) }
            groups[level, default: []].append(item)
        }
        return levels.map { level in
            let own = groups[level] ?? []
            return event(.items(own), level: level)
        }
    }

    private func level(of supplementary: ResolvedEvent.Supplementary) -> HookLevel? {
        definition.source.isDirectors ? hooked(.director) : supplementary.view.map { hooked(.headerFooter($0)) }
    }

    private func level(of item: ResolvedEvent.Item) -> HookLevel {
        if definition.source.isDirectors { return hooked(.director) }
        let cell = hooked(.cell(item.element.model))
        guard cell.view == nil, let row = item.rowLevel else { return cell }
        // A constant row is of no model, and has no adapter that could have a hook.
        let isRows = item.element.model.isEmpty || director.hooks[row, definition.name] != nil
        return isRows ? row : cell
    }

    private func hooked(_ level: HookLevel) -> HookLevel { place(ofHookOn: definition.name, at: level) }

    /// The place of the hook that gets an event of a level: at the first view that has one, from the reader's on, or in the
    /// director.
    private func place(ofHookOn event: String, at level: HookLevel) -> HookLevel {
        guard let viewed else { return level }
        let own = viewed.views.lazy.map { HookLevel.viewed($0, level) }
        return own.first { director.hooks[$0, event] != nil } ?? level
    }

    private func event(_ subject: ResolvedEvent.Subject, level: HookLevel?) -> ResolvedEvent {
        ResolvedEvent(
            director: director.name, epoch: director.epoch, version: state.version, definition: definition,
            level: level, hook: level.flatMap { director.hooks[$0, definition.name] }, subject: subject,
            parameters: parameters, defaultAnswers: defaultAnswers(level: level, subject), view: viewed?.view,
            list: list)
    }

    // MARK: Defaults

    private func defaultAnswers(level: HookLevel?, _ subject: ResolvedEvent.Subject) -> [JSONValue] {
        guard let rule = definition.defaultRule else { return [] }
        let items = subject.items
        if rule == .indexPath { return items.map { item in JSONValue { $0.path(item.viewed ?? item.path) } } }
        if items.contains(where: { $0.element.adapter.row != nil }) {
            // Only what depends on the row is looked up for each; a parameter is read once.
            let common = if case .isHooked = rule { JSONValue?.none } else { answer(rule, level: level) }
            return items.map { $0.height(rule) ?? common ?? self.answer(rule, level: level, row: $0.rowLevel) }
        }
        if case .supplementary(let place) = subject {
            // Of a view, the section as the view shows it.
            let shown = list.sections[place.viewed ?? place.position].attributes
            if let answer = shown.answer(to: rule, isHeader: place.isHeader) { return [answer] }
        }
        let answer = answer(rule, level: level)
        return Array(repeating: answer, count: max(1, items.count))
    }

    private var properties: DirectorProperties { viewed?.properties ?? director.properties }

    private func answer(_ rule: EventDefault, level: HookLevel?, row: HookLevel? = nil) -> JSONValue {
        switch rule {
        case .value(let value): return value
        case .size(let property): return properties.answer(for: property, isEstimate: false)
        case .estimate(let property): return properties.answer(for: property, isEstimate: true)
        case .supplementarySize: return JSONValue { LayoutSize(width: 0, height: 0).encode(to: &$0) }
        case .parameter(let name):
            // A required parameter has been checked.
            return parameters?.document.root[name]?.value ?? JSONValue { $0.null() }
        case .indexedSection: return JSONValue { $0.int(indexedSection) }
        case .isHooked(let other):
            let levels = [level.map { place(ofHookOn: other, at: $0.unviewed) }, row]
            let isHooked = levels.contains { $0.map { director.hooks[$0, other] != nil } ?? false }
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
        for (position, section) in list.sections.enumerated() where section.attributes.indexTitle != nil {
            if passed == index { return position }
            passed += 1
        }
        return index
    }
}

extension ResolvedEvent.Item {
    /// The level of the hooks of the element's row; nil for an element of no row.
    fileprivate var rowLevel: HookLevel? {
        element.adapter.row.map { .row(section: section.identifier, row: $0.row) }
    }

    /// The height that the element's row says, where the question is about it.
    fileprivate func height(_ rule: EventDefault) -> JSONValue? {
        switch rule {
        case .size(.rowHeight), .size(.rowLength): element.adapter.row?.height
        case .estimate(.rowHeight): element.adapter.row?.estimatedHeight
        default: nil
        }
    }
}

extension SectionAttributes {
    /// The size that the section sets for its header or footer, where the question is about it. An automatic height is
    /// no estimate.
    fileprivate func answer(to rule: EventDefault, isHeader: Bool) -> JSONValue? {
        switch rule {
        case .size(.headerHeight), .size(.footerHeight):
            (isHeader ? values.headerHeight : values.footerHeight).map { height in JSONValue { $0.double(height) } }
        case .estimate(.headerHeight), .estimate(.footerHeight):
            (isHeader ? values.headerHeight : values.footerHeight).flatMap { height in
                height < 0 ? nil : JSONValue { $0.double(height) }
            }
        case .supplementarySize:
            (isHeader ? values.headerSize : values.footerSize).map { size in JSONValue { size.encode(to: &$0) } }
        default: nil
        }
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
        case (_, .rowLength): SizePolicy<Double>.default.height(isEstimate: isEstimate)
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
