import JSONValues
import ListDiff

@testable import Directors
@testable import ListDiffTesting

/// Published sections as the oracle of changesets knows them: what is the same to a client has the same number.
struct ShownForms: NumberedForms {
    private let adapters: AdapterRegistry
    private var numbers: [String: Int] = [:]

    init(_ director: Director) {
        adapters = director.adapters
    }

    private mutating func number(_ text: String) -> Int {
        if let number = numbers[text] { return number }
        numbers[text] = numbers.count
        return numbers.count - 1
    }

    mutating func group(_ section: Section) -> Group {
        let attributes = text { writer in
            writer.beginObject()
            SectionAttributes.fields.encodeMembers(of: section.attributes.values, to: &writer)
            writer.endObject()
        }
        return Group(number("id " + section.identifier), section.content.map { item($0) }, content: number(attributes))
    }

    mutating func item(_ element: Element) -> Item {
        let row = element.adapter.row
        let tells = row.map {
            "\($0.row) \($0.cell) \($0.reuseIdentifier) \(String(decoding: $0.suffix, as: UTF8.self))"
        }
        let root = element.value.document.root
        let parts = adapters.cells[element.model]?.content.map { pointers in
            pointers.map { root.node(at: $0)?.value.text ?? "none" }.joined(separator: " ")
        }
        return Item(
            id: number("element \(row?.row ?? "") / \(element.model) / \(element.identifier)"),
            content: number("content \(tells ?? "") \(parts ?? element.value.text)"), detail: number(element.value.text)
        )
    }
}
