import CallboardClient
import Notation

/// An element on one line.
enum ElementText {
    /// The members that make a good title, best first.
    private static let titleMembers = ["title", "name", "headline", "label", "summary", "subject", "text"]

    /// The identifier with a title where the value has one, else with the value itself; for an element of a row, then the
    /// row, its cell and the height that it sets, such as `ada  Ada  (people: PersonCell, height 60)`.
    static func summary(_ element: RemoteElement) -> String {
        guard let row = element.row, let cell = element.cell else { return title(element) }
        let height = element.height.flatMap { JSONNumber($0) }.map { ", height \($0)" } ?? ""
        return "\(title(element))  (\(TextWidth.printable("\(row): \(cell)"))\(height))"
    }

    private static func title(_ element: RemoteElement) -> String {
        let detail: String
        if let object = element.value.objectValue {
            let title = titleMembers.lazy.compactMap { object[$0]?.stringValue }.first
            let emoji = object["emoji"]?.stringValue
            detail = title.map { title in emoji.map { "\($0) \(title)" } ?? title } ?? element.value.text
        } else {
            detail = element.value.stringValue ?? element.value.text
        }
        return TextWidth.printable(detail.isVerbatim(element.id) ? detail : "\(element.id)  \(detail)")
    }

    /// A section's identifier with its title where it has another one.
    static func summary(_ section: RemoteSection) -> String {
        guard let title = section.headerTitle, !title.isVerbatim(section.id) else {
            return TextWidth.printable(section.id)
        }
        return TextWidth.printable("\(section.id)  \(title)")
    }
}
