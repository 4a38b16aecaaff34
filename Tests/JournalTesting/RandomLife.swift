import DirectorLife
import Directors
import HTTPWire
import JSONValues
import Journal
import Notation
import TestSupport

/// A director whose random steps go into a journal, with everything that has to be there again.
package struct RandomLife {
    package private(set) var director: Director
    package private(set) var versions: VersionHistory
    package private(set) var definitionVersion: Int?
    package private(set) var number = 0
    package private(set) var answers: [StoredAnswer] = []
    /// What was done, for a failure's message.
    package private(set) var trace: [String] = []
    package let retention: VersionRetention
    private let largest: Int
    private let hasRows: Bool
    private var random: SeededGenerator

    /// - Parameters:
    ///   - largest: How many elements come at once now and then, instead of a handful.
    ///   - hasRows: Whether some sections hold rows.
    package init(
        _ name: String, epoch: String, seed: UInt64, retention: VersionRetention = .init(count: 6, bytes: 1 << 20),
        largest: Int = 0, hasRows: Bool = true
    ) {
        director = Director(name: name, epoch: epoch, properties: DirectorProperties(defaultsOf: .table))
        versions = VersionHistory(
            first: director.published, adapters: director.adapters, variables: PublishedVariables(of: director),
            retention: retention)
        self.retention = retention
        self.largest = largest
        self.hasRows = hasRows
        random = SeededGenerator(seed: seed)
    }

    /// The record of the life's beginning.
    package mutating func begin() -> LifeRecord {
        number = 1
        return LifeRecord(
            director: director.name, epoch: director.epoch, number: number, entries: [.defined(director)])
    }

    /// The record of the next step.
    package mutating func step() -> LifeRecord {
        var entries: [LifeEntry] = []
        while entries.isEmpty {
            if random.chance(12) { define(&entries) } else { perform(&entries) }
            if !entries.isEmpty, random.chance(4) {
                let cause = "cause \(random.below(9))"
                director.note(cause: cause)
                entries.append(.caused(cause))
            }
            if random.chance(3) { publish(&entries) }
        }
        number += 1
        var answer: StoredAnswer?
        if random.chance(5) {
            let made = StoredAnswer(key: "key-\(number)", fingerprint: random.next(), body: [1, 2, 3], expires: .max)
            answers.append(made)
            answer = made
        }
        return LifeRecord(
            director: director.name, epoch: director.epoch, number: number, entries: entries, answer: answer)
    }

    /// The life's state at this moment.
    package var state: LifeState {
        LifeState(director: director, versions: versions, definitionVersion: definitionVersion, number: number)
    }

    private mutating func publish(_ entries: inout [LifeEntry]) {
        var animations: Animations?
        if random.chance(4) {
            animations = Animations()
            animations?.byOperation[.elementInserted] = .fade
        }
        guard let change = try? director.reload(animations: animations) else { return }
        trace.append("publish \(change.version)")
        entries.append(.published(version: change.version, animations: animations))
        versions.append(
            director.published, adapters: director.adapters,
            changeset: versions.retention.admits(change) ? .encoded(.changeset(change)) : nil, causes: change.causes,
            variables: PublishedVariables(of: director))
    }

    private mutating func define(_ entries: inout [LifeEntry]) {
        var hasChanged = false
        let before = shownDefinition
        switch random.below(7) {
        case 0:
            var table = TableProperties()
            table.rowHeight = .explicit(Double(random.below(50)))
            hasChanged = director.redefine(.table(table))
        case 1:
            let view = HeaderFooterAdapter(view: "View\(random.below(3))")
            hasChanged = (try? director.register(view)) ?? false
        case 2:
            let cell = CellAdapter(
                model: "Item", cell: "Cell\(random.below(2))", identifier: .default,
                content: random.chance(2) ? [JSONPointer(tokens: ["n"])] : nil)
            hasChanged = (try? director.register(cell)) ?? false
        case 3: hasChanged = changeHook()
        case 4:
            let cell = CellAdapter(model: "Item", cell: "Cell\(random.below(2))")
            let hooks: [Name: EventHook] =
                random.chance(2) ? ["didSelect": hook(), "rowHeight": hook(answer: "44.50")] : [:]
            hasChanged = (try? director.register(cell, hooks: hooks)) ?? false
        case 5:
            hasChanged = director.disableHook(on: "didSelect", at: .cell("Item"), reason: "gone \(random.below(3))")
        default:
            let revision = director.revision
            try? director.removeHeaderFooterAdapter(view: "View\(random.below(3))")
            hasChanged = director.revision != revision
        }
        guard hasChanged else { return }
        trace.append("define")
        entries.append(.defined(director))
        if shownDefinition != before { definitionVersion = director.version }
    }

    /// What subscribers are told when it changes; where a hook leads to is not a part of it.
    private var shownDefinition: [UInt8] {
        var json = JSONWriter()
        director.encodeDefinition(to: &json)
        return json.bytes
    }

    /// Registers or removes a hook somewhere; false where nothing has changed.
    private mutating func changeHook() -> Bool {
        let levels: [HookLevel] = [
            .cell("Item"), .headerFooter("View\(random.below(3))"), .director, .scroll,
            .row(section: "s\(random.below(5))", row: "r\(random.below(4))"),
        ]
        let level = levels[random.below(levels.count)]
        let events = EventCatalog.events(of: level.source(in: .table))
        let event = events[random.below(min(3, events.count))].name
        if random.chance(3) {
            let revision = director.revision
            try? director.removeHook(on: event, at: level)
            return director.revision != revision
        }
        return (try? director.setHook(hook(), on: event, at: level)) ?? false
    }

    private mutating func hook(answer: String? = nil) -> EventHook {
        do {
            let url = try HookURL(parsing: "https://h\(random.below(3)).example/\(random.below(9))")
            return EventHook(
                url: url, secrets: [.random()], timeout: random.chance(2) ? .milliseconds(1500) : nil,
                defaultAnswer: answer.map(value), headers: [HookHeader(name: "Authorization", value: "Bearer 1234")])
        } catch {
            fatalError("the generator has made an address that is none: \(error.detail)")
        }
    }

    private mutating func perform(_ entries: inout [LifeEntry]) {
        let count = random.chance(4) ? 1 + random.below(4) : 1
        // As a life does before it stores them: what is stored leads to the same state again.
        let operations = (0..<count).map { _ in operation() }.resolved
        do {
            try director.perform(operations)
        } catch {
            return
        }
        trace.append("perform " + operations.map { "\($0)" }.joined(separator: "; "))
        entries.append(.performed(operations, revision: director.revision))
    }

    // MARK: Operations

    private mutating func section() -> Address {
        random.chance(3) ? .position(random.below(3)) : .identifier("s\(random.below(5))")
    }

    private mutating func element() -> Address {
        random.chance(2) ? .position(random.below(6)) : .identifier("e\(random.below(12))")
    }

    private mutating func drafts() -> [ElementDraft] {
        let isMany = largest > 0 && random.chance(3)
        return (0..<random.below(isMany ? largest : 6)).map { _ in
            if isMany {
                // Some are long, so that there is more than one block of them; the only adapter need not be named.
                let padding = String(repeating: "x", count: random.chance(20) ? random.below(9000) : 0)
                let text = #"{"id":"e\#(random.below(largest))","n":1.0,"padding":"é\#(padding)"}"#
                return ElementDraft(model: random.chance(2) ? "Item" : nil, value: value(text))
            }
            let text = #"{"id":"e\#(random.below(12))","n":\#(random.below(4)),"extra":\#(random.below(9))}"#
            return ElementDraft(model: "Item", value: value(text))
        }
    }

    private func value(_ text: String) -> JSONValue {
        do {
            return try JSONValue(parsing: text)
        } catch {
            fatalError("the generator has made a text that is no JSON: \(text)")
        }
    }

    private mutating func draft() -> SectionDraft {
        let attributes = SectionAttributes {
            $0.headerTitle = random.chance(2) ? "Title \(random.below(9))" : nil
            $0.isCollapsed = random.chance(4)
            $0.headerHeight = random.chance(6) ? Double(random.below(3)) - 1 : nil
        }
        let identifier = "s\(random.below(5))"
        guard hasRows, random.chance(3) else {
            return SectionDraft(identifier: identifier, attributes: attributes, elements: drafts())
        }
        let rows = (0..<random.below(4)).map { row("r\($0)") }
        return SectionDraft(identifier: identifier, attributes: attributes, rows: rows)
    }

    /// A row whose expressions read variables, elements, both or nothing.
    private mutating func row(_ identifier: String) -> RowDraft {
        let hides = [
            "true", #"{"==":[{"var":"variables.v0.0"},1]}"#, #"{">":[{"var":"model.n"},{"var":"variables.v1.0"}]}"#,
        ]
        let rules = [
            random.chance(2) ? #","hideWhen":\#(hides[random.below(hides.count)])"# : "",
            random.chance(2) ? #","height":{"if":[{"==":[{"var":"model.n"},2]},60,44.50]}"# : "",
            random.chance(3) ? #","additionalConfig":{"on":{"$logic":{"var":"variables.v2"}},"x":[1,null]}"# : "",
            random.chance(4) ? #","afterSelection":"deselect""# : "",
        ].joined()
        let kind =
            random.chance(2)
            ? #""type":"constant","cell":"C\#(random.below(2))","value":{"n":\#(random.below(3))}"#
            : #""type":"model","model":"Item""#
        do {
            let text = #"{"id":"\#(identifier)",\#(kind)\#(rules)}"#
            var draft = try RowDraft.decode(try JSONDocument(text).root)
            if draft.values.kind == .model { draft.elements = drafts() }
            return draft
        } catch {
            fatalError("the generator has made a row that is none: \(error)")
        }
    }

    private mutating func rowAddress() -> Address {
        random.chance(3) ? .position(random.below(3)) : .identifier("r\(random.below(4))")
    }

    private mutating func rowOperation() -> Directors.Operation {
        let (section, row) = (section(), rowAddress())
        switch random.below(9) {
        case 0: return .rows(of: section, .set([self.row("r0"), self.row("r1")]))
        case 1:
            return .rows(of: section, .add([self.row("r\(random.below(4))")], at: random.chance(2) ? .first : nil))
        case 2:
            var draft = self.row("r\(random.below(4))")
            // Without an identifier of its own it takes that of the row that it replaces.
            if random.chance(2) { draft.values.identifier = "" }
            return .rows(of: section, .put(row, draft))
        case 3: return .rows(of: section, .patch(row, ValueDraft(value(#"{"height":\#(random.below(50))}"#))))
        case 4:
            return random.chance(3)
                ? .rows(of: section, .remove(row)) : .rows(of: section, .swap(row, with: rowAddress()))
        case 5:
            return .rows(of: section, .move(from: row, to: rowAddress(), into: random.chance(2) ? self.section() : nil))
        case 6: return .elements(of: .row(section: section, row: row), .add(drafts()))
        case 7:
            return .elements(
                of: .row(section: section, row: row),
                .patch(element(), ValueDraft(value(#"{"n":\#(random.below(4))}"#))))
        default: return .elements(of: .row(section: section, row: row), .remove(element()))
        }
    }

    private mutating func operation() -> Directors.Operation {
        switch random.below(22) {
        case 17... where hasRows: return rowOperation()
        case 0: return .sections(.set([draft()]))
        case 1, 2: return .sections(.add([draft()], at: random.chance(2) ? .first : nil))
        case 3: return .sections(.put(section(), draft()))
        case 4 where hasRows && random.chance(4):
            return .sections(
                .patch(section(), ValueDraft(value(#"{"rows":[{"type":"constant","cell":"C\#(random.below(2))"}]}"#))))
        case 4: return .sections(.patch(section(), ValueDraft(value(#"{"isCollapsed":\#(random.chance(2))}"#))))
        case 5:
            return random.chance(4) ? .sections(.remove(section())) : .sections(.move(from: section(), to: section()))
        case 6, 7, 8: return .elements(of: .section(section()), .add(drafts(), at: random.chance(2) ? element() : nil))
        case 9: return .elements(of: .section(section()), .set(drafts()))
        case 10, 11:
            return .elements(
                of: .section(section()), .patch(element(), ValueDraft(value(#"{"extra":\#(random.below(99))}"#))))
        case 12: return .elements(of: .section(section()), .remove(element()))
        case 13:
            return .elements(
                of: .section(section()),
                .move(from: element(), to: element(), into: ElementDestination(section: section())))
        case 14: return .elements(of: .section(section()), .swap(element(), with: element()))
        case 15: return .setVariable(name: "v\(random.below(3))", value: value("[\(random.below(9)),1.50]"))
        default: return .newSection(identifier: "s\(random.below(5))", drafts())
        }
    }
}

extension RecoveredDirector {
    /// What differs from a life, in words; empty where nothing does.
    package func differences(from life: RandomLife) -> [String] {
        var found: [String] = []
        func check(_ what: String, _ isSame: Bool) {
            if !isSame { found.append(what) }
        }
        let director = state.director
        check("working state", director.working == life.director.working)
        check("published state", director.published == life.director.published)
        check("properties", director.properties == life.director.properties)
        check("adapters", director.adapters == life.director.adapters)
        check("hooks", director.hooks == life.director.hooks)
        check("limits", director.limits == life.director.limits)
        check("number", state.number == life.number)
        check("definition version", state.definitionVersion == life.definitionVersion)
        check("answers", answers == life.answers)
        check("newest version", state.versions.newest == life.versions.newest)
        check("version numbers", state.versions.retained.map(\.version) == life.versions.retained.map(\.version))
        for (one, other) in zip(state.versions.retained, life.versions.retained) {
            check("state at \(other.version)", one.state == other.state)
            check("changeset to \(other.version)", one.changeset?.frame.bytes == other.changeset?.frame.bytes)
            check("adapters at \(other.version)", one.adapters == other.adapters)
            check("causes of \(other.version)", one.causes == other.causes)
        }
        return found
    }
}
