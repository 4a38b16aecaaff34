import Directors
import JSONValues
import ListDiff

@testable import ListDiffTesting

/// Published sections as the oracle of changesets knows them: what is the same to a client has the same number.
struct ShownView {
    /// What the adapters of the later state look at, by model. They may be older than the director's: where nothing
    /// looks otherwise by a new adapter, nothing is published.
    private var pointers: [String: [JSONPointer]?] = [:]
    private var numbers: [Form: Int] = [:]

    /// What a client sees of something; numbers that are written otherwise are the same.
    private struct Form: Hashable {
        let text: String
        var values: [JSONValue?] = []
    }

    init(_ later: ListState) {
        for section in later.sections {
            for element in section.list { pointers[element.model] = element.adapter.content }
        }
    }

    /// What is wrong with a change from some sections to others, or nil.
    mutating func violation(
        of changeset: StagedChangeset<Section>, _ before: [Section], _ after: [Section]
    ) -> String? {
        let pair = Pair(source: before.map { group($0) }, target: after.map { group($0) })
        let plain = plain(changeset)
        guard plain.stages.allSatisfy(\.isAscending), plain.isReplacedAscending else {
            return "a stage is not in order"
        }
        return Judge(pair).violation(of: plain)?.description
    }

    private mutating func number(_ text: String, _ values: [JSONValue?] = []) -> Int {
        let form = Form(text: text, values: values)
        if let number = numbers[form] { return number }
        numbers[form] = numbers.count
        return numbers.count - 1
    }

    private mutating func group(_ section: Section) -> Group {
        let attributes = "\(section.attributes.headerTitle ?? "none") \(section.attributes.isCollapsed)"
        return Group(number("id " + section.identifier), section.content.map { item($0) }, content: number(attributes))
    }

    private mutating func item(_ element: Element) -> Item {
        let parts = (pointers[element.model] ?? nil).map { pointers in pointers.map { element.value.value(at: $0) } }
        return Item(
            id: number("element \(element.model) / \(element.identifier)"),
            content: number("content", parts ?? [element.value]), detail: number("value", [element.value]))
    }

    private mutating func plain(_ changeset: StagedChangeset<Section>) -> StagedChangeset<Group> {
        let stages = changeset.stages.map { stage in
            Changeset<Group>(
                elementUpdated: stage.elementUpdated.map { ElementChange(at: $0.at, element: item($0.element)) },
                sectionDeleted: stage.sectionDeleted, elementDeleted: stage.elementDeleted,
                sectionInserted: stage.sectionInserted.map { SectionChange(at: $0.at, section: group($0.section)) },
                sectionMoved: stage.sectionMoved,
                elementInserted: stage.elementInserted.map { ElementChange(at: $0.at, element: item($0.element)) },
                elementMoved: stage.elementMoved,
                sectionUpdated: stage.sectionUpdated.map { SectionChange(at: $0.at, section: group($0.section)) })
        }
        return StagedChangeset(
            stages: stages, replaced: changeset.replaced.map { ElementChange(at: $0.at, element: item($0.element)) })
    }
}
