import CallboardClient
import Notation

/// The texts of a list's rows by the previews of its adapters.
struct RowPreviews: Sendable {
    /// A preview's templates.
    private struct Preview {
        let image, title: RowTemplate?
        /// The parts behind the title, in their order.
        let rest: [RowTemplate]

        init(_ preview: JSON) {
            // A server of a later version may have templates that are not understood here.
            func template(_ name: String) -> RowTemplate? {
                preview[name]?.stringValue.flatMap { try? RowTemplate.part($0) }
            }
            image = template("image")
            title = template("title")
            rest = ["badge", "subtitle", "trailing"].compactMap(template)
        }
    }

    private var previews: [Name: Preview] = [:]

    /// Takes the previews of a list's adapters.
    init(_ definition: ListDefinition?) {
        for adapter in definition?.adapters ?? [] {
            guard let model = adapter["model"]?.stringValue, let preview = adapter["preview"] else { continue }
            previews[Name(model)] = Preview(preview)
        }
    }

    /// The text of an element whose adapter has a preview; nil for any other, and where it has no title for the value.
    func text(of element: RemoteElement) -> String? {
        guard let preview = element.model.flatMap({ previews[Name($0)] }),
            let title = preview.title?.wholeText(of: element.value)
        else { return nil }
        // A terminal shows one character or two that stand for a picture, and not the picture at an address.
        let image = preview.image?.wholeText(of: element.value).flatMap { $0.count <= 2 ? $0 : nil }
        let start = image.map { "\($0) \(title)" } ?? title
        return ([start] + preview.rest.compactMap { $0.wholeText(of: element.value) }).joined(separator: " · ")
    }
}
