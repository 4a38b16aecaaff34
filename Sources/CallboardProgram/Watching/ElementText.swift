import CallboardClient
import Notation

/// An element on one line.
enum ElementText {
    /// The members that make a good title, best first.
    private static let titleMembers = ["title", "name", "headline", "label", "summary", "subject", "text"]

    /// The identifier with what its adapter's preview makes of the value, else with a title where the value has one, else
    /// with the value's members; for an element of a row, then the row, its cell and the height that it sets, such as
    /// `ada  Ada  (people: PersonCell, height 60)`.
    static func summary(_ element: RemoteElement, _ previews: RowPreviews = RowPreviews(nil)) -> String {
        let detail = previews.text(of: element) ?? detail(element)
        let title = TextWidth.printable(detail.isVerbatim(element.id) ? detail : "\(element.id)  \(detail)")
        guard let row = element.row, let cell = element.cell else { return title }
        let height = element.height.flatMap { JSONNumber($0) }.map { ", height \($0)" } ?? ""
        return "\(title)  (\(TextWidth.printable("\(row): \(cell)"))\(height))"
    }

    private static func detail(_ element: RemoteElement) -> String {
        guard let object = element.value.objectValue else { return element.value.stringValue ?? element.value.text }
        if let title = titleMembers.lazy.compactMap({ object[$0]?.stringValue }).first {
            return object["emoji"]?.stringValue.map { "\($0) \(title)" } ?? title
        }
        let members = object.members.compactMap { member in
            member.value.stringValue?.isVerbatim(element.id) == true ? nil : text(member.name, member.value)
        }
        return members.isEmpty ? element.id : members.joined(separator: " · ")
    }

    /// A member on its own: a text says by itself what it is, mostly.
    private static func text(_ name: String, _ value: JSON) -> String {
        if let text = value.stringValue, !text.isEmpty { return text }
        return "\(name) \(value.text)"
    }

    /// A section's identifier with its title where it has another one.
    static func summary(_ section: RemoteSection) -> String {
        guard let title = section.headerTitle, !title.isVerbatim(section.id) else {
            return TextWidth.printable(section.id)
        }
        return TextWidth.printable("\(section.id)  \(title)")
    }
}
