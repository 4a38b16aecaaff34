import Directors
import JSONValues
import ListDiff

@testable import ListDiffTesting

/// Published sections as the oracle of changesets knows them: what is the same to a client has the same number.
struct ShownView: NumberedForms {
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

    private mutating func number(_ text: String, _ values: [JSONValue?] = []) -> Int {
        let form = Form(text: text, values: values)
        if let number = numbers[form] { return number }
        numbers[form] = numbers.count
        return numbers.count - 1
    }

    mutating func group(_ section: Section) -> Group {
        let attributes = "\(section.attributes.headerTitle ?? "none") \(section.attributes.isCollapsed)"
        return Group(number("id " + section.identifier), section.content.map { item($0) }, content: number(attributes))
    }

    mutating func item(_ element: Element) -> Item {
        let parts = (pointers[element.model] ?? nil).map { pointers in pointers.map { element.value.value(at: $0) } }
        return Item(
            id: number("element \(element.model) / \(element.identifier)"),
            content: number("content", parts ?? [element.value]), detail: number("value", [element.value]))
    }
}
